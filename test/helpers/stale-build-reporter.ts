import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter } from 'vitest/node';
import { filesBelow, root } from './source-tree.ts';

/** The first of these files that is newer than the built program, or `null`. A program that is missing says so itself. */
export const newerThanBuild = (build: string, files: readonly string[]): string | null => {
  if (!existsSync(build)) return null;
  const { mtimeMs } = statSync(build);
  return files.find((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > mtimeMs) ?? null;
};

/** After a failure: says if the tests of the built program ran an older one. They would fail, or pass, whatever the source says now. */
export const staleBuild = (write: (text: string) => void): Reporter => {
  const sources = filesBelow(['src', 'components', 'hooks'], /\.tsx?$/);
  const newer = newerThanBuild(
    join(root, 'dist/ralph-tui.js'),
    sources.map((path) => join(root, path)),
  );
  return {
    onTestRunEnd: (_modules, _errors, reason) => {
      if (reason === 'failed' && newer !== null)
        write(
          `\n dist/ is older than ${newer.slice(root.length + 1)}: what tests the built program (test/e2e, help topics, …) needs \`npm run -s build\` first\n`,
        );
    },
  };
};
