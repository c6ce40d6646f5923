import { commandRows } from '../../src/agents/command-text.ts';
import { safe, safeBlock } from '../../src/base/safe.ts';
import { backendOf } from '../../src/pipeline/invoke.ts';
import { isIsolated } from '../../src/pipeline/isolated.ts';
import { conflict } from '../../src/pipeline/scheduling/start.ts';
import type { SessionState, TaskState } from '../../src/pipeline/state.ts';
import type { Command, TaskDefinition } from '../../src/tasks/task.ts';
import type { DetailLine } from '../../src/words/detail-line.ts';
import { withWork } from '../tasks/drawn-graph.ts';
import type { TaskTable } from '../tasks/select-tasks.ts';

/** A heading and its lines. Nothing without lines. */
export const section = (
  heading: string,
  texts: readonly string[],
  kind: 'text' | 'item',
): readonly DetailLine[] =>
  texts.length === 0
    ? []
    : [{ kind: 'heading', text: heading }, ...texts.map((text): DetailLine => ({ kind, text }))];

/** What the task shall reach. */
export const objectiveLines = ({ objective }: TaskDefinition): readonly DetailLine[] =>
  section('Objective', objective === '' ? [] : safeBlock(objective).split('\n'), 'text');

/** The edges of the task in both directions, each with the status of the task at its other end. */
export const edgeLines = ({ lines, graph }: TaskTable, id: string): readonly DetailLine[] => [
  ...section('Waits for', (graph.blockersOf.get(id) ?? []).map(withWord(lines)), 'item'),
  ...section('Blocks', withWork(graph.dependantsOf.get(id) ?? [], graph).map(withWord(lines)), 'item'),
];

/** The files a task declares. Without any it runs alone in a shared workspace, because its changes are unknown; in a worktree it disturbs nobody. */
export const fileLines = (session: SessionState, task: TaskDefinition): readonly DetailLine[] => {
  const isShared = !isIsolated(session);
  const alone = isShared && task.files.length === 0 && conflict(task, task);
  return section('Declared files', alone ? ['none, so the task runs alone'] : task.files.map(safe), 'item');
};

/** The commands that do the task, those that take their place after a STEER, and those that check it. */
export const commandLines = ({ run, on_steer, verify }: TaskDefinition): readonly DetailLine[] => [
  ...section('Commands', run.flatMap(commandWords), 'item'),
  ...section('Commands after a STEER', (on_steer ?? []).flatMap(commandWords), 'item'),
  ...section('Verified by', verify.flatMap(commandWords), 'item'),
];

/** A task's id and the word of its status. */
export const withWord =
  (lines: ReadonlyMap<string, { readonly word: string }>) =>
  (id: string): string =>
    `${id}  ${lines.get(id)?.word ?? ''}`;

const commandWords = (command: Command): readonly string[] => commandRows(command).map(safe);

/** All that the plan says about a task before it has an attempt, and a person's comment on it. */
export const planLines = (
  session: SessionState,
  table: TaskTable,
  state: TaskState,
  comment: string,
): readonly DetailLine[] => {
  const task = state.definition;
  return [
    { kind: 'title', text: [task.id, safe(task.title)].filter((part) => part !== '').join('  ') },
    { kind: 'text', text: `by ${safe(backendOf(session, 'Executor', state))}` },
    ...section('Your comment', comment === '' ? [] : safeBlock(comment).split('\n'), 'text'),
    ...objectiveLines(task),
    ...section('Success criteria', task.criteria.map(safe), 'item'),
    ...edgeLines(table, task.id),
    ...fileLines(session, task),
    ...commandLines(task),
  ];
};
