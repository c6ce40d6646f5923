import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesPort } from '../../src/changes/port.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { changesWorld, personGit } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';

const template = templateOfFile();

test.each([
  ['CANCEL', { merges: 1, files: 'other.txt' }],
  ['RETRY', { merges: 2, files: 'made.txt other.txt' }],
] as const)('%s while a merge is verified takes it off the branch', async (type, { merges, files }) => {
  const world = changesWorld(template);
  const go = join(world.top, 'go');
  // Only after the merge, when no branch is checked out, the first look hangs.
  const verify = `git symbolic-ref -q HEAD || until [ -e ${go} ]; do sleep 0.02; done`;
  const session = createRealSession(
    world.repo,
    `goal: Files
tasks:
  - {id: made, title: Made, files: [made.txt], run: ['echo 1 > made.txt'], verify: ['${verify}']}
  - {id: other, title: Other, files: [other.txt], run: ['echo 1 > other.txt']}
`,
    {
      changes: world.changes,
      settings: {
        isolation: 'worktree',
        changes: { at_end: 'keep' },
        planning: { max_cycles: 0 },
        knowledge: { ...defaultSettings.knowledge, gate: 'never' },
      },
    },
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const merged = await session.event('attempt.merged', ({ task }) => task === 'made');
  await session.event('command.started', ({ seq }) => seq > merged.seq);
  session.publish({ type, task: 'made' });
  await session.event('merge.taken-back', ({ task }) => task === 'made');
  writeFileSync(go, '');
  await engine.settled();
  const changed = personGit(world.repo, 'diff', '--name-only', 'main', 'ralph/260215-101500');
  expect(changed.trim().split('\n').join(' ')).toBe(files);
  expect(engine.state().changes.merges).toBe(merges);
  const problems = session.all('problem.found').filter(({ fault }) => fault.code !== 'begun-afresh');
  expect(problems).toEqual([]);
});

test('worktrees that a program left which was killed at the end go when the session is started again', async () => {
  const world = changesWorld(template);
  const { open } = world.changes;
  let isKilled = true;
  const changes: ChangesPort = {
    ...world.changes,
    // It comes no further than to the removal.
    open: async (opening) => {
      const opened = await open(opening);
      if (!opened.ok || !isKilled) return opened;
      return { ok: true, value: { ...opened.value, close: async () => ({ ok: true, value: null }) } };
    },
  };
  const session = createRealSession(
    world.repo,
    `goal: Files
tasks:
  - {id: made, title: Made, files: [made.txt], run: ['echo 1 > made.txt'], verify: ['test -e made.txt']}
`,
    { changes, settings: { isolation: 'worktree', changes: { at_end: 'keep' } } },
  );
  const trees = (): number => personGit(world.repo, 'worktree', 'list').trim().split('\n').length;
  const first = session.begin();
  expect(await first.start()).toBeNull();
  expect(await first.settled()).toMatchObject({ status: 'completed' });
  expect(trees()).toBe(3);
  isKilled = false;
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await again.settled()).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(trees()).toBe(1);
});
