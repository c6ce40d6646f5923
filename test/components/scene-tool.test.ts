import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const scene = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'test/scene/run.ts'), ...args], { encoding: 'utf8' });

test('`npm run scene` prints the frame of a scene where there is no terminal', () => {
  const { stdout, status } = scene('plan-gate');
  expect([status, stdout]).toEqual([
    0,
    readFileSync(join(root, 'test/golden/plan-gate.80x24.frame.txt'), 'utf8'),
  ]);
});

test('`npm run scene` lists the scenes, and names the one that was probably meant', () => {
  expect(scene().stdout.split('\n')).toContain('plan-gate');
  const { stderr, status } = scene('plan-gat');
  expect([status, stderr]).toEqual([
    2,
    'there is no scene "plan-gat"; did you mean plan-gate? `npm run scene` lists them\n',
  ]);
});
