import { act, type Command } from '../command.ts';
import { noPanes } from '../in-lines.ts';
import { isDrawn, otherThird, selectTasksForm, thirdFrom, thirdPane } from '../layout.ts';
import { nextTasksForm, tasksFormName } from '../ports/tasks-form.ts';
import type { ViewState } from '../view.ts';
import { selectIsFolded } from './select-graph.ts';
import { selectTasks } from './select-tasks.ts';

/** Keys that choose how the tasks are drawn. */
export const drawCommands: readonly Command[] = [
  {
    id: 'draw.form',
    context: 'main',
    keys: ['w'],
    label: (view) => `as ${nextForm(view)}`,
    description: 'show tasks by level, by issue, as a graph or as a list',
    group: 'Look',
    inLines: { word: 'tasks' },
    available: hasTasks,
    run: () => [act({ type: 'focused', pane: 'tasks' }), act({ type: 'tasks-form-turned' })],
  },
  {
    id: 'draw.fold',
    context: 'main',
    keys: ['F'],
    label: (view) => (isDrawn(view) && selectIsFolded(view) ? 'unfold' : 'fold done'),
    description: 'fold or unfold the finished parts of the graph',
    group: 'Look',
    inLines: noPanes,
    available: (view) =>
      isDrawn(view) ? hasTasks(view) : 'Only the graph can be folded: {draw.form} shows it',
    run: () => [act({ type: 'focused', pane: 'tasks' }), act({ type: 'folding-toggled' })],
  },
  {
    id: 'draw.third',
    context: 'main',
    keys: ['W'],
    label: ({ ui }) => `${otherThird(ui.third)} beside`,
    description: 'third column on a wide screen: details or timeline',
    group: 'Look',
    inLines: noPanes,
    available: ({ ui }) =>
      thirdPane(ui) === null
        ? `A third column needs a terminal at least ${thirdFrom} columns wide, and no zoom`
        : true,
    run: () => [act({ type: 'third-turned' })],
  },
  zoomCommand('closer', ')', -1, 'show less of the timeline'),
  zoomCommand('wider', '(', 1, 'show more of the timeline'),
];

function zoomCommand(name: string, key: string, by: -1 | 1, description: string): Command {
  return {
    id: `draw.${name}`,
    context: 'main',
    keys: [key],
    label: name,
    description,
    group: 'Look',
    inLines: noPanes,
    available: (view) =>
      view.timeline.bars.length === 0 ? 'No agent has run yet, so there is no timeline' : true,
    run: () => [act({ type: 'tab-chosen', tab: 'timeline' }), act({ type: 'timeline-zoomed', by })],
  };
}

/** Whether the keys go to the drawn graph. */
export const inGraph = (view: ViewState): boolean => view.ui.focus === 'tasks' && isDrawn(view);

/** Whether there is a task, or the reason why not. */
export function hasTasks(view: ViewState): true | string {
  return selectTasks(view).total === 0 ? 'There are no tasks yet' : true;
}

const nextForm = (view: ViewState): string => {
  const isFlow = view.session?.mode === 'flow';
  return tasksFormName(nextTasksForm(selectTasksForm(view), isFlow), isFlow);
};
