import { safe } from '../../base/safe.ts';
import { type Cli, Exit } from '../cli.ts';
import { runOnTerminal } from '../terminal/run-on-terminal.ts';
import type { Consent } from '../trust/ask-trust.ts';

/**
 * Prepares a start. Where its agent is not installed, a person is asked once whether to install the pinned package, with its size; `--yes` is no answer
 * to that. Throws the refusal when nobody can be asked, or the answer is no.
 */
export const offerInstall = async <T>(
  cli: Cli,
  { mayAsk }: Consent,
  prepare: () => T | Promise<T>,
  run: typeof runOnTerminal = runOnTerminal,
): Promise<T> => {
  try {
    return await prepare();
  } catch (error) {
    if (!(error instanceof Exit) || error.install === null || !mayAsk) throw error;
    const { label, command, megabytes } = error.install;
    const answer = await cli.typed.answer(() => {
      cli.note(`${safe(label)} is not installed. \`${command}\` installs it: about ${megabytes} MB.`);
      cli.stderr.write('Install it now? [y/N] ');
    });
    if (!/^\s*y(es)?\s*$/i.test(answer ?? '')) throw error;
    await run(cli, command);
    return prepare();
  }
};
