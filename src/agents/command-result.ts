import { z } from 'zod';

/** The result of one command. Continuations keep it, so that a recorded command never runs twice. */
export const commandResultSchema = z.object({
  text: z.string(),
  purpose: z.enum(['run', 'verify', 'on_steer', 'setup']),
  /** `0`, `1`, `SIGKILL`, `timed out`, `not started: …`. */
  exit: z.string(),
  ok: z.boolean(),
  duration_ms: z.number(),
  /** The end of the output of a failed command. Empty for others. */
  tail: z.string(),
  /** Variables of the person's environment that a failed command names and did not get. */
  withheld: z.array(z.string()).readonly().optional(),
  /** `verify`: the end of the output, whole lines, for the review that follows. */
  output: z.string().optional(),
});
export type CommandResult = z.infer<typeof commandResultSchema>;

/** A command that failed, for those who do not show its whole result. */
export const failedCommandSchema = z.object({
  text: z.string(),
  /** As in its result. */
  exit: z.string(),
  /** The end of what it printed, and what else is to be said. */
  said: z.string(),
});
export type FailedCommand = z.infer<typeof failedCommandSchema>;

/** The first of these that ran and failed; `more`: what else is wrong. */
export const firstFailed = (
  results: readonly CommandResult[],
  more: readonly string[] = [],
): { readonly failed?: FailedCommand } => {
  const [first, ...others] = results.filter(({ ok }) => !ok);
  if (first === undefined || first.exit.startsWith(notStarted)) return {};
  const { text, exit } = first;
  const said = [saidBy(first), ...others.map(describeResult), ...more].filter((part) => part !== '');
  return { failed: { text, exit, said: said.join('. ') } };
};

/** Whether another try is pointless: the shell's codes for a missing (127) or non-executable (126) command, or a command that could not start. */
export const isHopeless = ({ exit }: Pick<CommandResult, 'exit'>): boolean =>
  exit === '126' || exit === '127' || exit.startsWith('not started');

/** One line for the report: "`npm test` exited 1 after 1.2 s: 2 tests failed". A command that never ran has only its reason. */
export const describeResult = (result: CommandResult): string =>
  result.exit.startsWith(notStarted) ? result.exit.slice(notStarted.length) : describeEnd(result);

const notStarted = 'not started: ';

const describeEnd = (result: CommandResult): string => {
  const said = saidBy(result);
  return `${endOf(result)}${said === '' ? '' : `${result.tail === '' ? '; ' : ': '}${said}`}`;
};

const saidBy = ({ tail, withheld }: CommandResult): string =>
  [tail, withheld === undefined ? '' : withheldWords(withheld)].filter((part) => part !== '').join('; ');

/** "`npm test` exited 0 after 1.2 s", without what it printed. */
export const endOf = ({ text, exit, duration_ms }: CommandResult): string =>
  `\`${text}\` ${ending(exit)} after ${seconds(duration_ms)}`;

const ending = (exit: string): string => {
  if (/^\d+$/u.test(exit)) return `exited ${exit}`;
  return exit.startsWith('SIG') ? `was terminated by ${exit}` : exit;
};

const seconds = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** Names in a sentence; the others are of the same kind. */
const mostNames = 5;

/** "DATABASE_URL is set in your environment, but commands do not get it: add `env: {…}` to the command". */
const withheldWords = (names: readonly string[]): string => {
  const shown = names.slice(0, mostNames);
  const list = shown.join(', ');
  const rest = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  const env = shown.map((name) => `${name}: "\${${name}}"`).join(', ');
  const [is, it] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${list}${rest} ${is} set in your environment, but commands do not get ${it}: add \`env: {${env}}\` to the command`;
};
