import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { checkWorktrees } from '../../src/cli/report/check-worktrees.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { changesWorld, gitEnvironment, personGit, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const template = templateOfFile();

const id = '261122-101500';

/** A session in worktrees: `good` is merged and cleaned, `bad` failed twice, and its end was cut off. */
const killedAtTheEnd = async () => {
  const world = changesWorld(template);
  // As the program places them.
  const state = join(world.top, 'state/ralph-tui');
  mkdirSync(state, { recursive: true });
  const ports = { ...world.ports, root: join(state, 'worktrees') };
  const { createChanges } = await import('../../src/changes/create-changes.ts');
  const changes = createChanges(ports);
  const session = value(
    await changes.open({
      workspace: world.repo,
      session: id,
      isolation: 'worktree',
      copy: [],
      patches: join(world.top, 'patches'),
      secrets: [],
    }),
  );
  for (const [task, attempt] of [
    ['good', 1],
    ['bad', 1],
    ['bad', 2],
  ] as const) {
    const named = { task, attempt };
    const { directory } = value(await session.prepare(named));
    value(await session.snapshot(named, 'before'));
    writeFiles(directory, { [`${task}${attempt}.txt`]: 'x\n' });
    value(await session.snapshot(named, 'after'));
    if (task === 'bad') continue;
    value(await session.commit(named, task));
    await session.merge(named);
    value(await session.clean(named));
  }
  const cli = createTestCli({
    cwd: world.repo,
    env: { ...gitEnvironment(world.top), XDG_STATE_HOME: join(world.top, 'state') },
  });
  const doctor = async (clear = false): Promise<readonly string[]> =>
    (await checkWorktrees(cli, clear)).map(
      ({ ok, found, problem }) => `${ok ? 'ok' : 'wrong'} ${problem ?? found}`,
    );
  const trees = (): readonly string[] => {
    const place = dirname(session.worktree?.directory ?? '');
    return existsSync(place) ? readdirSync(place).filter((name) => name !== 'tmp') : [];
  };
  return { world, doctor, trees };
};

const metadata = (state: string): string =>
  `version: 1\nsession_id: ${id}\nworkspace: /w\niteration: 1\ncreated_at: 2026-11-22T10:15:00Z\nupdated_at: 2026-11-22T10:15:00Z\norchestrator:\n  state: ${state}\nsession:\n  status: completed\n`;

test('what an ended session keeps is counted by doctor, and --clear removes it without the means to undo', async () => {
  const { world, doctor, trees } = await killedAtTheEnd();
  const { directory, metadata: file } = sessionPaths(world.repo, id);
  writeFiles(world.repo, { [file.slice(world.repo.length + 1)]: metadata('EXECUTING_BATCH') });
  expect(await doctor(true)).toEqual([
    'ok 3 worktrees of 1 session; none is left over from a deleted session',
  ]);
  writeFiles(world.repo, { [file.slice(world.repo.length + 1)]: metadata('COMPLETE') });
  expect(await doctor()).toEqual([
    'ok 3 worktrees of 1 session; none is left over from a deleted session; 3 belong to ended sessions: `ralph-tui doctor --clear` removes them',
  ]);
  expect((await doctor(true)).every((line) => line.startsWith('ok removed '))).toBe(true);
  expect(trees()).toEqual([]);
  expect(personGit(world.repo, 'branch', '--list', 'ralph-attempt/*')).toBe('');
  expect(personGit(world.repo, 'show', `refs/ralph/${id}/bad/2/after:bad2.txt`)).toBe('x\n');
  expect(personGit(world.repo, 'show', `ralph/${id}:good1.txt`)).toBe('x\n');
  expect(await doctor()).toEqual(['ok none']);
  rmSync(directory, { recursive: true });
});

test('the refs of a session that is gone are found, and removed but for work that no branch holds', async () => {
  const { world, doctor, trees } = await killedAtTheEnd();
  const said = await doctor(true);
  expect(said.every((line) => line.startsWith('ok removed '))).toBe(true);
  expect(said.at(-1)).toBe(`ok removed refs/ralph/${id}; its unsaved work is kept in refs/ralph/kept/${id}`);
  expect(trees()).toEqual([]);
  const refs = personGit(world.repo, 'for-each-ref', '--format=%(refname)', 'refs/ralph/');
  expect(refs).not.toContain(`refs/ralph/${id}`);
  expect(personGit(world.repo, 'show', `refs/ralph/kept/${id}/bad-2:bad2.txt`)).toBe('x\n');
  expect(personGit(world.repo, 'show', `ralph/${id}:good1.txt`)).toBe('x\n');
  expect(refs).not.toContain('good');
  expect(await doctor()).toEqual(['ok none']);
});

test('refs of a stream belong to its session: nothing of a live flow is left over', async () => {
  const world = changesWorld(template);
  const head = personGit(world.repo, 'rev-parse', 'HEAD').trim();
  personGit(world.repo, 'update-ref', 'refs/ralph/260101-000000+42/base', head);
  const left = async (live: readonly string[]) => value(await world.changes.findOrphans(world.repo, live));
  expect(await left(['260101-000000'])).toEqual([]);
  expect(await left([])).toEqual([expect.objectContaining({ kind: 'refs', session: '260101-000000+42' })]);
});

test('the branch of a session that only reads goes with it, and comes back with the next work', async () => {
  const world = changesWorld(template);
  const git = (...args: readonly string[]): string => personGit(world.repo, ...args).trim();
  const isThere = (): boolean => git('branch', '--list', 'ralph/261122-101500') !== '';
  const session = await world.open({ reads: true });
  expect(isThere()).toBe(true);
  value(await session.close());
  expect(isThere()).toBe(false);
  const again = await world.open({ reads: true });
  const named = { task: 'late', attempt: 1 };
  const { directory } = value(await again.prepare(named));
  value(await again.snapshot(named, 'before'));
  writeFiles(directory, { 'late.txt': 'x\n' });
  value(await again.snapshot(named, 'after'));
  value(await again.commit(named, 'Late'));
  expect(await again.merge(named)).toMatchObject({ kind: 'merged' });
  value(await again.clean(named));
  value(await again.close());
  expect(isThere()).toBe(true);
});

test('an empty branch that a person has checked out stays', async () => {
  const world = changesWorld(template);
  const session = await world.open({ reads: true });
  value(await session.close());
  const again = await world.open({ reads: true });
  personGit(world.repo, 'switch', '-q', '--ignore-other-worktrees', 'ralph/261122-101500');
  value(await again.close());
  expect(personGit(world.repo, 'rev-parse', 'HEAD')).toBe(personGit(world.repo, 'rev-parse', 'main'));
});
