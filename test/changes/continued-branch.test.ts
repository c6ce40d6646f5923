import { expect, test } from 'vitest';
import type { SessionChanges } from '../../src/changes/port.ts';
import { changesWorld, personGit, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

const implement = async (session: SessionChanges, task: string, file: string): Promise<void> => {
  const attempt = { task, attempt: 1 };
  const { directory } = value(await session.prepare(attempt));
  writeFiles(directory, { [file]: `${task}\n` });
  value(await session.snapshot(attempt, 'after'));
  value(await session.commit(attempt, task));
  expect(await session.merge(attempt)).toMatchObject({ kind: 'merged', files: [file] });
  value(await session.clean(attempt));
};

const stream = (session: string) => ({ session: `${session}+1`, branch: 'ralph/1' });

test('a later session continues the branch that an earlier one left, and the person sees the work of both', async () => {
  const world = changesWorld(template);
  const first = await world.open(stream('261122-101500'));
  await implement(first, 'implement-1', 'one.txt');
  value(await first.close());
  const second = await world.open(stream('261122-121500'));
  expect(second.worktree?.branch).toBe('ralph/1');
  await implement(second, 'implement-2', 'two.txt');
  const files = value(await second.ranges({ of: 'session' })).map(async (range) =>
    value(await second.changedFiles(range)).map(({ path }) => path),
  );
  expect((await Promise.all(files)).flat().sort()).toEqual(['one.txt', 'two.txt']);
  value(await second.close());
  const again = await world.open(stream('261122-121500'));
  expect(again.worktree?.branch).toBe('ralph/1');
  value(await again.close());
});

test('a branch that somebody else made, moved or has checked out is left alone', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'branch', 'ralph/1');
  const beside = await world.open(stream('261122-101500'));
  expect(beside.worktree?.branch).toBe('ralph/1-261122-101500-1');
  personGit(world.repo, 'branch', '-D', 'ralph/1');
  const first = await world.open(stream('261122-111500'));
  await implement(first, 'implement-1', 'one.txt');
  // Its worktree has the branch checked out while it is open.
  expect((await world.open(stream('261122-121500'))).worktree?.branch).toBe('ralph/1-261122-121500-1');
  value(await first.close());
  personGit(world.repo, 'commit', '-q', '--allow-empty', '-m', 'second');
  personGit(world.repo, 'branch', '-f', 'ralph/1', 'main');
  expect((await world.open(stream('261122-131500'))).worktree?.branch).toBe('ralph/1-261122-131500-1');
});

test('a branch that conflicts with what the person has by now is not continued', async () => {
  const world = changesWorld(template);
  const first = await world.open(stream('261122-101500'));
  await implement(first, 'implement-1', 'one.txt');
  value(await first.close());
  writeFiles(world.repo, { 'one.txt': 'of the person\n' });
  personGit(world.repo, 'add', 'one.txt');
  personGit(world.repo, 'commit', '-qm', 'second');
  const second = await world.open(stream('261122-121500'));
  expect(second.worktree?.branch).toBe('ralph/1-261122-121500-1');
  value(await second.close());
});
