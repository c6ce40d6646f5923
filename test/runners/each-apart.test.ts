import { expect, test } from 'vitest';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import type { SpawnCommand } from '../../src/base/process/spawn.ts';
import { eachApart } from '../../src/runners/serve/each-apart.io.ts';

const command = { command: 'npm test', cwd: '/w', env: {}, marker: 'one' };

/** What would be started, beside why it cannot be kept apart. */
const watched = (why: string | null) => {
  const started: SpawnCommand['command'][] = [];
  let asked = 0;
  const spawn = createSpawn();
  const apart = eachApart(
    {
      ...spawn,
      start: (given, listen) => {
        started.push(given.command);
        return spawn.start({ ...given, command: ['true'], cwd: '/' }, listen);
      },
    },
    () => {
      asked += 1;
      return why;
    },
  );
  return {
    started,
    asked: () => asked,
    exitOf: (given: SpawnCommand) => apart.start(given, { output: () => {} }).exit,
  };
};

test('where commands cannot be kept apart, or nobody can say, none is started', async () => {
  const { started, exitOf } = watched('spawnSync bwrap EAGAIN');
  expect(await exitOf(command)).toMatchObject({
    kind: 'not-started',
    reason: expect.stringContaining('spawnSync bwrap EAGAIN'),
  });
  expect(started).toEqual([]);
});

test('a program of the system keeps them apart, and the machine is asked once', async () => {
  const { started, asked, exitOf } = watched(null);
  await exitOf(command);
  await exitOf({ ...command, command: ['node', 'a.mjs'] });
  expect(asked()).toBe(1);
  expect(started).toEqual([
    expect.arrayContaining(['--unshare-pid', '/bin/sh', '-c', '--', 'npm test']),
    expect.arrayContaining(['--unshare-pid', 'node', 'a.mjs']),
  ]);
  expect(started.every(([program = '']) => program.startsWith('/'))).toBe(true);
});
