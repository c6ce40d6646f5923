import { type Cli, Exit, exitCodes } from '../cli.ts';
import { runningBeside, type Starting } from '../host/running-beside.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Consent } from '../trust/ask-trust.ts';
import type { World } from '../world.ts';

/** Start, attach to the running session, or leave. */
type BesideOthers =
  | { readonly kind: 'start' | 'leave' }
  | { readonly kind: 'attach'; readonly to: OpenSession };

/**
 * Asks before a second session starts in a workspace: both would change the same files unaware of each other.
 * The question names the running session. Exit 3 when nobody can be asked; `--yes` starts with a note.
 */
export const besideOthers = async (
  cli: Cli,
  world: World,
  starting: Starting,
  { yes, mayAsk }: Consent,
): Promise<BesideOthers> => {
  const running = runningBeside(world, starting);
  if (running === null) return { kind: 'start' };
  const { other, what } = running;
  if (yes) {
    cli.note(`ralph-tui: ${what}`);
    return { kind: 'start' };
  }
  if (!mayAsk)
    throw new Exit(exitCodes.waits, {
      code: 'already-running',
      what,
      hint: `watch it with \`ralph-tui attach ${other.paths.session}\`, or add --yes to start another session alongside it`,
    });
  const answer = await cli.typed.answer(() => {
    cli.note(`${what}.`);
    cli.stderr.write('Attach to it, run this alongside it, or neither? [a/r/N] ');
  });
  const letter = answer?.trim().toLowerCase() ?? '';
  if (letter === 'a' || letter === 'attach') return { kind: 'attach', to: other };
  if (letter === 'r' || letter === 'run') return { kind: 'start' };
  cli.note(`${answer === null ? '\n' : ''}Nothing was started.`);
  return { kind: 'leave' };
};
