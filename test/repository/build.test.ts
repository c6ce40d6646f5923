import { execFileSync } from 'node:child_process';
import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../helpers/temp-dir.ts';

test('the build prints nothing, gives a command, and leaves what a running session may still import', () => {
  const dist = tempDir();
  const recent = join(dist, 'screen-recent.js');
  const old = join(dist, 'screen-old.js');
  for (const file of [recent, old]) writeFileSync(file, '');
  const yesterday = Date.now() / 1_000 - 86_400;
  utimesSync(old, yesterday, yesterday);
  const printed = execFileSync('rolldown', ['-c', '.rolldown.config.ts', '--dir', dist], {
    encoding: 'utf8',
  });
  // `npm run -s ralph-tui -- status --json` builds first: a word of the bundler would not be JSON.
  expect(printed).toBe('');
  expect(statSync(join(dist, 'ralph-tui.js')).mode & 0o111).toBe(0o111);
  expect([existsSync(recent), existsSync(old)]).toEqual([true, false]);
});
