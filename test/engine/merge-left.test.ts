import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
