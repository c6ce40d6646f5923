import { formatTimestamp } from '../base/clock.ts';
import { type Cli, Exit, exitCodes } from './cli.ts';
import type { OutputMode } from './hosting.ts';
import type { Prepared } from './prepared.ts';
import {
  questionLines,
  questionSummary,
  rememberAnswer,
  type TrustQuestion,
  trustQuestion,
} from './trust-question.ts';
import type { World } from './world.ts';

/** How a command was called: whether it answers by itself, and whether somebody can be asked. */
export interface Manner {
  readonly yes: boolean;
  readonly mayAsk: boolean;
}

/** A question needs somebody who watches this terminal and who did not say that nobody does (`--headless`, `--json`, `--background`). */
export const mannerOf = (
  cli: Cli,
  mode: OutputMode,
  options: { readonly yes?: boolean; readonly headless?: boolean; readonly background?: boolean },
): Manner => ({
  yes: options.yes === true,
  mayAsk:
    mode !== 'json' &&
    options.headless !== true &&
    options.background !== true &&
    cli.stdin.isTTY === true &&
    cli.stderr.isTTY === true,
});

/**
 * Nothing of the repository's own runs, and none of its settings that widen anything count, before a person or `--yes` agreed to just these bytes; the
 * answer is remembered. `false`: somebody said no. Without anybody to ask it is exit 3, with nothing written.
 */
export const agreeTo = async (
  cli: Cli,
  world: World,
  { workspace, subjects }: Pick<Prepared, 'workspace' | 'subjects'>,
  { yes, mayAsk }: Manner,
): Promise<boolean> => {
  const question = trustQuestion(cli.env, world, workspace, subjects);
  if (question === null) return true;
  if (!yes && !mayAsk) throw nobodyToAsk(question);
  if (!yes && !(await ask(cli, question))) return false;
  const kept = rememberAnswer(cli.env, world, question, formatTimestamp(world.clock));
  if (!kept && !yes) cli.note('ralph-tui: this could not be remembered and will be asked again');
  return true;
};

const nobodyToAsk = (question: TrustQuestion): Exit =>
  new Exit(exitCodes.waits, {
    code: 'needs-yes',
    what: `${questionSummary(question)}, and nobody is there to agree`,
    mend: 'add --yes, or start it once in a terminal, which shows it and asks',
  });

const ask = async (cli: Cli, question: TrustQuestion): Promise<boolean> => {
  const answer = await cli.typed.answer(() => {
    for (const line of questionLines(question)) cli.note(line);
    cli.stderr.write('Trust and run this? [y/N] ');
  });
  if (answer !== null && /^\s*y(es)?\s*$/i.test(answer)) return true;
  // ctrl-C and ctrl-D end the question instead of answering it, and no line with it: that is no yes either.
  cli.note(`${answer === null ? '\n' : ''}Nothing was started.`);
  return false;
};
