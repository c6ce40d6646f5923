import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GitCall } from '../../src/changes/git.ts';
import type { Merged } from '../../src/changes/merged.ts';
import type { SessionChanges } from '../../src/changes/port.ts';
import { changesWorld, personGit, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

const named = (task: string) => ({ task, attempt: 1 });

/** A merge of one new file, made for a train. */
const mergeOf = async (
  session: SessionChanges,
  task: string,
  onto: string | null,
): Promise<Extract<Merged, { readonly kind: 'merged' }>> => {
  const { directory } = value(await session.prepare(named(task)));
  value(await session.snapshot(named(task), 'before'));
  writeFiles(directory, { [`${task}.txt`]: `${task}\n` });
  value(await session.snapshot(named(task), 'after'));
  value(await session.commit(named(task), task));
  const merged = await session.merge(named(task), { onto });
  if (merged.kind !== 'merged') throw new Error(merged.kind);
  return merged;
};

test('a landing waits for no file, and the files that follow never move the branch', async () => {
  let begun = (): void => {};
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let go = (): void => {};
  const mayGo = new Promise<void>((resolve) => {
    go = resolve;
  });
  // The files are brought to the first merge when the second one has landed already.
  const slowly = async ({ args }: GitCall): Promise<void> => {
    if (args[0] !== 'read-tree' && args[0] !== 'reset') return;
    begun();
    await mayGo;
  };
  const world = changesWorld(template, (ports) => ({
    ...ports,
    git: {
      ...ports.git,
      run: async (call) => {
        await slowly(call);
        return ports.git.run(call);
      },
    },
  }));
  const session = await world.open();
  const own = session.worktree?.directory ?? '';
  const one = await mergeOf(session, 'one', null);
  const two = await mergeOf(session, 'two', one.commit);
  value(await session.land(named('one'), one));
  const shown = session.showBranch();
  await isBegun;
  value(await session.land(named('two'), two));
  expect(existsSync(join(own, 'one.txt'))).toBe(false);
  go();
  value(await shown);
  expect(personGit(world.repo, 'rev-parse', 'ralph/261122-101500').trim()).toBe(two.commit);
  value(await session.showBranch());
  expect(['one.txt', 'two.txt'].map((name) => existsSync(join(own, name)))).toEqual([true, true]);
  expect(personGit(own, 'status', '--porcelain')).toBe('');
});

test.each([
  ['the person', [], 'kim <kim@host>, kim <kim@host>'],
  ['an author beside the committer', [['author.name', 'robin']], 'robin <kim@host>, kim <kim@host>'],
  ['a name beyond ASCII', [['user.name', 'Jürgen 工藤']], 'Jürgen 工藤 <kim@host>, Jürgen 工藤 <kim@host>'],
] as const)('commits carry the name of %s', async (_, settings, wanted) => {
  const world = changesWorld(template);
  for (const [key, name] of settings) personGit(world.repo, 'config', key, name);
  const session = await world.open();
  const merged = await mergeOf(session, 'one', null);
  for (const commit of [merged.commit, `${merged.commit}^2`])
    expect(personGit(world.repo, 'log', '-1', '--format=%an <%ae>, %cn <%ce>', commit).trim()).toBe(wanted);
  expect(personGit(world.repo, 'log', '-1', '--format=%B', `${merged.commit}^2`).trim()).toBe('one');
});

test('an attempt that began at the merge before it is merged and looked at without asking git where it began', async () => {
  const calls: string[] = [];
  const world = changesWorld(template, (ports) => ({
    ...ports,
    git: {
      ...ports.git,
      run: (call) => {
        calls.push(call.args[0] ?? '');
        return ports.git.run(call);
      },
    },
  }));
  const session = await world.open();
  const one = await mergeOf(session, 'one', null);
  value(await session.land(named('one'), one));
  calls.length = 0;
  const two = await mergeOf(session, 'two', null);
  expect(value(await session.ranges({ of: 'merge', ...named('two') }))).toMatchObject([{ from: one.commit }]);
  expect(calls).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:merge-tree|merge-base|commit-tree)$/)]),
  );
  expect(personGit(world.repo, 'ls-tree', '--name-only', two.commit)).toContain('two.txt');
});

test('a merge that stands counts for the commit that it merged, and for no later one of the attempt', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const { directory } = value(await session.prepare(named('one')));
  value(await session.snapshot(named('one'), 'before'));
  writeFiles(directory, { 'one.txt': 'one\n', 'nested/more.txt': 'more\n' });
  personGit(join(directory, 'nested'), 'init', '-q');
  const mergeCommitted = async (): Promise<Extract<Merged, { readonly kind: 'merged' }>> => {
    value(await session.commit(named('one'), 'One'));
    const merged = await session.merge(named('one'), { onto: null });
    if (merged.kind !== 'merged') throw new Error(merged.kind);
    return merged;
  };
  const first = await mergeCommitted();
  expect(first.files).toEqual(['one.txt']);
  value(await session.land(named('one'), first));
  expect(await mergeCommitted()).toEqual(first);
  // A person makes the repository in it a part of the worktree: the attempt has another commit then.
  rmSync(join(directory, 'nested/.git'), { recursive: true });
  expect(await mergeCommitted()).toMatchObject({ before: first.commit, files: ['nested/more.txt'] });
});
