import { expect, test } from 'vitest';
import { DiskError } from '../../src/base/disk.ts';
import { diskReason } from '../../src/base/disk-reason.ts';

test.each([
  ['EACCES', 'open-read', 'this account may not read it'],
  ['EACCES', 'readdir', 'this account may not read it'],
  ['EACCES', 'open', 'this account may not write there'],
  ['EFBIG', 'read', 'it is too large to read'],
  ['EFBIG', 'write', 'the disk is full'],
])('%s of %s: %s', (code, operation, clause) => {
  expect(diskReason(new DiskError(code, operation, '/x')).clause).toBe(clause);
});
