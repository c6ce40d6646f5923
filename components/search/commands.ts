import { canGoOn, goOn, inChanges, searchChanges, startSearch } from '../changes/commands.ts';
import { keepComment } from '../changes/review-commands.ts';
import { act, always, type Command, type CommandEffect } from '../command.ts';
import { looking } from '../draw/log-view.ts';
import { allPrinted, anotherSession, noOverlays } from '../in-lines.ts';
import { createEditor } from '../keys/line-editor.ts';
import { selectOutputSubject } from '../output/select-output.ts';
import { selectMatch } from '../output/select-search.ts';
import { selectTrustLines, trustMatches } from '../start/select-trust.ts';
import type { TrustOverlay } from '../start/start-list.ts';
import { inGraph } from '../tasks/commands.ts';
import { tasksWith } from '../tasks/select-shown-tasks.ts';
import type { ViewState } from '../view.ts';

/** Keys of a search: the prompt and its matches, in the output, the diff and the graph. */
export const searchCommands: readonly Command[] = [
  {
    id: 'read.search',
    context: 'main',
    keys: ['/'],
    label: 'search',
    description: 'search the output and its log file; in Changes, the diff; in the graph, tasks',
    group: 'Look',
    inLines: allPrinted,
    available: (view) =>
      inGraph(view) || inChanges(view) || selectOutputSubject(view).ref !== null
        ? true
        : 'Nothing has run yet',
    run: (view) => {
      if (!inGraph(view) && inChanges(view)) return [searchChanges(view)];
      if (inGraph(view))
        return [
          act({ type: 'overlay-opened', overlay: { kind: 'prompt', what: 'find', editor: createEditor() } }),
        ];
      return [
        act({ type: 'tab-chosen', tab: 'output' }),
        act({
          type: 'overlay-opened',
          overlay: { kind: 'prompt', what: 'search', editor: createEditor(view.ui.log.search?.text ?? '') },
        }),
      ];
    },
  },
  {
    id: 'trust.search',
    context: 'trust',
    keys: ['/'],
    label: 'search',
    description: 'search what would run',
    group: 'Look',
    inLines: anotherSession,
    footer: 3,
    available: always,
    run: (view) => {
      const editor = createEditor(trustOf(view)?.find ?? '');
      return [act({ type: 'overlay-opened', overlay: { kind: 'prompt', what: 'trust', editor } })];
    },
  },
  trustMatch('n', 1),
  trustMatch('N', -1),
  matchCommand('n', 1),
  matchCommand('N', -1),
  {
    id: 'read.prompt-enter',
    context: 'prompt',
    keys: ['enter'],
    label: (view) => (['search', 'trust'].includes(promptOf(view)?.what ?? '') ? 'search' : 'keep'),
    description: 'search for the text',
    group: 'Look',
    inLines: noOverlays,
    footer: 1,
    available: always,
    run: entered,
  },
  {
    id: 'read.prompt-close',
    context: 'prompt',
    keys: ['escape', 'ctrl-c'],
    label: (view) => (promptOf(view)?.what === 'filter' ? 'show all' : 'close'),
    description: 'close and clear the filter',
    group: 'Look',
    inLines: noOverlays,
    footer: 2,
    available: always,
    run: (view) => {
      const prompt = promptOf(view);
      return [
        act({ type: 'overlay-closed' }),
        ...(prompt?.what === 'filter' ? [act({ type: 'filtered', pane: prompt.pane, text: '' })] : []),
      ];
    },
  },
];

const trustOf = ({ ui }: ViewState): TrustOverlay | null => {
  const top = ui.overlays.at(-1);
  return top?.kind === 'trust' ? top : null;
};

function trustMatch(key: string, by: 1 | -1): Command {
  return {
    id: by > 0 ? 'trust.next-match' : 'trust.previous-match',
    context: 'trust',
    keys: [key],
    label: by > 0 ? 'next match' : 'previous match',
    description: by > 0 ? 'next row with the searched text' : 'previous row with the searched text',
    group: 'Look',
    inLines: anotherSession,
    available: (view) => {
      const trust = trustOf(view);
      if (trust === null || (trust.find ?? '') === '') return 'Search first: {trust.search}';
      const rows = selectTrustLines(trust, view.ui.size.columns);
      return trustMatches(rows, trust.find ?? '').length > 0 ? true : `Nothing here has "${trust.find}"`;
    },
    run: (view) => [act({ type: 'trust-searched', text: trustOf(view)?.find ?? '', by })],
  };
}

function matchCommand(key: string, by: 1 | -1): Command {
  return {
    id: by > 0 ? 'read.next-match' : 'read.previous-match',
    context: 'main',
    keys: [key],
    label: by > 0 ? 'next match' : 'previous match',
    description: by > 0 ? 'next search match' : 'previous search match',
    group: 'Look',
    inLines: allPrinted,
    available: (view) => {
      if (inGraph(view) && view.ui.tasks.find !== '')
        return tasksWith(view, view.ui.tasks.find).length === 0
          ? `No task matches "${view.ui.tasks.find}"`
          : true;
      if (inChanges(view)) return canGoOn(view, by);
      const { search } = view.ui.log;
      if (search === null) return 'Search first: {read.search}';
      return selectMatch(view, by) === null ? `Nothing matches "${search.text}" so far` : true;
    },
    run: (view) => {
      if (inChanges(view)) return goOn(view, by);
      return inGraph(view) && view.ui.tasks.find !== ''
        ? [act({ type: 'task-looked-for', text: view.ui.tasks.find, by })]
        : jump(view, by);
    },
  };
}

const jump = (view: ViewState, by: 1 | -1): readonly CommandEffect[] => {
  const match = selectMatch(view, by);
  const tab = act({ type: 'tab-chosen', tab: 'output' });
  if (match === null) return [tab];
  return [
    tab,
    act(
      'line' in match ? { type: 'line-chosen', line: match.line } : { type: 'byte-chosen', at: match.byte },
    ),
  ];
};

const promptOf = (view: ViewState) => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'prompt' ? top : null;
};

function entered(view: ViewState): readonly CommandEffect[] {
  const prompt = promptOf(view);
  const close = act({ type: 'overlay-closed' });
  switch (prompt?.what) {
    case 'comment':
      return [close, keepComment(view, prompt)];
    case 'search': {
      const text = prompt.editor.text.trim();
      return [close, ...(prompt.pane === 'changes' ? startSearch(view, text) : searchLog(view, text))];
    }
    case 'trust':
      return [close, act({ type: 'trust-searched', text: prompt.editor.text.trim(), by: 0 })];
    // What they narrowed or found during typing stays.
    case 'filter':
    case 'find':
    case undefined:
      return [close];
  }
}

const searchLog = (view: ViewState, text: string): readonly CommandEffect[] => {
  const started = [act({ type: 'search-started', text })];
  if (text === '') return started;
  // The first match in the log, wherever the cursor was. One that only the file has is found later: the next match reaches it.
  const fromTheTop = { ...view.ui.log, search: { text, ...looking }, at: null, pageTop: null };
  const seen = { ...view, ui: { ...view.ui, log: fromTheTop } };
  return selectMatch(seen, 1) === null ? started : [...started, ...jump(seen, 1)];
};
