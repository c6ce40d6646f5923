import type { Disk } from '../../base/disk.ts';
import { pieceBytes } from '../wire/fields.ts';

/** Up to `pieceBytes` of a file, from `offset`. */
export const readPiece = (disk: Disk, file: string, offset: number): Uint8Array => {
  const handle = disk.openRead(file);
  try {
    return disk.read(handle, offset, pieceBytes);
  } finally {
    disk.close(handle);
  }
};

/** The same as an answer on the link. `last`: the file ends with it. */
export const encodedPiece = (disk: Disk, file: string, offset: number) => {
  const bytes = readPiece(disk, file, offset);
  const last = offset + bytes.length >= (disk.lstat(file)?.size ?? 0);
  return { data: Buffer.from(bytes).toString('base64'), last };
};

/** Adds bytes to the end of a file, which it creates. */
export const appendPiece = (disk: Disk, file: string, bytes: Uint8Array): void => {
  const handle = disk.openAppend(file);
  try {
    disk.write(handle, bytes);
  } finally {
    disk.close(handle);
  }
};
