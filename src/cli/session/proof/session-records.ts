import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../base/hash.io.ts';
import type { SessionPaths } from '../../../session/paths.ts';
import type { Cli } from '../../cli.ts';
import { stateDirectory } from '../../state-directory.ts';

/** What is kept of one session outside its workspace, by the session's path: what is copied into another session proves nothing there. */
export const recordsOf = (
  env: Cli['env'],
  kind: 'proofs' | 'journals',
  { directory, session }: SessionPaths,
): string => join(stateDirectory(env), kind, `${session}-${sha256(directory).slice(0, 16)}`);

/** Most sessions whose records are kept. Names begin with the session's date, so the oldest sort first. */
const mostSessions = 200;

export const forgetOldest = (env: Cli['env'], kind: 'proofs' | 'journals'): void => {
  try {
    const root = join(stateDirectory(env), kind);
    const names = readdirSync(root).toSorted();
    for (const name of names.slice(0, Math.max(0, names.length - mostSessions)))
      rmSync(join(root, name), { recursive: true, force: true });
  } catch {
    // Old records cost only room. The next session tries again.
  }
};
