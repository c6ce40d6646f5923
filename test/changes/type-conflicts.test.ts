import { lstatSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionChanges } from '../../src/changes/port.ts';
import { changesWorld, personGit, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { isLongForm } from '../helpers/test-form.ts';

const template = templateOfFile({ 'd/x.txt': 'x\n', 'd/y.txt': 'y\n', 'f.txt': 'f\n', 'same.txt': 's\n' });

const first = (task: string) => ({ task, attempt: 1 });

const doTask = async (
  session: SessionChanges,
  task: string,
  work: (directory: string) => void,
): Promise<void> => {
  const { directory } = value(await session.prepare(first(task)));
  value(await session.snapshot(first(task), 'before'));
  work(directory);
  value(await session.snapshot(first(task), 'after'));
  value(await session.commit(first(task), task));
};

const asFile = (directory: string): void => {
  rmSync(join(directory, 'd'), { recursive: true });
  writeFiles(directory, { d: 'now a file\n' });
};

const asDirectory = (directory: string): void => {
  rmSync(join(directory, 'f.txt'));
  writeFiles(directory, { 'f.txt/a': 'a\n', 'f.txt/b': 'b\n' });
};

const asLink = (directory: string): void => {
  rmSync(join(directory, 'f.txt'));
  symlinkSync('same.txt', join(directory, 'f.txt'));
};

const edited = (directory: string): void =>
  writeFiles(directory, { 'd/x.txt': 'changed\n', 'f.txt': 'changed\n', 'own.txt': 'own\n' });

/** The paths and kinds of entries in a commit. */
const treeOf = (repo: string, commit: string): readonly string[] =>
  personGit(repo, 'ls-tree', '-r', '--format=%(objectmode) %(path)', commit).trim().split('\n');

const untouched = ['100644 d/x.txt', '100644 d/y.txt', '100644 f.txt', '100644 same.txt'];
const without = (path: string): readonly string[] => untouched.filter((each) => !each.includes(` ${path}`));

const kinds = [
  ['a file in place of a directory', asFile, [...without('d'), '100644 d']],
  ['a directory in place of a file', asDirectory, [...without('f.txt'), '100644 f.txt/a', '100644 f.txt/b']],
  ['a link in place of a file', asLink, [...without('f.txt'), '120000 f.txt']],
] as const;

for (const [name, change, changed] of kinds)
  for (const isTask of [true, false])
    test.runIf(isTask || isLongForm).each(['session', 'task'] as const)(
      `${name}, made by the ${isTask ? 'task' : 'session'}: the side of the %s is taken whole, and no copy of git's is left`,
      async (side) => {
        const world = changesWorld(template);
        const session = await world.open();
        const [left, right] = isTask ? [edited, change] : [change, edited];
        await doTask(session, 'left', left);
        await doTask(session, 'right', right);
        expect(await session.merge(first('left'))).toMatchObject({ kind: 'merged' });
        const conflict = await session.merge(first('right'));
        if (conflict.kind !== 'conflict') throw new Error(conflict.kind);
        for (const { path } of conflict.conflict.files) expect(path).not.toContain('~');
        expect(conflict.conflict.against).toEqual(['left']);
        const merged = await session.resolve(first('right'), { take: side });
        if (merged.kind !== 'merged') throw new Error(merged.kind);
        const wins = (side === 'task') === isTask ? changed : untouched;
        expect([...treeOf(world.repo, merged.commit)].sort()).toEqual([...wins, '100644 own.txt'].sort());
      },
    );

test('an edited type conflict is refused while the copy that git made of one side is still there', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  await doTask(session, 'left', edited);
  await doTask(session, 'right', asFile);
  await session.merge(first('left'));
  await session.merge(first('right'));
  const { directory } = value(await session.openConflict(first('right')));
  const copy = 'd~HEAD';
  expect(lstatSync(join(directory, copy)).isFile()).toBe(true);
  expect(await session.resolve(first('right'), { take: 'edited' })).toMatchObject({
    kind: 'refused',
    unresolved: true,
    reason: expect.stringContaining(copy),
  });
  rmSync(join(directory, copy));
  expect(await session.resolve(first('right'), { take: 'edited' })).toMatchObject({ kind: 'merged' });
});

test('a heading that seven signs underline is no marker of a conflict, a separator that nobody wrote is', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const page = (text: string): string => `Heading\n=======\n\n${text}\n`;
  await doTask(session, 'left', (directory) =>
    writeFiles(directory, { 'r.md': page('left'), 'other.md': page('o') }),
  );
  await doTask(session, 'right', (directory) => writeFiles(directory, { 'r.md': page('right') }));
  await session.merge(first('left'));
  expect(await session.merge(first('right'))).toMatchObject({ kind: 'conflict' });
  const { directory } = value(await session.openConflict(first('right')));
  writeFiles(directory, { 'r.md': 'left\n>>>>>>> refs/heads/ralph/261122-101500\n' });
  expect(await session.resolve(first('right'), { take: 'edited' })).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('there are still conflict markers in r.md:2'),
  });
  writeFiles(directory, { 'r.md': page('both') });
  expect(await session.resolve(first('right'), { take: 'edited' })).toMatchObject({ kind: 'merged' });
});
