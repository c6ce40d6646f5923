import { shows } from '../../tasks/commands.ts';
import type { Command } from '../../tasks/task.ts';
import type { SessionState, TaskState } from '../state.ts';
import { attemptChanges } from './attempt-changes.ts';
import { type CommandsStep, commandsStep, mayRunCommands, type TaskCommandsToRun } from './model-commands.ts';
import type { ReviewStep } from './person-review.ts';

/**
 * The step before any review of an attempt: its `verify` commands run, so that nobody pays for the review of work that fails them, and the review
 * sees what they printed. Commands that may not run are asked about. `null`: they passed, or the Reviewer itself runs them.
 */
export const verifyStep = (state: SessionState, task: TaskState): VerifyStep | null => {
  if (task.review === 'repeated') return permissionStep(state, task) ?? 'invoke';
  if (!isUnverified(state, task)) return null;
  return permissionStep(state, task) ?? (reviewsByCommands(state, task) ? null : 'invoke');
};

type VerifyStep = ReviewStep | Exclude<CommandsStep, null>;

/** The `script` backend runs the commands now, whoever reviews the attempt afterwards. Nobody reviews a merge of a flow. */
export const isVerifying = (state: SessionState, task: TaskState | null): boolean =>
  task !== null &&
  (task.review === 'repeated' ||
    (isUnverified(state, task) && (state.mode === 'flow' || !reviewsByCommands(state, task))));

/** A loop verifies by the person's own commands, and a flow what a merge would make of the person's branch. */
const isUnverified = ({ mode }: SessionState, { definition, status, review, verification }: TaskState) =>
  (mode === 'waves' || (mode === 'flow' && definition.phase === 'merge')) &&
  status === 'review' &&
  review === 'open' &&
  verification === null &&
  definition.verify.length > 0;

/** Commands alone decide about the attempt: they run once, on its merge. */
export const isProvenInTrain = (state: SessionState, task: TaskState): boolean =>
  state.mode === 'waves' &&
  state.settings.review === 'agent' &&
  task.definition.verify.length > 0 &&
  reviewsByCommands(state, task);

const reviewsByCommands = (state: SessionState, task: TaskState): boolean => {
  const { review, roles } = state.settings;
  if (review === 'person') return false;
  return (roles['reviewer'] ?? roles['Reviewer'] ?? 'script') === 'script' || isProvenByVerify(state, task);
};

/** A person decides too where the review of an agent shows nothing for a success criterion. Commands that decide alone check what their author wrote. */
export const asksWhereUnchecked = (state: SessionState, task: TaskState): boolean =>
  state.mode === 'waves' && state.settings.review !== 'person' && !reviewsByCommands(state, task);

/** With a small effort no model reviews what commands prove: each criterion is named by a `verify` command. */
export const isProvenByVerify = (
  { mode, settings: { effort, review } }: SessionState,
  { definition: { criteria, verify } }: TaskState,
): boolean =>
  effort === 'small' &&
  mode === 'waves' &&
  review === 'agent' &&
  criteria.length > 0 &&
  criteria.every((criterion) => verify.some((command) => shows(command, criterion)));

/** Whether the task's `verify` commands may run unasked. The commands of a flow come from the settings, which a person accepted. */
export const mayVerify = (state: SessionState, task: TaskState): boolean =>
  state.mode === 'flow' || mayRunCommands(state, task, toVerify(state, task));

/** The question whether the commands may run, once for each attempt, and what its answer makes of the task. `null`: they may. */
export const permissionStep = (state: SessionState, task: TaskState): CommandsStep =>
  state.mode === 'flow' ? null : commandsStep(state, task, toVerify(state, task));

const toVerify = (state: SessionState, task: TaskState): TaskCommandsToRun => ({
  purpose: 'verify',
  commands: task.review === 'merged' ? verifyOnMerge(state, task) : task.definition.verify,
  attempt: Math.max(task.attempt, 1),
});

/** The tasks whose merged lines gave way to this attempt's when a person resolved its conflict. What was done must still hold. */
export const overruledBy = (state: SessionState, task: TaskState): readonly TaskState[] =>
  (attemptChanges(state, task)?.overrules ?? []).flatMap((id) => state.tasks.get(id) ?? []);

/** What has to pass on the merge of the task's attempt: its own commands, and those of the tasks that it overrules. */
export const verifyOnMerge = (state: SessionState, task: TaskState): Command[] => {
  const known = new Map<string, Command>();
  for (const { definition } of [task, ...overruledBy(state, task)])
    for (const command of definition.verify) known.set(JSON.stringify(command), command);
  return [...known.values()];
};
