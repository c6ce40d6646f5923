import { sameCommands } from '../../tasks/commands.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import type { HandlersOf, Patch } from '../handler.ts';
import { change, type Owned, put } from '../maps.ts';
import type { SessionState, TaskState } from '../state.ts';
import { fresh, unbegun } from './session.ts';
import { settle } from './settle.ts';

/** Plan items, task definitions, waves, and the results of reviews and knowledge steps. */
export const planning: HandlersOf<
  | 'plan-item.marked'
  | 'tasks.defined'
  | 'task.annotated'
  | 'task.commands-edited'
  | 'wave.chosen'
  | 'session.reviewed'
  | 'knowledge.staged'
  | 'knowledge.promoted'
> = {
  'plan-item.marked': (state, event, own) => {
    const marked = put(own, state.planItems, event.item, { mark: event.mark, note: event.note ?? null });
    const again = event.item === 'plan-brainstorm' && event.mark === 'open' && !event.invocation;
    return {
      ...settle(state, own, event.invocation),
      // Another brainstorm opens the next cycle, including its research.
      planItems: again ? put(own, marked, 'plan-research', { mark: 'open', note: null }) : marked,
      ...(again ? { cycle: state.cycle + 1, newQuestions: 0 } : {}),
    };
  },

  'tasks.defined': (state, event, own) => {
    const origin = event.replaces === undefined ? undefined : state.tasks.get(event.replaces);
    let tasks = state.tasks;
    for (const definition of event.tasks) {
      const known = tasks.get(definition.id);
      const unseenCommands = isUnseen(state, definition, known, event.invocation !== undefined);
      tasks = put(own, tasks, definition.id, {
        ...defined(state, definition, known, origin),
        unseenCommands,
      });
    }
    if (origin) {
      const ids = event.tasks.map((definition) => definition.id);
      const split = ids.length > 0 && !ids.includes(origin.definition.id);
      tasks = change(own, tasks, origin.definition.id, (task) => ({
        ...task,
        replan: null,
        replans: task.replans + 1,
        definition: split ? { ...task.definition, replaced_by: ids } : task.definition,
      }));
    }
    const invocation = event.invocation === undefined ? undefined : state.invocations.get(event.invocation);
    if (invocation?.item)
      return {
        tasks,
        invocations: put(own, state.invocations, invocation.id, { ...invocation, definedTasks: null }),
      };
    return { tasks, ...settle(state, own, event.invocation) };
  },

  'task.annotated': (state, { task, metadata }, own) =>
    redefined(state, task, own, (old) => ({ metadata: { ...old.metadata, ...metadata } })),

  'task.commands-edited': (state, { task, run, verify, on_steer }, own) => ({
    tasks: change(own, state.tasks, task, (old) => ({
      ...old,
      unseenCommands: false,
      definition: { ...old.definition, run, verify, on_steer },
    })),
  }),

  'wave.chosen': (_state, event) => ({ wave: event.wave, batch: event.tasks }),

  'session.reviewed': (state, event, own) => ({
    ...settle(state, own, event.invocation),
    review: { assessment: event.assessment, goalsAchieved: event.goals_achieved, gaps: event.gaps },
  }),

  'knowledge.staged': (state, event, own) => ({
    ...settle(state, own, event.invocation),
    knowledge: { ...state.knowledge, staged: event.files, carried: event.carried },
    planItems: put(own, state.planItems, 'plan-knowledge-extraction', { mark: 'done', note: null }),
  }),

  'knowledge.promoted': (state, event, own) => ({
    ...settle(state, own, event.invocation),
    knowledge: { ...state.knowledge, promoted: union(state.knowledge.promoted, event.files) },
    planItems: put(own, state.planItems, 'plan-knowledge-approval', { mark: 'done', note: null }),
  }),
};

const union = (first: readonly string[], second: readonly string[]): readonly string[] => [
  ...new Set([...first, ...second]),
];

/** An approval of the plan is about the commands that it showed. */
const isUnseen = (
  { planApproved }: SessionState,
  definition: TaskDefinition,
  known: TaskState | undefined,
  byPlanner: boolean,
): boolean => {
  if (!byPlanner) return false;
  const isSame = known !== undefined && sameCommands(known.definition, definition);
  return isSame ? known.unseenCommands : planApproved;
};

/** A task after its definition. A known task keeps its record; a finished one that the plan lists again is reopened. */
const defined = (
  state: SessionState,
  definition: TaskDefinition,
  known: TaskState | undefined,
  origin: TaskState | undefined,
): TaskState => {
  if (!known) return blank(definition, state.iteration, origin);
  const again = known.status === 'done' && definition.iteration > known.iteration;
  const task: TaskState = { ...known, definition, definitionMissing: false };
  return again ? fresh(task, state.iteration) : task;
};

/** `origin`: the task that it replaces, whose orders and feedback it takes over. */
const blank = (
  definition: TaskDefinition,
  iteration: number,
  origin: Pick<TaskState, 'feedback' | 'orders'> | undefined,
): TaskState => ({
  ...unbegun,
  definition,
  iteration,
  unseenCommands: false,
  workedMs: null,
  checkedMs: null,
  feedback: origin?.feedback ?? [],
  orders: origin?.orders ?? [],
  definitionMissing: false,
});

const redefined = (
  { tasks }: SessionState,
  id: string,
  own: Owned,
  changes: (old: TaskDefinition) => Partial<TaskDefinition>,
): Patch => ({
  tasks: change(own, tasks, id, (task) => ({
    ...task,
    definition: { ...task.definition, ...changes(task.definition) },
  })),
});
