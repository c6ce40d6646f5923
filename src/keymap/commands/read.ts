import { looking } from '../../store/log-view.ts';
import {
  hasThoughts,
  selectFailure,
  selectOutputSubject,
  selectRaw,
} from '../../store/output/select-output.ts';
import { selectMatch } from '../../store/output/select-search.ts';
import { focusedPane, paneNamed } from '../../store/panes/index.ts';
import { readingOf } from '../../store/reading.ts';
import { tasksWith } from '../../store/tasks/select-shown-tasks.ts';
import { selectTask, selectTasks } from '../../store/tasks/select-tasks.ts';
import { createEditor } from '../../store/text/line-editor.ts';
import type { ViewState } from '../../store/view.ts';
import { act, always, type Command, type CommandEffect } from '../command.ts';
import { canGoOn, goOn, goToPart, hasPart, inChanges, searchChanges, startSearch } from './changes.ts';
import { hasTasks, inGraph } from './draw.ts';
import { keepComment } from './review.ts';

/** Keys of the panes with text: the output's blocks and its search, attempts, the filter of the tasks. */
export const readCommands: readonly Command[] = [
  {
    id: 'read.search',
    context: 'main',
    keys: ['/'],
    label: 'search',
    description: 'search the output and its log file; in Changes, the diff; in the graph, tasks',
    group: 'Look',
    available: (view) =>
      inGraph(view) || inChanges(view) || selectOutputSubject(view).ref !== null
        ? true
        : 'Nothing has run yet',
    run: (view) => {
      if (inChanges(view)) return [searchChanges(view)];
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
  matchCommand('n', 1),
  matchCommand('N', -1),
  failureCommand('[', -1),
  failureCommand(']', 1),
  {
    id: 'read.thoughts',
    context: 'main',
    keys: ['T'],
    label: (view) => (view.ui.log.thoughts ? 'fold thoughts' : 'thoughts'),
    description: "unfold or fold an agent's thoughts",
    group: 'Look',
    available: (view) => (hasThoughts(view) ? true : 'There are no thoughts in this output'),
    run: () => [act({ type: 'tab-chosen', tab: 'output' }), act({ type: 'thoughts-toggled' })],
  },
  {
    id: 'read.raw',
    context: 'main',
    keys: ['t'],
    label: (view) => {
      if (inEvents(view)) return readingOf(view.ui, 'events').raw ? 'sentences' : 'raw';
      return selectRaw(view) ? 'blocks' : 'raw';
    },
    description: 'switch between blocks and the raw log file; in Events, between sentences and the journal',
    group: 'Look',
    available: (view) =>
      inEvents(view) || selectOutputSubject(view).ref !== null ? true : 'Nothing has run yet',
    run: (view) => {
      if (!inEvents(view)) return [act({ type: 'tab-chosen', tab: 'output' }), act({ type: 'raw-toggled' })];
      const raw = !readingOf(view.ui, 'events').raw;
      return [act({ type: 'read', pane: 'events', change: { raw } })];
    },
  },
  attemptCommand('<', -1),
  attemptCommand('>', 1),
  {
    id: 'read.filter',
    context: 'main',
    keys: ['f'],
    label: 'filter',
    description: 'filter tasks by status, agent, id or title; in Events, filter the events',
    group: 'Look',
    available: (view) => (filtered(view).name === 'tasks' ? hasTasks(view) : true),
    run: (view) => {
      const pane = filtered(view);
      const editor = createEditor(pane.filter?.text(view) ?? '');
      return [
        ...(pane.name === 'tasks' ? [act({ type: 'focused', pane: 'tasks' })] : []),
        act({ type: 'overlay-opened', overlay: { kind: 'prompt', what: 'filter', pane: pane.name, editor } }),
      ];
    },
  },
  {
    id: 'read.neighbours',
    context: 'main',
    keys: ['v'],
    label: (view) => (view.ui.tasks.neighbours ? 'all tasks' : 'neighbours'),
    description: 'show only the task, the tasks it depends on and those that depend on it',
    group: 'Look',
    available: hasTasks,
    run: (view) => {
      const task = selectTask(view);
      return [act({ type: 'selected-task', task }), act({ type: 'neighbours-toggled' })];
    },
  },
  {
    id: 'read.prompt-enter',
    context: 'prompt',
    keys: ['enter'],
    label: (view) => (promptOf(view)?.what === 'search' ? 'search' : 'keep'),
    description: 'search for the text',
    group: 'Look',
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

function matchCommand(key: string, by: 1 | -1): Command {
  return {
    id: by > 0 ? 'read.next-match' : 'read.previous-match',
    context: 'main',
    keys: [key],
    label: by > 0 ? 'next match' : 'previous match',
    description: by > 0 ? 'next search match' : 'previous search match',
    group: 'Look',
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

function failureCommand(key: string, by: 1 | -1): Command {
  return {
    id: by > 0 ? 'read.next-failure' : 'read.previous-failure',
    context: 'main',
    keys: [key],
    label: (view) => `${by > 0 ? 'next' : 'previous'} ${inChanges(view) ? 'hunk' : 'failure'}`,
    description: `${by > 0 ? 'next' : 'previous'} failure in the output; in Changes, the ${by > 0 ? 'next' : 'previous'} hunk`,
    group: 'Look',
    available: (view) => {
      if (inChanges(view)) return hasPart(view, 'hunk', by);
      return selectFailure(view, by) === null ? `No failures ${by > 0 ? 'below' : 'above'}` : true;
    },
    run: (view) => {
      if (inChanges(view)) return goToPart(view, 'hunk', by);
      const line = selectFailure(view, by);
      return [
        act({ type: 'tab-chosen', tab: 'output' }),
        ...(line === null ? [] : [act({ type: 'line-chosen', line })]),
      ];
    },
  };
}

function attemptCommand(key: string, by: 1 | -1): Command {
  return {
    id: by > 0 ? 'read.later-attempt' : 'read.earlier-attempt',
    context: 'main',
    keys: [key],
    label: by > 0 ? 'later attempt' : 'earlier attempt',
    description: by > 0 ? "the task's next attempt" : "the task's previous attempt",
    group: 'Look',
    available: (view) => {
      const { last, now } = attemptOf(view);
      if (last === 0) return 'This task has no attempts yet';
      const wanted = now + by;
      return wanted >= 1 && wanted <= last ? true : `Attempt ${now} is the ${by > 0 ? 'last' : 'first'}`;
    },
    run: (view) => {
      const { last, now } = attemptOf(view);
      return [
        act({ type: 'selected-task', task: selectTask(view) }),
        act({ type: 'attempt-chosen', attempt: now + by === last ? null : now + by }),
      ];
    },
  };
}

const attemptOf = (view: ViewState): { readonly last: number; readonly now: number } => {
  const last = selectTasks(view).lines.get(selectTask(view) ?? '')?.attempt ?? 0;
  return { last, now: view.ui.log.attempt ?? last };
};

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

const inEvents = (view: ViewState): boolean => focusedPane(view).name === 'events';

/** The pane that `f` narrows: the focused one if it has a filter, else the tasks. */
const filtered = (view: ViewState) => {
  const pane = focusedPane(view);
  return pane.filter === null ? paneNamed('tasks') : pane;
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
