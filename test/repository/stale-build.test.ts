import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newerThanBuild } from '../helpers/stale-build-reporter.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('a source is newer than the program only if it was written after it was built', () => {
  const directory = tempDir();
  const [build, old, fresh] = ['built.js', 'old.ts', 'fresh.ts'].map((name) => join(directory, name));
  if (build === undefined || old === undefined || fresh === undefined) throw new Error('three files');
  expect(newerThanBuild(build, [directory])).toBe(null);
  for (const [file, seconds] of [
    [old, 100],
    [build, 200],
    [fresh, 300],
  ] as const) {
    writeFileSync(file, '');
    utimesSync(file, seconds, seconds);
  }
  expect(newerThanBuild(build, [old, join(directory, 'gone.ts')])).toBe(null);
  expect(newerThanBuild(build, [old, fresh])).toBe(fresh);
});
