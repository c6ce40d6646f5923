import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesPorts } from '../../src/changes/context.ts';
import type { SessionChanges } from '../../src/changes/port.ts';
import {
  type ChangesWorld,
  changesWorld,
  personGit,
  value,
  worldAt,
  writeFiles,
} from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

const named = (task: string) => ({ task, attempt: 1 });

/** What a person or an agent does beside the session, at any moment. */
const collect = ({ repo }: ChangesWorld): void => {
  personGit(repo, 'gc', '--quiet', '--prune=now');
};

/** A merge for a train, which no ref names, with garbage collected after each step. */
const mergeBeside = async (
  world: ChangesWorld,
  session: SessionChanges,
  task: string,
  onto: string | null,
): Promise<{ readonly before: string; readonly commit: string }> => {
  const { directory } = value(await session.prepare(named(task)));
  value(await session.snapshot(named(task), 'before'));
  writeFiles(directory, { [`${task}.txt`]: `${task}\n`, 'deep/er/x.txt': `${task}\n`.repeat(9) });
  collect(world);
  value(await session.snapshot(named(task), 'after'));
  collect(world);
  value(await session.commit(named(task), task));
  collect(world);
  const merged = await session.merge(named(task), { onto });
  if (merged.kind !== 'merged') throw new Error(merged.kind);
  collect(world);
  return merged;
};

const placeOf = (session: SessionChanges): string => dirname(session.worktree?.directory ?? '');

const wholeAgain = ({ repo }: ChangesWorld): void => {
  expect(personGit(repo, 'fsck', '--full', '--no-dangling')).toBe('');
  personGit(repo, 'gc', '--quiet', '--prune=now');
};

test('git gc --prune=now at any moment beside a session takes nothing of it away', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const one = await mergeBeside(world, session, 'one', null);
  const shown = value(await session.showMerged(named('one'), one.commit));
  collect(world);
  expect(personGit(shown.directory, 'show', 'HEAD:one.txt')).toBe('one\n');
  value(await session.land(named('one'), one));
  collect(world);
  const place = placeOf(session);
  value(await session.clean(named('one')));
  value(await session.close());
  expect(existsSync(join(place, 'objects'))).toBe(false);
  wholeAgain(world);
  expect(personGit(world.repo, 'show', 'ralph/261122-101500:one.txt')).toBe('one\n');
});

test('a merge that no ref names survives the end of the program and a git gc after it', async () => {
  const world = changesWorld(template);
  const merge = await mergeBeside(world, await world.open(), 'one', null);
  collect(world);
  const session = await worldAt(world.top).open();
  value(await session.showMerged(named('one'), merge.commit));
  value(await session.land(named('one'), merge));
  value(await session.close());
  wholeAgain(world);
});

test('while a git gc runs, what the session leaves behind is not loose', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const { directory } = value(await session.prepare(named('one')));
  writeFiles(directory, { 'one.txt': 'one\n' });
  value(await session.commit(named('one'), 'one'));
  expect(await session.merge(named('one'))).toMatchObject({ kind: 'merged' });
  const blob = personGit(world.repo, 'rev-parse', 'ralph/261122-101500:one.txt').trim();
  const loose = join(world.repo, '.git/objects', blob.slice(0, 2), blob.slice(2));
  expect(existsSync(loose)).toBe(true);
  writeFileSync(join(world.repo, '.git/gc.pid'), `${process.pid} here`);
  value(await session.close());
  rmSync(join(world.repo, '.git/gc.pid'));
  // As a `gc` would that has not seen the ref.
  rmSync(loose);
  expect(personGit(world.repo, 'cat-file', 'blob', blob)).toBe('one\n');
  expect(readdirSync(join(world.repo, '.git/objects/pack')).some((name) => name.endsWith('.pack'))).toBe(
    true,
  );
});

/** A file system on which the time of a directory of objects stands still, with another clock. */
const standing =
  (now: () => number) =>
  (ports: ChangesPorts): ChangesPorts => ({
    ...ports,
    now,
    files: {
      ...ports.files,
      stamp: (path) =>
        /\/objects\/[0-9a-f]{2}$/.test(path) ? (ports.files.kind(path) ?? '') : ports.files.stamp(path),
    },
  });

/** Nine attempts, so that several objects come into each directory. */
const severalMerges = async (session: SessionChanges): Promise<void> => {
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    const attempt = named(`t${number}`);
    const { directory } = value(await session.prepare(attempt));
    const files = Array.from(
      { length: 60 },
      (_, at) => [`${number}/${at}.txt`, `${number} ${at}\n`] as const,
    );
    writeFiles(directory, Object.fromEntries(files));
    value(await session.commit(attempt, `t${number}`));
    expect(await session.merge(attempt)).toMatchObject({ kind: 'merged' });
  }
};

test('an object that comes in the tick of the clock in which its directory was read is passed on with the others', async () => {
  const world = changesWorld(
    template,
    standing(() => 1),
  );
  const session = await world.open();
  await severalMerges(session);
  expect(personGit(world.repo, 'fsck', '--full', '--no-dangling')).toBe('');
  value(await session.close());
});

test('where directories keep their time for longer, nothing is missing at the end', async () => {
  let now = 1;
  const world = changesWorld(
    template,
    standing(() => {
      now += 1_000;
      return now;
    }),
  );
  const session = await world.open();
  await severalMerges(session);
  value(await session.close());
  wholeAgain(world);
});

test('refs that change while git has written nothing cost no look at the 256 directories of the objects', async () => {
  const looked: string[] = [];
  const world = changesWorld(template, (ports) => ({
    ...ports,
    files: {
      ...ports.files,
      stamp: (path) => {
        looked.push(path);
        return ports.files.stamp(path);
      },
    },
  }));
  const session = await world.open();
  const { directory } = value(await session.prepare(named('one')));
  writeFiles(directory, { 'one.txt': 'one\n' });
  value(await session.commit(named('one'), 'one'));
  const merged = await session.merge(named('one'), { onto: null });
  if (merged.kind !== 'merged') throw new Error(merged.kind);
  const isOfObjects = (path: string): boolean => /\/objects\/[0-9a-f]{2}$/.test(path);
  expect(looked.filter(isOfObjects).length).toBeGreaterThan(0);
  looked.length = 0;
  value(await session.land(named('one'), merged));
  value(await session.clean(named('one')));
  expect(looked.filter(isOfObjects)).toEqual([]);
  value(await session.close());
  wholeAgain(world);
});

test('a session that is closed while a snapshot is taken waits for it: its ref names whole work', async () => {
  const recording = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const world = changesWorld(template, (ports) => ({
    ...ports,
    git: {
      ...ports.git,
      run: async (call) => {
        if (call.args.includes('write-tree') && call.indexFile !== undefined) {
          recording.resolve();
          await goesOn.promise;
        }
        return ports.git.run(call);
      },
    },
  }));
  const session = await world.open();
  const { directory } = value(await session.prepare(named('one')));
  value(await session.snapshot(named('one'), 'before'));
  writeFiles(directory, { 'one.txt': 'one\n' });
  const snapshot = session.snapshot(named('one'), 'after');
  await recording.promise;
  const closed = session.close();
  // What closing does before it takes the directory of the objects away.
  await expect.poll(() => existsSync(session.worktree?.directory ?? '')).toBe(false);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  goesOn.resolve();
  const { commit } = value(await snapshot);
  value(await closed);
  expect(personGit(world.repo, 'show', `${commit}:one.txt`)).toBe('one\n');
  wholeAgain(world);
});
