import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What marks the workspace of a tracker, the surest sign first. */
const signs = ['.ralph-sessions', '.ralph', '.git'] as const;

/**
 * The nearest folder at or above `from` with sessions, with a configuration or with a repository; `from` itself without any. A subfolder of a
 * repository must not get a second list of issues.
 */
export const issueWorkspace = (from: string): string => {
  const folders = ancestors(from);
  for (const sign of signs) {
    const found = folders.find((folder) => existsSync(join(folder, sign)));
    if (found !== undefined) return found;
  }
  return from;
};

const ancestors = (from: string): readonly string[] =>
  dirname(from) === from ? [from] : [from, ...ancestors(dirname(from))];
