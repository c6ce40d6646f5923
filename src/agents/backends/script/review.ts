import { z } from 'zod';
import { shows } from '../../../tasks/commands.ts';
import type { Command, TaskDefinition } from '../../../tasks/task.ts';
import { isDeclared } from '../../../tasks/task-files.ts';
import { type Criterion, type ReviewAnswer, steerTraceSchema } from '../../answers.ts';
import {
  type CommandResult,
  commandResultSchema,
  describeResult,
  firstFailed,
} from '../../command-result.ts';
import { commandText } from '../../command-text.ts';
import type { Brief, Message, TurnAsk, TurnResult } from '../../port.ts';
import { count } from '../../roles/markdown.ts';
import { joinMessages, messageSchema } from '../../roles/messages.ts';
import { resultsFor } from '../../roles/own-evidence.ts';
import { readContinuation } from '../../roles/passing.ts';
import { missingFiles } from './file-marks.ts';
import { runCommand } from './run-command.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';
import { haltedBy, steer } from './steering.ts';

/** Runs the task's `verify` commands before a review by a model or a person. The attempt passes if all exit 0. */
export const verify: ScriptTurn = (context, ask) => check(context, ask, []);

/**
 * The Reviewer's work on one attempt: checks every declared file and runs every `verify` command, even after one failed. The attempt qualifies if all
 * exit 0 and all files exist, but for those that the attempt removed. A criterion without any check is reported as "not checked".
 */
export const review: ScriptTurn = (context, ask) => check(context, ask, context.brief.task?.files ?? []);

const check = async (context: ScriptContext, ask: TurnAsk, files: readonly string[]): Promise<TurnResult> => {
  const { task } = context.brief;
  if (!task) return { kind: 'failed', fault: { code: 'no-task', what: 'review needs a task' } };
  const data = reviewDataSchema.parse(ask.data ?? {});
  const before = readContinuation(data.continuation, progressSchema);
  let progress = before ?? { done: [], messages: ask.messages, steers: [], escalation: null };
  if (before) {
    const news = ask.messages.filter((message) => !before.messages.some((known) => known.id === message.id));
    progress = absorb(context, task, progress, news);
  }
  while (progress.escalation === null) {
    const command = task.verify[progress.done.length];
    if (!command) break;
    const index = progress.done.length;
    const of = task.verify.length;
    const call = { command, index, of, purpose: 'verify', messages: progress.messages } as const;
    progress = { ...progress, done: [...progress.done, await runCommand(context, call)] };
    const stopped = context.stopped();
    if (stopped) return { kind: 'stopped', why: stopped };
    if (progress.done.length === of) break;
    const directive = await context.boundary();
    const halted = haltedBy(directive, progress);
    if (halted) return halted;
    if (directive.kind === 'go') progress = absorb(context, task, progress, directive.messages);
  }
  return answered(answerOf(context, task, progress, files));
};

const reviewDataSchema = z.object({ continuation: z.unknown().optional() });

/** The review's state: results so far. */
const progressSchema = z.object({
  done: z.array(commandResultSchema).readonly(),
  messages: z.array(messageSchema).readonly(),
  steers: z.array(steerTraceSchema).readonly(),
  escalation: z.string().nullable(),
});
type Progress = z.infer<typeof progressSchema>;

const absorb = (
  context: ScriptContext,
  task: TaskDefinition,
  progress: Progress,
  arrived: readonly Message[],
): Progress => {
  const steered = steer(context, arrived, {
    task,
    changed: [],
    ran: progress.done.map((result) => result.text),
  });
  return {
    done: steered.verdict === 'restart' ? [] : progress.done,
    messages: joinMessages(progress.messages, arrived),
    steers: [...progress.steers, ...steered.traces],
    escalation: steered.escalation,
  };
};

const answerOf = (
  context: ScriptContext,
  task: TaskDefinition,
  progress: Progress,
  files: readonly string[],
): ReviewAnswer => {
  const { missing, removed } = lookFor(context, files);
  const failed = progress.done.filter((result) => !result.ok);
  const notThere = missing.map((file) => `\`${file}\` is declared but does not exist.`);
  const issues = [...failed.map((result) => `${describeResult(result)}.`), ...notThere];
  const verdict = issues.length === 0 ? 'Qualified' : 'Failed';
  const seen = { missing, removed, ranAll: hasRunAll(context.brief, task) };
  const looked = [
    count(progress.done.length, 'verify command'),
    ...(files.length > 0 ? [count(files.length, 'declared file')] : []),
  ].join(' and ');
  return {
    verdict,
    summary: [
      `Looked at ${looked}: ${issues.length === 0 ? 'nothing wrong' : `${count(issues.length, 'problem')}`}.`,
    ],
    criteria: task.criteria.map((criterion) => judge(criterion, task, progress.done, seen)),
    issues,
    actions: [
      ...progress.done.map(describeResult),
      ...files.map(
        (file) =>
          `Looked for \`${file}\`: ${removed.includes(file) ? 'removed' : missing.includes(file) ? 'not found' : 'found'}`,
      ),
    ],
    reasoning: verdict === 'Qualified' ? `Evidence: ${looked}.` : issues.join(' '),
    feedback: issues.join(' '),
    ...firstFailed(failed, notThere),
    steers: progress.steers,
    verification: progress.done,
    ...(progress.escalation === null ? {} : { escalation: progress.escalation }),
  };
};

/** The declared files that are not there. Those that the attempt changed it has removed. */
const lookFor = (
  { disk, brief }: Pick<ScriptContext, 'disk' | 'brief'>,
  files: readonly string[],
): Pick<Seen, 'missing' | 'removed'> => {
  const absent = missingFiles(disk, brief.workspace, files);
  const removed = absent.filter((file) => brief.changed?.some((path) => isDeclared({ files: [file] }, path)));
  return { missing: absent.filter((file) => !removed.includes(file)), removed };
};

/** The success criteria that name a declared file, as far as the work tree itself shows them. An agent's words about them do not count. */
export const look: ScriptTurn = async (context) => {
  const { task } = context.brief;
  const seen = lookFor(context, task?.files ?? []);
  return answered(task?.criteria.flatMap((criterion) => judgeFile(criterion, task, seen) ?? []) ?? []);
};

const fileIn = (criterion: string, files: readonly string[]): string | undefined =>
  files.find((path) => criterion.includes(path) || criterion.includes(baseOf(path)));

/** What is known beside the results of `verify`. */
interface Seen {
  readonly missing: readonly string[];
  readonly removed: readonly string[];
  /** The attempt completed by running each `run` command, and each exited 0. */
  readonly ranAll: boolean;
}

/**
 * An attempt of the `script` backend completes only when each of its commands exited 0. With `on_steer` others may have taken their place, and an agent
 * need not have run them.
 */
const hasRunAll = ({ settings: { roles } }: Brief, task: TaskDefinition): boolean =>
  task.on_steer === null && (task.agent ?? roles['executor'] ?? roles['Executor'] ?? 'script') === 'script';

/**
 * Judges one criterion by its own evidence: the `verify` commands that name it (`shows`) or that it quotes, the `run` commands that name it, or
 * a declared file whose existence it states.
 * Without any it was not checked, whatever else passed: `node --check` shows no behaviour.
 */
const judge = (
  criterion: string,
  task: TaskDefinition,
  done: readonly CommandResult[],
  seen: Seen,
): Criterion => {
  const byFile = judgeFile(criterion, task, seen);
  if (byFile?.status === 'not met') return byFile;
  const own = resultsFor(criterion, task, done);
  const failed = own.find((result) => !result.ok);
  if (failed) return { criterion, status: 'not met', evidence: describeResult(failed) };
  if (own.length > 0) return { criterion, status: 'met', evidence: own.map(describeResult).join(', ') };
  const ran = seen.ranAll ? task.run.filter((command) => shows(command, criterion)) : [];
  if (ran.length > 0) return { criterion, status: 'met', evidence: exitedInTheAttempt(ran) };
  return (
    byFile ?? {
      criterion,
      status: 'not checked',
      evidence: task.verify.length === 0 ? 'the task has no verify command' : 'no verify command covers this',
    }
  );
};

/** A criterion about a declared file, as far as its being there shows it. */
const judgeFile = (
  criterion: string,
  { files }: TaskDefinition,
  { missing, removed }: Pick<Seen, 'missing' | 'removed'>,
): Criterion | null => {
  const file = fileIn(criterion, files);
  if (file === undefined) return null;
  const isRemoved = removed.includes(file);
  if (isRemoved && absence.test(criterion))
    return { criterion, status: 'met', evidence: `\`${file}\` is removed` };
  if (missing.includes(file) || (isRemoved && existence.test(criterion)))
    return { criterion, status: 'not met', evidence: `\`${file}\` does not exist` };
  return !isRemoved && existence.test(criterion)
    ? { criterion, status: 'met', evidence: `\`${file}\` is there` }
    : null;
};

const existence = /\b(?:exists?|is there|are there|was created|is present)\b/iu;

/** States that a file is not there any more. */
const absence = /\b(?:removed|deleted|gone|no longer|(?:does|do) not exist|not there)\b/iu;

/** The attempt completed, so each of its commands exited 0. */
const exitedInTheAttempt = (commands: readonly Command[]): string =>
  commands.map((command) => `\`${commandText(command)}\` exited 0 in the attempt`).join(', ');

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
