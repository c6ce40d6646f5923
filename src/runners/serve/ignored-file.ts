import { dirname, join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { FaultError } from '../../base/fault.ts';
import { appendPiece } from '../repository/pieces.ts';

/** A piece of a file that no commit carries. */
interface FilePiece {
  /** Relative to the workspace. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly first: boolean;
}

/**
 * Writes a piece of such a file into a work tree, and keeps it out of the result by the tree's own list of ignored files. Throws a `FaultError` where the
 * tree holds something of that name, or where a directory above it is a link.
 */
export const takeFile = (
  disk: Disk,
  { root, prefix }: { readonly root: string; readonly prefix: string },
  { path, bytes, first }: FilePiece,
): void => {
  const whole = `${prefix}${path}`;
  const file = join(root, whole);
  if (first) {
    const parents = whole.split('/').slice(0, -1);
    const isLinked = parents.some(
      (_, at) => disk.lstat(join(root, ...parents.slice(0, at + 1)))?.kind === 'symlink',
    );
    if (isLinked) throw refused('a directory above it is a link');
    if (disk.lstat(file) !== null) throw refused('the repository already has it');
    disk.mkdir(dirname(file));
    disk.mkdir(join(root, '.git/info'));
    const pattern = `\n/${whole.replace(/[\\*?[\] ]/gu, '\\$&')}\n`;
    appendPiece(disk, join(root, '.git/info/exclude'), new TextEncoder().encode(pattern));
  }
  appendPiece(disk, file, bytes);
};

const refused = (what: string): FaultError => new FaultError({ code: 'runner-file', what });
