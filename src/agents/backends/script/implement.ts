import { z } from 'zod';
import { shows } from '../../../tasks/commands.ts';
import type { Command, TaskDefinition } from '../../../tasks/task.ts';
import { type Criterion, type ImplementAnswer, steerTraceSchema } from '../../answers.ts';
import { commandResultSchema, describeResult, firstFailed, isHopeless } from '../../command-result.ts';
import { commandText } from '../../command-text.ts';
import type { Message, TurnResult } from '../../port.ts';
import { count } from '../../roles/markdown.ts';
import { joinMessages, messageSchema, summarize } from '../../roles/messages.ts';
import { readContinuation } from '../../roles/passing.ts';
import { changedFiles, type FileMarks, markFiles, missingFiles } from './file-marks.ts';
import { dirtyFiles, gitStatus, runsAlone } from './git.ts';
import { runCommand } from './run-command.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';
import { haltedBy, steer } from './steering.ts';

/**
 * The Executor's work: runs the task's commands one by one, with a checkpoint after each (src/engine/README.md, Backends). Stops at the first failure. A STEER
 * with verdict "adjust" replaces the remaining commands with `on_steer`. One with "restart" begins again in the same attempt.
 */
export const implement: ScriptTurn = async (context, ask) => {
  const { task } = context.brief;
  if (!task) return { kind: 'failed', fault: { code: 'no-task', what: 'implement needs a task' } };
  const data = implementDataSchema.parse(ask.data ?? {});
  const before = readContinuation(data.continuation, progressSchema);
  let progress = before ?? (await freshProgress(context, task, ask.messages, data.adjusted));
  let looking = before !== null;
  if (before) {
    const news = ask.messages.filter((message) => !before.messages.some((known) => known.id === message.id));
    progress = absorb(context, task, progress, news);
  }
  while (progress.escalation === null && (looking || hasWork(task, progress))) {
    if (!looking) progress = await runNext(context, task, progress);
    looking = false;
    if (progress.escalation !== null) break;
    const stopped = context.stopped();
    if (stopped) return { kind: 'stopped', why: stopped };
    const directive = await context.boundary();
    const halted = haltedBy(directive, progress) ?? stoppedNow(context);
    if (halted) return halted;
    if (directive.kind === 'go') progress = absorb(context, task, progress, directive.messages);
  }
  return answered(answerOf(context, task, progress, await undeclared(context)));
};

/** The procedure's data for `implement`. */
const implementDataSchema = z.object({
  /** A STEER before the first command was decided as "adjust". */
  adjusted: z.boolean().default(false),
  /** Where a paused invocation continues. */
  continuation: z.unknown().optional(),
});

/** The state of the work as plain data, so that a pause survives a restart and no command runs twice. */
const progressSchema = z.object({
  source: z.enum(['run', 'on_steer']),
  /** The next command of `source`. */
  next: z.number().int().min(0),
  /** Results since the last restart of the step. */
  done: z.array(commandResultSchema).readonly(),
  /** Marks from before the first command: of declared files, and of dirty ones if the task runs alone and commits. */
  before: z.record(z.string(), z.string()).readonly(),
  messages: z.array(messageSchema).readonly(),
  steers: z.array(steerTraceSchema).readonly(),
  escalation: z.string().nullable(),
});
type Progress = z.infer<typeof progressSchema>;

const freshProgress = async (
  context: ScriptContext,
  task: TaskDefinition,
  messages: readonly Message[],
  adjusted: boolean,
): Promise<Progress> => ({
  source: adjusted && task.on_steer ? 'on_steer' : 'run',
  next: 0,
  done: [],
  before: marksOf(context, [...task.files, ...(await undeclared(context))]),
  messages,
  steers: [],
  escalation: null,
});

const commandsOf = (task: TaskDefinition, source: Progress['source']): readonly Command[] =>
  source === 'run' ? task.run : (task.on_steer ?? []);

const hasFailed = (progress: Progress): boolean => progress.done.some((result) => !result.ok);

const hasWork = (task: TaskDefinition, progress: Progress): boolean =>
  !hasFailed(progress) && progress.next < commandsOf(task, progress.source).length;

const runNext = async (
  context: ScriptContext,
  task: TaskDefinition,
  progress: Progress,
): Promise<Progress> => {
  const commands = commandsOf(task, progress.source);
  const command = commands[progress.next];
  if (!command) return progress;
  const index = progress.done.length;
  const result = await runCommand(context, {
    command,
    index,
    of: index + commands.length - progress.next,
    purpose: progress.source,
    messages: progress.messages,
  });
  return { ...progress, next: progress.next + 1, done: [...progress.done, result] };
};

/** Applies the decision tree to messages that arrived after a command. */
const absorb = (
  context: ScriptContext,
  task: TaskDefinition,
  progress: Progress,
  arrived: readonly Message[],
): Progress => {
  if (arrived.length === 0) return progress;
  const subject = {
    task,
    changed: changedBy(context, progress, task.files),
    ran: progress.done.map((result) => result.text),
    cannot: () => (isTooLate(task, progress) ? 'it came too late, no command was left' : null),
  };
  const steered = steer(context, arrived, subject, heardBy(task, progress));
  const told: Progress = {
    ...progress,
    messages: joinMessages(progress.messages, arrived),
    steers: [...progress.steers, ...steered.traces],
    escalation: steered.escalation,
  };
  if (steered.verdict === 'restart') return { ...told, source: 'run', next: 0, done: [] };
  if (steered.verdict === 'adjust' && task.on_steer) return { ...told, source: 'on_steer', next: 0 };
  return told;
};

/** Whether no command will run that could take up a message. */
const isTooLate = (task: TaskDefinition, progress: Progress): boolean =>
  !task.on_steer && !hasWork(task, progress);

/** Says how the commands get a message that only adds. */
const heardBy = (task: TaskDefinition, progress: Progress): string => {
  if (task.on_steer) return 'its on_steer commands replace the remaining ones';
  const left = commandsOf(task, progress.source).length - progress.next;
  return left === 1
    ? 'the remaining command gets it in RALPH_STEER'
    : `the ${left} remaining commands get it in RALPH_STEER`;
};

const stoppedNow = (context: ScriptContext): TurnResult | null => {
  const why = context.stopped();
  return why ? { kind: 'stopped', why } : null;
};

const changedBy = (context: ScriptContext, progress: Progress, files: readonly string[]): readonly string[] =>
  // Check earlier marks again: a file that vanished from a declared directory has changed too.
  changedFiles(progress.before, marksOf(context, [...new Set([...files, ...Object.keys(progress.before)])]));

const marksOf = ({ disk, brief }: ScriptContext, files: readonly string[]): FileMarks =>
  markFiles(disk, brief.workspace, files);

/** Changes that git sees beside the declared files. Asks git only if the commit step may attribute them. */
const undeclared = async (context: ScriptContext): Promise<readonly string[]> =>
  context.brief.settings.commit && runsAlone(context) ? dirtyFiles(await gitStatus(context)) : [];

const answerOf = (
  context: ScriptContext,
  task: TaskDefinition,
  progress: Progress,
  others: readonly string[],
): ImplementAnswer => {
  const changed = changedBy(context, progress, [...task.files, ...others]);
  const missing = missingFiles(context.disk, context.brief.workspace, task.files);
  const common = {
    summary: [
      ...changed.map((file) => `Changed \`${file}\`.`),
      ...missing.map((file) => `\`${file}\` is declared but does not exist.`),
    ],
    files_modified: changed,
    verification: progress.done.map(describeResult),
    feedback_addressed: progress.messages
      .filter((message) => message.kind === 'RETRY')
      .map((message) => summarize(message.text)),
    discovered_tasks: [],
    steers: progress.steers,
  };
  if (progress.escalation !== null) {
    return {
      ...common,
      status: 'blocked',
      criteria: claimed(task, 'not checked', 'the task was redefined'),
      blockers: [`STEER scope change: ${summarize(progress.escalation)}`],
      escalation: progress.escalation,
    };
  }
  const problem = problemOf(task, progress);
  if (problem) {
    return {
      ...common,
      status: 'failed',
      criteria: claimed(task, 'not met', problem),
      blockers: [problem],
      ...firstFailed(progress.done),
      ...(progress.done.some(isHopeless) || progress.done.length === 0 ? { hopeless: true } : {}),
    };
  }
  return { ...common, status: 'completed', criteria: shown(task, progress), blockers: [] };
};

const problemOf = (task: TaskDefinition, progress: Progress): string | null => {
  const failed = progress.done.find((result) => !result.ok);
  if (failed) return describeResult(failed);
  if (progress.done.length > 0 || task.verify.length > 0) return null;
  return `${task.id} has nothing to run: give it \`run\` or \`verify\` commands, or an agent that writes code`;
};

/** A `run` command that exited 0 shows the criteria that it names. Of the others exit codes tell nothing, and the Reviewer decides. */
const shown = (task: TaskDefinition, { done }: Progress): readonly Criterion[] => {
  const evidence = `${count(done.length, 'command')} exited 0; the Reviewer decides`;
  return task.criteria.map((criterion) => {
    const named = new Set(task.run.filter((command) => shows(command, criterion)).map(commandText));
    const own = done.filter(({ text }) => named.has(text));
    return own.length === 0
      ? { criterion, status: 'not checked', evidence }
      : { criterion, status: 'met', evidence: own.map(describeResult).join(', ') };
  });
};

const claimed = (task: TaskDefinition, status: 'not met' | 'not checked', evidence: string) =>
  task.criteria.map((criterion) => ({ criterion, status, evidence }));
