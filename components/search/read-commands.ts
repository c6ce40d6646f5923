import { goToPart, hasPart, inChanges } from '../changes/commands.ts';
import { act, type Command } from '../command.ts';
import { allPrinted, noPanes } from '../in-lines.ts';
import { createEditor } from '../keys/line-editor.ts';
import { hasThoughts, selectFailure, selectOutputSubject, selectRaw } from '../output/select-output.ts';
import { focusedPane, paneNamed } from '../panes.ts';
import { readingOf } from '../reading.ts';
import { hasTasks } from '../tasks/commands.ts';
import { selectTask, selectTasks } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';

/** Keys of the panes with text: blocks of the output, attempts, the filter of the tasks. */
export const readCommands: readonly Command[] = [
  failureCommand('[', -1),
  failureCommand(']', 1),
  {
    id: 'read.thoughts',
    context: 'main',
    keys: ['T'],
    label: (view) => (view.ui.log.thoughts ? 'fold thoughts' : 'thoughts'),
    description: "unfold or fold an agent's thoughts",
    group: 'Look',
    inLines: noPanes,
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
    inLines: allPrinted,
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
    inLines: { word: 'tasks' },
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
    inLines: { word: 'tasks' },
    available: hasTasks,
    run: (view) => {
      const task = selectTask(view);
      return [act({ type: 'selected-task', task }), act({ type: 'neighbours-toggled' })];
    },
  },
];

function failureCommand(key: string, by: 1 | -1): Command {
  return {
    id: by > 0 ? 'read.next-failure' : 'read.previous-failure',
    context: 'main',
    keys: [key],
    label: (view) => `${by > 0 ? 'next' : 'previous'} ${inChanges(view) ? 'hunk' : 'failure'}`,
    description: `${by > 0 ? 'next' : 'previous'} failure in the output; in Changes, the ${by > 0 ? 'next' : 'previous'} hunk`,
    group: 'Look',
    inLines: allPrinted,
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
    inLines: { word: 'logs' },
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

const inEvents = (view: ViewState): boolean => focusedPane(view).name === 'events';

/** The pane that `f` narrows: the focused one if it has a filter, else the tasks. */
const filtered = (view: ViewState) => {
  const pane = focusedPane(view);
  return pane.filter === null ? paneNamed('tasks') : pane;
};
