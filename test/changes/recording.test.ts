import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GitCall } from '../../src/changes/git.ts';
import {
  type ChangesWorld,
  changesWorld,
  faultOf,
  personGit,
  value,
  writeFiles,
} from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

/** A world whose git calls are noted; `after` runs when one has ended. */
const watched = (after: (call: GitCall) => void = () => {}) => {
  const commands: string[] = [];
  const world = changesWorld(template, (ports) => {
    const run: typeof ports.git.run = async (call) => {
      commands.push(call.args[0] ?? '');
      const answer = await ports.git.run(call);
      after(call);
      return answer;
    };
    return { ...ports, git: { ...ports.git, run } };
  });
  return { world, commands };
};

const shared = (world: ChangesWorld) => world.open({ isolation: 'shared' });

const text = ({ repo }: ChangesWorld, commit: string, path: string): string =>
  personGit(repo, 'show', `${commit}:${path}`);

test('an unchanged workspace costs one process a snapshot, and one commit serves all of them', async () => {
  const { world, commands } = watched();
  const session = await shared(world);
  const first = value(await session.snapshot({ task: 'a', attempt: 1 }, 'before'));
  commands.length = 0;
  const again = value(await session.snapshot({ task: 'a', attempt: 1 }, 'after'));
  const next = value(await session.snapshot({ task: 'b', attempt: 1 }, 'before'));
  expect(commands).toEqual(['ls-files', 'ls-files']);
  expect([again.commit, next.commit]).toEqual([first.commit, first.commit]);
  const range = { from: first.commit, to: again.commit };
  expect(value(await session.changedFiles(range))).toEqual([]);
  expect(commands).toHaveLength(2);
});

test('a changed workspace costs three processes a snapshot, and its commit is as git writes them', async () => {
  const { world, commands } = watched();
  const session = await shared(world);
  const before = value(await session.snapshot({ task: 'a', attempt: 1 }, 'before')).commit;
  writeFiles(world.repo, { 'new.txt': 'new\n' });
  commands.length = 0;
  const { commit } = value(await session.snapshot({ task: 'ä', attempt: 1 }, 'after'));
  expect(commands).toEqual(['ls-files', 'update-index', 'write-tree']);
  const form = '--format=%P %an %ae %cn %ce %B';
  const parent = personGit(world.repo, 'rev-parse', 'HEAD').trim();
  const who = 'ralph-tui ralph-tui@localhost';
  expect(personGit(world.repo, 'show', '-s', form, commit)).toBe(
    `${parent} ${who} ${who} ä (attempt 1): after\n\n`,
  );
  expect(text(world, commit, 'new.txt')).toBe('new\n');
  expect(before).not.toBe(commit);
  personGit(world.repo, 'fsck', '--strict');
});

test('snapshots that wait share a recording, which begins after the last of them was asked for', async () => {
  const { world, commands } = watched();
  const session = await shared(world);
  const take = (task: string) => session.snapshot({ task, attempt: 1 }, 'after');
  value(await take('zero'));
  commands.length = 0;
  const one = take('one');
  // It is under way now.
  await new Promise((resolve) => setImmediate(resolve));
  const others = [take('two'), take('three')];
  writeFiles(world.repo, { 'late.txt': 'late\n' });
  const taken = (await Promise.all([one, ...others])).map(value);
  expect(taken[1]?.commit).toBe(taken[2]?.commit);
  expect(text(world, taken[2]?.commit ?? '', 'late.txt')).toBe('late\n');
  expect(commands.filter((command) => command === 'ls-files')).toHaveLength(2);
});

test('a file that changes twice while git writes the index is seen the next time', async () => {
  // Both changes fall into this moment, give the file the same length, and git needs until a later one to write the index.
  const moment = Date.now() / 1_000 + 60;
  const write = (content: string): void => {
    writeFiles(world.repo, { 'a.txt': content });
    utimesSync(join(world.repo, 'a.txt'), moment, moment);
  };
  const { world } = watched((call) => {
    const [command = ''] = call.args;
    if (command === 'update-index') write('second\n');
    if (['update-index', 'write-tree'].includes(command))
      utimesSync(call.indexFile ?? '', moment + 1, moment + 1);
  });
  // A test cannot set this time of a file. Where clocks have steps it is the same as well.
  personGit(world.repo, 'config', 'core.trustctime', 'false');
  const session = await shared(world);
  write('first.\n');
  await session.snapshot({ task: 't', attempt: 1 }, 'before');
  const { commit } = value(await session.snapshot({ task: 't', attempt: 1 }, 'after'));
  expect(text(world, commit, 'a.txt')).toBe('second\n');
});

test('files, directories and links that take the place of one another are recorded as git add does', async () => {
  const { world } = watched();
  writeFiles(world.repo, { 'd/x': 'x\n', 'd/y': 'y\n', file: 'f\n', 'sub/s': 's\n', gone: 'g\n' });
  personGit(world.repo, 'add', '.');
  personGit(world.repo, 'commit', '-qm', 'more');
  const session = await shared(world);
  await session.snapshot({ task: 't', attempt: 1 }, 'before');
  renameSync(join(world.repo, 'd'), join(world.repo, 'e'));
  symlinkSync('e', join(world.repo, 'd'));
  rmSync(join(world.repo, 'file'));
  mkdirSync(join(world.repo, 'file'));
  rmSync(join(world.repo, 'sub'), { recursive: true });
  writeFiles(world.repo, { 'file/in': 'in\n', sub: 'plain\n', gone: null, 'odd [name]?*\n': 'odd\n' });
  const { commit } = value(await session.snapshot({ task: 't', attempt: 1 }, 'after'));
  personGit(world.repo, 'add', '--all', '.');
  expect(personGit(world.repo, 'rev-parse', `${commit}^{tree}`)).toBe(personGit(world.repo, 'write-tree'));
});

test('what a person stages or removes from the index between two snapshots counts', async () => {
  const { world } = watched();
  const session = await shared(world);
  await session.snapshot({ task: 't', attempt: 1 }, 'before');
  writeFiles(world.repo, { 'x.log': 'ignored, but added\n' });
  personGit(world.repo, 'add', '--force', 'x.log');
  const { commit } = value(await session.snapshot({ task: 't', attempt: 1 }, 'after'));
  expect(text(world, commit, 'x.log')).toBe('ignored, but added\n');
});

test('too many new files are refused in any snapshot, and recorded again when they are ignored', async () => {
  const { world } = watched();
  const session = await shared(world);
  const take = () => session.snapshot({ task: 't', attempt: 1 }, 'after');
  value(await take());
  const many = Array.from({ length: 20_001 }, (_, at) => [`data/${at}`, ''] as const);
  writeFiles(world.repo, Object.fromEntries(many));
  expect(faultOf(await take())).toBe('20001 new files that git does not ignore are too many to record');
  writeFiles(world.repo, { '.gitignore': 'data\n' });
  expect(text(world, value(await take()).commit, '.gitignore')).toBe('data\n');
});

test('removing a worktree waits for the merges before it, and holds up none', async () => {
  const removing = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const done: string[] = [];
  const session = await changesWorld(template).open();
  const tearDown = async (): Promise<void> => {
    begun.resolve();
    await removing.promise;
  };
  for (const task of ['one', 'two']) {
    const { directory } = value(await session.prepare({ task, attempt: 1 }));
    writeFiles(directory, { [`${task}.txt`]: `${task}\n` });
    value(await session.commit({ task, attempt: 1 }, task));
  }
  const note = async (what: string, work: Promise<unknown>): Promise<void> => {
    await work;
    done.push(what);
  };
  const merged = note('merged one', session.merge({ task: 'one', attempt: 1 }));
  const cleaned = note('removed one', session.clean({ task: 'one', attempt: 1 }, tearDown));
  await Promise.all([merged, begun.promise]);
  await note('merged two', session.merge({ task: 'two', attempt: 1 }));
  const again = note('made one again', session.prepare({ task: 'one', attempt: 1 }));
  removing.resolve();
  await Promise.all([cleaned, again]);
  expect(done).toEqual(['merged one', 'merged two', 'removed one', 'made one again']);
});
