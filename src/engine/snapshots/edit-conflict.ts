import { relative } from 'node:path';
import { diskCode } from '../../base/disk.ts';
import { sha256 } from '../../base/hash.io.ts';
import { writeNew } from '../../base/replace-file.ts';
import { isComplete } from '../../session/status.ts';
import type { Core } from '../core.ts';

/** A session file's name for people and the journal: relative to the session's directory. */
export const nameIn = ({ options }: Core, path: string): string => relative(options.paths.directory, path);

/**
 * Reports two changes of the same key. Our value is in the file, theirs beside it, and a
 * person decides (src/session/README.md, Writing). `conflicts` holds one sentence per key.
 */
export const reportEditConflict = (
  core: Core,
  path: string,
  theirs: string,
  conflicts: readonly string[],
): void => {
  const { loop, options } = core;
  const kept = `${path}.yours-${sha256(theirs).slice(0, 8)}`;
  try {
    writeNew(options.disk, options.random, kept, theirs);
  } catch (error) {
    if (diskCode(error) !== 'EEXIST') throw error;
  }
  const where = nameIn(core, path);
  const what = `was edited while the session changed the same parts: ${conflicts.join('; ')}`;
  const hint = `your version is kept in ${nameIn(core, kept)}; RESUME continues with the session's version`;
  core.problem({ code: 'edit-conflict', what, where, hint });
  if (!loop.state().hold && !isComplete(loop.state()))
    loop.commit({
      type: 'hold.requested',
      signal: null,
      by: 'Ralph-v2-Orchestrator',
      message: `${where} ${what}; ${hint}`,
    });
};
