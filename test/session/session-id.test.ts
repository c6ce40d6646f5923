import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import type { Disk } from '../../src/base/disk.ts';
import { reserveSessionId } from '../../src/session/session-id.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { tempDir } from '../helpers/temp-dir.ts';

it('a second session in the same second takes the next free one', () => {
  const workspace = tempDir();
  const clock = createManualClock();
  const first = reserveSessionId(createDisk(), clock, workspace, tempDir());
  const second = reserveSessionId(createDisk(), clock, workspace, tempDir());
  writeFileSync(join(workspace, '.ralph-sessions', `${second}.instructions.md`), '');
  const third = reserveSessionId(createDisk(), clock, workspace, tempDir());
  expect([first, second, third].map((it) => /^\d{6}-\d{6}$/.test(it))).toEqual([true, true, true]);
  expect(new Set([first, second, third]).size).toBe(3);
  expect(first < second && second < third).toBe(true);
});

it('two programs that see the same free second do not share a session', () => {
  const workspace = tempDir();
  const clock = createManualClock();
  const disk = createDisk();
  let other: string | null = null;
  // The other program takes the second between our look and our mkdir.
  const slow: Disk = {
    ...disk,
    lstat: (path) => {
      const seen = disk.lstat(path);
      other ??= reserveSessionId(disk, clock, workspace, tempDir());
      return seen;
    },
  };
  expect(reserveSessionId(slow, clock, workspace, tempDir())).not.toBe(other);
});

it('sessions in two folders of one repository, begun in one second, do not share a name for their branches', () => {
  const clock = createManualClock();
  const everywhere = join(tempDir(), 'ids');
  const reserve = () => reserveSessionId(createDisk(), clock, tempDir(), everywhere);
  const ids = [reserve(), reserve(), reserve()];
  expect(new Set(ids).size).toBe(3);
  clock.advance(3 * 24 * 60 * 60_000);
  const later = reserve();
  expect(createDisk().readdir(everywhere)).toEqual([later]);
  // Without a place to write, a session still begins.
  writeFileSync(join(everywhere, 'file'), '');
  expect(reserveSessionId(createDisk(), clock, tempDir(), join(everywhere, 'file'))).toBe(later);
});
