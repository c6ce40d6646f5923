import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultSentence } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import type { ChangesPort, Scratch } from '../../changes/port.ts';
import { type Cli, failure } from '../cli.ts';

/** The directories of one trial. */
export interface TrialPlace {
  /** The agent works here. */
  readonly workspace: string;
  /** An empty one for the files of this program. */
  readonly sessionDirectory: string;
}

/**
 * Runs a trial in a worktree of the repository, where sessions would run the agent, and removes the worktree however the trial ends. Some agents behave
 * differently there: folder trust of Gemini CLI dropped our tools in each new worktree. `repository`: the workspace; `null`: an empty directory.
 */
export const inTrialPlace = async <T>(
  cli: Pick<Cli, 'note'>,
  changes: Pick<ChangesPort, 'scratch'>,
  repository: string | null,
  run: (place: TrialPlace) => Promise<T>,
): Promise<T> => {
  const own = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-tui-verify-')));
  try {
    const sessionDirectory = join(own, 'session');
    mkdirSync(sessionDirectory);
    if (repository === null) {
      const workspace = join(own, 'empty');
      mkdirSync(workspace);
      return await run({ workspace, sessionDirectory });
    }
    const scratch = await changes.scratch(repository);
    if (!scratch.ok) throw failure(scratch.fault);
    try {
      return await run({ workspace: scratch.value.directory, sessionDirectory });
    } finally {
      await remove(cli, scratch.value);
    }
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
};

/** A worktree that stays does not hide the result. */
const remove = async (cli: Pick<Cli, 'note'>, scratch: Scratch): Promise<void> => {
  const removed = await scratch.remove();
  if (!removed.ok)
    cli.note(
      safe(
        `The worktree of the trial, ${scratch.directory}, could not be removed: ${faultSentence(removed.fault)} \`ralph-tui doctor --clear\` tries again.`,
      ),
    );
};
