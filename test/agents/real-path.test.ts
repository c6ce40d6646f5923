import { expect, test } from 'vitest';
import { realPath } from '../../src/agents/real-path.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const disk = createSimulatedDisk();
disk.mkdir('/work/src');
disk.mkdir('/home/kim/.ssh');
disk.putSymlink('/work/out', '/home/kim');
disk.putSymlink('/work/src/up', '../out/.ssh');
disk.putSymlink('/work/dangling', '/home/kim/new');
disk.putSymlink('/work/a', 'b');
disk.putSymlink('/work/b', 'a');

test.each([
  ['a file', '/work/src/x.ts', '/work/src/x.ts'],
  ['dots and empty names', '/work//./src/../src/x.ts', '/work/src/x.ts'],
  ['a link', '/work/out/a', '/home/kim/a'],
  ['a relative link to a link', '/work/src/up/id', '/home/kim/.ssh/id'],
  ['the parent of a link’s target', '/work/src/up/..', '/home/kim'],
  ['the target of a dangling link', '/work/dangling', '/home/kim/new'],
  ['a new file in a new directory', '/work/out/n/m/../x', '/home/kim/n/x'],
  ['above the root', '/../../etc', '/etc'],
  ['the root', '/', '/'],
])('%s is followed to where it really leads', (_, path, real) => {
  expect(realPath(disk, path)).toBe(real);
});

test.each([
  ['a loop', '/work/a/x'],
  ['a name that no file can have', '/work/a\0b'],
])('%s leads nowhere', (_, path) => {
  expect(realPath(disk, path)).toBeNull();
});
