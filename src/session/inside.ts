import { join, relative, sep } from 'node:path';
import type { Checked } from '../base/fault.ts';
import { pathProblem } from '../tasks/relative-path.ts';
import { sessionIdPattern } from './paths.ts';

/**
 * An absolute path for a relative one from outside, or why it may not be used: no separators at its start, no way up, no control characters,
 * and what it resolves to stays inside `root` (session-format.md). Symbolic links are refused by `Disk` when the file is opened.
 */
export const checkInside = (root: string, path: string): Checked<string> => {
  const problem = pathProblem(path);
  const resolved = join(root, path);
  const way = relative(root, resolved);
  if (problem === null && way !== '' && way !== '..' && !way.startsWith(`..${sep}`))
    return { ok: true, value: resolved };
  const what = `"${path.slice(0, 80)}" ${problem ?? 'must name something inside'}`;
  return {
    ok: false,
    faults: [{ code: 'path-outside', what, where: root, mend: 'give a path relative to it' }],
  };
};

/** A session id that may become a path. */
export const checkSessionId = (id: string): Checked<string> => {
  if (sessionIdPattern.test(id)) return { ok: true, value: id };
  const what = `"${id.slice(0, 80)}" is not a session id`;
  return {
    ok: false,
    faults: [{ code: 'session-id', what, mend: 'it looks like 260215-101500; see: ralph-tui sessions' }],
  };
};
