import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchDirectory } from '../../src/engine/mailbox/watch-directory.io.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** Hints, each awaited: `next` resolves at the first hint after it was asked for. */
const watching = (directory: string) => {
  let wake = (): void => {};
  const stop = watchDirectory(directory, () => wake());
  onTestFinished(stop);
  return {
    stop,
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
  };
};

test('a file that appears is hinted at, also after the directory was deleted and made again', async () => {
  const directory = join(tempDir(), 'inputs');
  mkdirSync(directory);
  const { next } = watching(directory);
  await next();
  const first = next();
  writeFileSync(join(directory, 'one.yaml'), 'type: PAUSE\n');
  await first;
  const gone = next();
  rmSync(directory, { recursive: true });
  await gone;
  const ready = next();
  mkdirSync(directory);
  await ready;
  const second = next();
  writeFileSync(join(directory, 'two.yaml'), 'type: RESUME\n');
  await second;
});

test('a directory that is not there yet is watched as soon as it is', async () => {
  const directory = join(tempDir(), 'later');
  const { next } = watching(directory);
  const ready = next();
  mkdirSync(directory);
  await ready;
  expect(directory).toContain('later');
});
