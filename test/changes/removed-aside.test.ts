import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkFiles } from '../../src/changes/files/work-files.io.ts';
import { changesWorld, value } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const template = templateOfFile();

const task = { task: 'one', attempt: 1 };

/** What lies beside the worktrees of the repository. */
const asideIn = (root: string): readonly string[] => {
  const [name] = readdirSync(root).filter((each) => each.endsWith('.gone'));
  return name === undefined ? [] : readdirSync(join(root, name));
};

test('nothing waits for the files of removed worktrees, and the next start or `doctor` removes what a crash left of them', async () => {
  const cutOff: string[] = [];
  const world = changesWorld(template, (ports) => ({
    ...ports,
    files: { ...ports.files, removeBeside: (path) => void cutOff.push(path) },
  }));
  const session = await world.open();
  const { directory } = value(await session.prepare(task));
  value(await session.clean(task));
  expect(existsSync(directory)).toBe(false);
  expect(readdirSync(join(world.repo, '.git/worktrees'))).toHaveLength(1);
  value(await session.close());
  expect(existsSync(join(world.repo, '.git/worktrees'))).toBe(false);
  expect(asideIn(world.ports.root)).toHaveLength(2);
  expect(cutOff).toHaveLength(2);
  const kinds = value(await world.changes.findOrphans(world.repo, [])).map(({ kind }) => kind);
  expect(kinds).not.toContain('worktree');
  expect(kinds).not.toContain('directory');
  expect(new Set(cutOff.slice(2))).toEqual(new Set(cutOff.slice(0, 2)));
  await world.open();
  expect(cutOff.slice(4, 6).toSorted()).toEqual(cutOff.slice(0, 2).toSorted());
});

test('a worktree that cannot be moved is removed where it is', async () => {
  const world = changesWorld(template, (ports) => ({
    ...ports,
    files: { ...ports.files, moveAside: () => false },
  }));
  const session = await world.open();
  const { directory } = value(await session.prepare(task));
  value(await session.clean(task));
  expect(existsSync(directory)).toBe(false);
});

test('a process of its own removes a tree whole, also what only its owner may open for writing', async () => {
  const files = createWorkFiles(() => 'x');
  const top = tempDir();
  const tree = join(top, 'gone/tree');
  mkdirSync(join(top, 'tree/closed'), { recursive: true });
  writeFileSync(join(top, 'tree/closed/file'), 'x');
  chmodSync(join(top, 'tree/closed'), 0o500);
  expect(files.moveAside(join(top, 'tree'), tree)).toBe(true);
  expect(readdirSync(join(tree, 'closed'))).toEqual(['file']);
  files.removeBeside(tree);
  await expect.poll(() => existsSync(join(top, 'gone'))).toBe(false);
  expect(readdirSync(top)).toEqual([]);
});
