import { Option } from 'commander';
import type { kinds as allKinds, SignalField } from '../../../signals/kinds.ts';
import {
  agentSchema,
  type Signal,
  type SignalType,
  signalTypeSchema,
  signalTypeWords,
  targetSchema,
  verdictSchema,
  workerSchema,
} from '../../../signals/signal.ts';
import { type Subcommand, usage } from '../../cli.ts';
import { type SessionOptions, withSession } from '../../options.ts';

interface Options extends SessionOptions {
  readonly target?: string;
  readonly task?: string;
  readonly worker?: string;
  readonly apply?: string;
  readonly resume?: boolean;
  readonly now?: boolean;
  readonly promote?: readonly string[];
  readonly request?: string;
  readonly option?: string;
  readonly set?: readonly string[];
}

/** `ralph-tui signal TYPE [MESSAGE]`: drops a signal exactly like a key or a script would. */
export const signal: Subcommand = (program, cli) => {
  withSession(
    program
      .command('signal')
      .description(
        'Send a signal, as a key would. The session reads it within a second, an agent at its next step.',
      )
      .argument('<type>', 'the type, in upper or lower case')
      .argument('[message]', 'required for INFO and STEER')
      .option('--target <who>', `ALL or ${agentSchema.options.join(', ')}`)
      .option('--task <id>', 'only the agent that works on this task')
      .option(
        '--worker <name>',
        'only this worker of a team, or all workers with a role; CANCEL replaces the worker',
      )
      .addOption(new Option('--apply <verdict>', 'STEER: your own verdict').choices(verdictSchema.options))
      .option('--resume', 'STEER and INFO: also end a hold')
      .option('--now', 'STEER: interrupts the current reply, whose text is lost')
      .option('--promote <files...>', 'APPROVE: only these files of lessons')
      .option('--request <id>', 'ANSWER: which question; CANCEL: which order no longer holds')
      .option('--option <name>', 'ANSWER: the chosen option')
      .option('--set <key=value...>', 'SET: settings that can change while the session runs')
      .addHelpText('after', `\nTypes:\n${typeRows}`),
  ).action(
    cli.does(async (type: string, message: string | undefined, options: Options) => {
      const { kinds } = await import('../../../signals/kinds.ts');
      const pendingSignal = parseSignalArguments(kinds, type, message, options);
      const { openWritableSession, requireTask } = await import('../../session/open-session.ts');
      const { publish } = await import('../../session/publish.ts');
      const session = openWritableSession(cli, options.session);
      // Before the plan exists, any name may become a task.
      if (pendingSignal.task !== undefined && session.state.tasks.size > 0)
        requireTask(session, pendingSignal.task);
      const { worker } = pendingSignal;
      if (worker?.includes('-') && session.state.flow?.workers.has(worker) !== true)
        throw usage(`session ${session.paths.session} has no worker ${worker}`, 'see `ralph-tui status`');
      publish(cli, session, pendingSignal, options.json === true);
      return 0;
    }),
  );
};

const longestType = Math.max(...signalTypeSchema.options.map((type) => type.length));
const typeRows = Object.entries(signalTypeWords)
  .map(([type, words]) => `  ${type.padEnd(longestType)} ${words}`)
  .join('\n');

type Kinds = typeof allKinds;

const parseSignalArguments = (
  kinds: Kinds,
  typed: string,
  message: string | undefined,
  options: Options,
): Signal => {
  const named = typed.toUpperCase() === 'STOP' ? 'ABORT' : typed.toUpperCase();
  const type = signalTypeSchema.safeParse(named);
  if (!type.success)
    throw usage(`unknown signal type "${typed}"`, `use one of ${signalTypeSchema.options.join(', ')}`);
  for (const field of fields)
    if (options[field] !== undefined && !kinds[type.data].reads.includes(field))
      throw usage(
        `--${field} does not apply to ${type.data}`,
        `it is for ${readersOf(kinds, field).join(', ')}`,
      );
  const worker = parseWorker(options);
  const target = worker === undefined ? parseTarget(options.target ?? 'ALL') : 'Executor';
  const verdict = verdictSchema.optional().parse(options.apply);
  const draft: Signal = {
    type: type.data,
    target,
    ...(message === undefined ? {} : { message }),
    ...(options.task === undefined ? {} : { task: options.task }),
    ...(worker === undefined ? {} : { worker }),
    ...(verdict === undefined ? {} : { apply: verdict }),
    ...(options.resume === undefined ? {} : { resume: options.resume }),
    ...(options.now === undefined ? {} : { now: options.now }),
    ...(options.promote === undefined ? {} : { promote: options.promote }),
    ...(options.request === undefined ? {} : { request: options.request }),
    ...(options.option === undefined ? {} : { option: options.option }),
    ...(options.set === undefined ? {} : { set: parseSet(options.set) }),
  };
  return draft;
};

/** The options that fill a field which not every type reads. */
const fields = ['worker', 'task', 'apply', 'resume', 'now', 'promote', 'request', 'option', 'set'] as const;

const readersOf = (kinds: Kinds, field: SignalField): readonly SignalType[] =>
  signalTypeSchema.options.filter((type) => kinds[type].reads.includes(field));

/** `Executor`, `ralph-executor` and `Ralph-v2-Executor` name the same agent. */
const parseTarget = (text: string): Signal['target'] => {
  const bare = text.toLowerCase().replace(/^ralph-(v2-)?/, '');
  const found = targetSchema.options.find((name) => name.toLowerCase() === bare);
  if (!found) throw usage(`unknown target "${text}"`, `use one of ${targetSchema.options.join(', ')}`);
  return found;
};

/** A worker of a team, by --worker or as the target. */
const parseWorker = ({ worker, target = '' }: Options): string | undefined => {
  const found = workerSchema.safeParse((worker ?? target).toLowerCase().replace(/^ralph-(v2-)?/, '')).data;
  if (worker !== undefined && found === undefined)
    throw usage(`unknown worker "${worker}"`, 'name a worker, such as builder-2, or a role, such as builder');
  return found;
};

const parseSet = (pairs: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw usage(`--set ${pair} is incomplete`, 'write key=value');
      const text = pair.slice(at + 1);
      return [pair.slice(0, at), /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text];
    }),
  );
