import { expect, test } from 'vitest';
import { DiskError } from '../../src/base/disk.ts';
import { diskReason } from '../../src/base/disk-reason.ts';

test.each([
  ['EACCES', 'open-read', 'this account is not allowed to read it'],
  ['EACCES', 'readdir', 'this account is not allowed to read it'],
  ['EACCES', 'open', 'this account is not allowed to write there'],
  ['EFBIG', 'read', 'it is too large to read'],
  ['EFBIG', 'write', 'the disk is full'],
  ['EINVAL', 'read', 'it is not a regular file'],
  ['EISDIR', 'read', 'it is not a regular file'],
])('%s of %s: %s', (code, operation, clause) => {
  expect(diskReason(new DiskError(code, operation, '/x')).clause).toBe(clause);
});
