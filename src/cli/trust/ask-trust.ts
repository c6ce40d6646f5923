import { formatTimestamp } from '../../base/clock.ts';
import { list } from '../../base/sentence.ts';
import { type Cli, Exit, exitCodes, failure } from '../cli.ts';
import type { OutputMode } from '../output-mode.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';
import {
  questionLines,
  questionSummary,
  rememberAnswer,
  type TrustQuestion,
  trustQuestion,
} from './trust-question.ts';
import type { Subject } from './trust-subjects.ts';

/** The consent options of a call: `yes` answers every question, `mayAsk` says whether a person can be asked. */
export interface Consent {
  readonly yes: boolean;
  readonly mayAsk: boolean;
  /** Asks on the screen, where the question is longer than the terminal is high: a list to walk and to search. */
  readonly show?: ShowTrust;
}

export type ShowTrust = (
  world: World,
  workspace: string,
  question: { readonly lines: readonly string[]; readonly digest: string },
) => Promise<boolean>;

/** A question needs a person at this terminal, and none of `--headless`, `--json` and `--background`. */
export const consentOf = (
  cli: Cli,
  mode: OutputMode,
  options: { readonly yes?: boolean; readonly headless?: boolean; readonly background?: boolean },
): Consent => ({
  yes: options.yes === true,
  mayAsk:
    mode !== 'json' &&
    options.headless !== true &&
    options.background !== true &&
    cli.stdin.isTTY === true &&
    cli.stderr.isTTY === true,
});

/**
 * Gets consent before anything from the repository runs or any of its widening settings count. A person or
 * `--yes` accepts exactly these bytes, and the answer is remembered. `false` means no. Exit 3 when nobody can
 * be asked, with nothing written.
 */
export const agreeTo = async (
  cli: Cli,
  world: World,
  { workspace, subjects }: { readonly workspace: string; readonly subjects: readonly Subject[] },
  { yes, mayAsk, show }: Consent,
): Promise<boolean> => {
  const question = trustQuestion(cli.env, world, workspace, subjects);
  if (question === null) return true;
  if (!yes && !mayAsk) throw nobodyToAsk(question);
  if (!yes && !(await ask(cli, world, question, show))) return false;
  const kept = rememberAnswer(cli.env, world, question, formatTimestamp(world.clock));
  if (!kept && question.asked.some(({ isRead }) => isRead)) throw notRemembered(cli, question);
  if (!kept && !yes) cli.note('ralph-tui: this answer could not be saved, so you will be asked again');
  return true;
};

/** A later step reads from the memory whether such a text counts: without it the session would work by another one. */
const notRemembered = ({ env }: Cli, { asked }: TrustQuestion): Exit =>
  failure({
    code: 'not-remembered',
    what: `your answer about ${list(
      asked.flatMap(({ name, isRead }) => (isRead ? [name] : [])),
      3,
    )} cannot be saved, so it would have no effect`,
    where: stateDirectory(env),
    hint: 'make this folder writable only by you; nothing was started',
  });

/** Rows of the question itself and of the shell's prompt above it. */
const promptRows = 2;

const nobodyToAsk = (question: TrustQuestion): Exit =>
  new Exit(exitCodes.waits, {
    code: 'needs-yes',
    what: `confirmation is needed: ${questionSummary(question)}`,
    hint: 'add --yes, or run this once in a terminal to review and accept it',
  });

const ask = async (
  cli: Cli,
  world: World,
  question: TrustQuestion,
  show: ShowTrust | undefined,
): Promise<boolean> => {
  const lines = questionLines(question, Number.POSITIVE_INFINITY);
  if (show !== undefined && lines.length > cli.stdout.rows - promptRows) {
    const { workspace, digest } = question;
    const agreed = await show(world, workspace, { lines, digest });
    if (!agreed) cli.note('Nothing was started.');
    return agreed;
  }
  const answer = await cli.typed.answer(() => {
    for (const line of questionLines(question)) cli.note(line);
    cli.stderr.write('Trust and run this? [y/N] ');
  });
  if (answer !== null && /^\s*y(es)?\s*$/i.test(answer)) return true;
  // ctrl-C and ctrl-D end the question without a line break. They do not count as yes.
  cli.note(`${answer === null ? '\n' : ''}Nothing was started.`);
  return false;
};
