import { commandText } from '../../agents/command-text.ts';
import type { EventBody } from '../event.ts';
import type { SessionState, TaskState } from '../state.ts';
import type { ReviewStep } from './person-review.ts';

/**
 * The step before any review of an attempt: its `verify` commands run, so that nobody pays for the review of work that fails them, and the review
 * sees what they printed. Commands that may not run are asked about. `null`: they passed, or the Reviewer itself runs them.
 */
export const verifyStep = (state: SessionState, task: TaskState): VerifyStep | null => {
  if (!isUnverified(state, task)) return null;
  return permissionStep(state, task) ?? (reviewsByCommands(state) ? null : 'invoke');
};

type VerifyStep = ReviewStep | Extract<EventBody, { readonly type: 'task.cancelled' }>;

/** The `script` backend runs the commands now, whoever reviews the attempt afterwards. Nobody reviews a merge of a flow. */
export const isVerifying = (state: SessionState, task: TaskState | null): boolean =>
  task !== null && isUnverified(state, task) && (state.mode === 'flow' || !reviewsByCommands(state));

/** A loop verifies by the person's own commands, and a flow what a merge would make of the person's branch. */
const isUnverified = ({ mode }: SessionState, { definition, status, review, verification }: TaskState) =>
  (mode === 'waves' || (mode === 'flow' && definition.phase === 'merge')) &&
  status === 'review' &&
  review === 'open' &&
  verification === null &&
  definition.verify.length > 0;

const reviewsByCommands = ({ settings: { review, roles } }: SessionState): boolean =>
  review !== 'person' && (roles['reviewer'] ?? roles['Reviewer'] ?? 'script') === 'script';

/**
 * Whether the task's `verify` commands may run unasked. A model may have written them: then a person approved the plan, or the preset lets agents run
 * commands in the same place, or a person said so.
 */
export const mayVerify = (state: SessionState, task: TaskState): boolean => {
  const { roles, permissions } = state.settings;
  // The commands of a flow come from the settings, which a person accepted.
  if (state.mode === 'flow') return true;
  const planner = roles['planner'] ?? roles['Planner'] ?? 'script';
  if (planner === 'script' || (state.planApproved && !task.unseenVerify)) return true;
  if (permissions === 'workspace' || permissions === 'all') return true;
  if (state.questions.get(requestOf(task))?.option === 'run') return true;
  return [...state.questions.values()].some(({ kind, option }) => kind === 'verify' && option === 'run-all');
};

/** The question whether the commands may run, once for each attempt, and what its answer makes of the task. `null`: they may. */
export const permissionStep = (
  state: SessionState,
  task: TaskState,
): Exclude<VerifyStep, 'invoke'> | null => {
  if (mayVerify(state, task)) return null;
  const question = state.questions.get(requestOf(task));
  if (question === undefined) return asked(state, task);
  if (question.answer === null) return 'wait';
  const reason = `dropped by ${question.answeredBy ?? 'a person'}, who did not allow its verify commands to run`;
  return { type: 'task.cancelled', task: task.definition.id, reason };
};

const requestOf = ({ definition, attempt }: TaskState): string =>
  `verify:${definition.id}:${Math.max(attempt, 1)}`;

const asked = (
  { settings: { permissions } }: SessionState,
  task: TaskState,
): Extract<EventBody, { readonly type: 'question.asked' }> => {
  const { id, verify } = task.definition;
  const commands = verify.map((command) => `\`${commandText(command)}\``).join(', ');
  return {
    type: 'question.asked',
    request: requestOf(task),
    kind: 'verify',
    task: id,
    attempt: Math.max(task.attempt, 1),
    text: `May ${verify.length === 1 ? 'this command' : 'these commands'} run to verify ${id}? ${commands}. A model wrote ${verify.length === 1 ? 'it' : 'them'}, and the preset "${permissions}" lets no command run without asking.`,
    options: [
      { id: 'run', label: 'for this attempt' },
      { id: 'run-all', label: 'for every task in this iteration' },
      { id: 'drop', label: 'continue without the task' },
    ],
    invocation: null,
  };
};
