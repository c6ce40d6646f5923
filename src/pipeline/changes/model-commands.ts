import { commandRows } from '../../agents/command-text.ts';
import { forbiddenCommand } from '../../session/guidance/guards.ts';
import type { Command } from '../../tasks/task.ts';
import type { EventBody } from '../event.ts';
import type { SessionState, TaskState } from '../state.ts';

/** Commands of a task that this program is about to run, and that a model may have written. */
export interface TaskCommandsToRun {
  readonly purpose: 'run' | 'verify';
  readonly commands: readonly Command[];
  /** The attempt that they belong to. */
  readonly attempt: number;
}

/** The step before such commands run: a question, the wait for its answer, or what a no makes of the task. `null`: they may run. */
export type CommandsStep =
  | 'wait'
  | Extract<EventBody, { readonly type: 'question.asked' | 'task.cancelled' }>
  | null;

/**
 * Whether the commands may run unasked. A model may have written them: then a person approved the plan, or the preset lets agents run commands in the
 * same place and the guidance does not forbid them, or a person said so.
 */
export const mayRunCommands = (state: SessionState, task: TaskState, toRun: TaskCommandsToRun): boolean => {
  const { roles, permissions } = state.settings;
  const planner = roles['planner'] ?? roles['Planner'] ?? 'script';
  if (planner === 'script' || (state.planApproved && !task.unseenCommands)) return true;
  if (state.questions.get(requestOf(task, toRun))?.option === 'run') return true;
  if (forbiddenIn(state, toRun) !== null) return false;
  if (permissions === 'workspace' || permissions === 'all') return true;
  return [...state.questions].some(
    ([request, { kind, option }]) =>
      kind === 'verify' && option === 'run-all' && request.startsWith(`${toRun.purpose}:`),
  );
};

/** The question whether the commands may run, once for each attempt. One task after the other: an answer may be about all of them. */
export const commandsStep = (
  state: SessionState,
  task: TaskState,
  toRun: TaskCommandsToRun,
): CommandsStep => {
  if (mayRunCommands(state, task, toRun)) return null;
  const question = state.questions.get(requestOf(task, toRun));
  if (question === undefined) return isAsking(state, toRun) ? 'wait' : asked(state, task, toRun);
  if (question.answer === null) return 'wait';
  const which = toRun.purpose === 'verify' ? 'verify commands' : 'commands';
  const reason = `dropped by ${question.answeredBy ?? 'a person'}, who did not allow its ${which} to run`;
  return { type: 'task.cancelled', task: task.definition.id, reason };
};

const isAsking = ({ questions }: SessionState, { purpose }: TaskCommandsToRun): boolean =>
  [...questions].some(
    ([request, { kind, answer }]) =>
      kind === 'verify' && answer === null && request.startsWith(`${purpose}:`),
  );

/** `verify:task-3:2` */
const requestOf = ({ definition }: TaskState, { purpose, attempt }: TaskCommandsToRun): string =>
  `${purpose}:${definition.id}:${attempt}`;

/** The item of the guidance that forbids one of the commands. */
const forbiddenIn = ({ guidance }: SessionState, { commands }: TaskCommandsToRun): string | null => {
  for (const { cmd } of commands) {
    const found = forbiddenCommand(guidance, cmd);
    if (found !== null) return found.item;
  }
  return null;
};

const asked = (
  state: SessionState,
  task: TaskState,
  toRun: TaskCommandsToRun,
): Extract<EventBody, { readonly type: 'question.asked' }> => {
  const { id } = task.definition;
  const { purpose, commands, attempt } = toRun;
  const isOne = commands.length === 1;
  const named = commands.map((command) => commandRows(command).map(quoted).join(' then ')).join(', ');
  const aim = purpose === 'verify' ? `to verify ${id}` : `as the work on ${id}`;
  const forbidden = forbiddenIn(state, toRun);
  const why =
    forbidden === null
      ? `the preset "${state.settings.permissions}" lets no command run without asking`
      : `your guidance forbids ${forbidden}`;
  return {
    type: 'question.asked',
    request: requestOf(task, toRun),
    kind: 'verify',
    task: id,
    attempt,
    text: `May ${isOne ? 'this command' : 'these commands'} run ${aim}? ${named}. A model wrote ${isOne ? 'it' : 'them'}, and ${why}.`,
    options: [
      { id: 'run', label: 'for this attempt' },
      { id: 'run-all', label: 'for every task in this iteration' },
      { id: 'drop', label: 'continue without the task' },
    ],
    invocation: null,
  };
};

const quoted = (line: string): string => `\`${line}\``;
