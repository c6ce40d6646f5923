import { buildGraph } from '../../../tasks/graph.ts';
import { stuckBehind } from '../../../tasks/stuck-behind.ts';
import type { SessionReviewAnswer } from '../../answers.ts';
import type { TaskBrief } from '../../port.ts';
import { count } from '../../roles/markdown.ts';
import { answered, type ScriptTurn } from './script-turn.ts';

/**
 * Judges the iteration by its tasks. It is reached when each is done or was cancelled on purpose. A result that no command checks is a gap, not a
 * success.
 */
export const reviewSession: ScriptTurn = async (context) => {
  const tasks = context.brief.tasks.filter((task) => task.definition.replaced_by.length === 0);
  const done = tasks.filter((task) => task.status === 'done');
  const open = tasks.filter((task) => task.status !== 'done' && task.status !== 'cancelled');
  const unchecked = done.filter((task) => task.definition.verify.length === 0);
  const reached = open.length === 0 && done.length > 0;
  const answer: SessionReviewAnswer = {
    assessment: `${done.length} of ${tasks.length} tasks are done${open.length > 0 ? `; ${open.length} ${open.length === 1 ? 'is' : 'are'} not` : ''}.`,
    goals_achieved: reached,
    gaps: [
      ...open.map((task) => `${task.definition.id} is ${task.status}${why(task)}`),
      ...tasks
        .filter((task) => task.status === 'cancelled')
        .map((task) => `${task.definition.id} was cancelled${why(task)}`),
      ...unchecked.map(
        (task) =>
          `${task.definition.id} has no verify command: the only evidence is ${task.attempts > 0 ? 'its exit codes' : 'the mark in progress.md'}`,
      ),
    ],
    results: tasks.map((task) => ({
      task: task.definition.id,
      title: task.definition.title,
      status: task.status,
      evidence: evidence(task),
    })),
    next_action: reached ? 'none' : ['give feedback', ...retries(tasks)].join(' or retry '),
  };
  return answered(answer);
};

/** Failed tasks, and cancelled ones that block a task which never started. Reopening the blocked task itself would change nothing. */
const retries = (tasks: readonly TaskBrief[]): readonly string[] => {
  const byId = new Map(tasks.map((task) => [task.definition.id, task]));
  const graph = buildGraph(tasks.map((task) => task.definition));
  const waiting = tasks.filter((task) => task.status === 'open').map((task) => task.definition.id);
  // A session review starts when all of its tasks are settled.
  const stuck = new Set(stuckBehind(graph, { settled: new Set(byId.keys()) }, byId, waiting));
  const ids = [...byId].filter(([id, task]) => task.status === 'failed' || stuck.has(id)).map(([id]) => id);
  return ids.length === 0 ? [] : [ids.join(', ')];
};

const why = (task: TaskBrief): string => (task.reason ? `: ${task.reason}` : '');

const evidence = (task: TaskBrief): string =>
  [
    task.attempts > 0 ? `attempt ${task.attempts}` : 'never started',
    ...(task.definition.verify.length > 0 ? [count(task.definition.verify.length, 'verify command')] : []),
    ...(task.reason ? [task.reason] : []),
  ].join(', ');
