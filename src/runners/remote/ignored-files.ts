import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { FaultError, toFault } from '../../base/fault.ts';
import { pathProblem } from '../../tasks/relative-path.ts';
import type { Peer } from '../link/peer.io.ts';
import { readPiece } from '../repository/pieces.ts';
import { pieceBytes } from '../wire/fields.ts';
import { toRunner } from '../wire/to-runner.ts';

/** The most bytes of all files that go along. */
const mostBytes = 52_428_800;

/**
 * Sends the files that `runners.NAME.copy` names from a workspace into the work tree of an invocation: ignored files, such as `.env`, which no commit carries.
 * A link is not followed. Returns one sentence for each that was left out.
 */
export const sendIgnored = async (
  disk: Disk,
  peer: Peer,
  { invocation, workspace }: { readonly invocation: string; readonly workspace: string },
  entries: readonly string[],
): Promise<readonly string[]> => {
  const problems: string[] = [];
  let bytes = 0;
  const send = async (path: string): Promise<void> => {
    const stat = disk.lstat(join(workspace, path));
    if (stat?.kind === 'directory') {
      for (const name of disk.readdir(join(workspace, path))) await send(`${path}/${name}`);
      return;
    }
    bytes += stat?.size ?? 0;
    const wrong = isBelowLink(disk, workspace, path) ? belowLink : whyNot(stat?.kind, path, bytes);
    if (wrong !== null) problems.push(`${path} was not copied: ${wrong}.`);
    else await sendFile(path, stat?.size ?? 0);
  };
  const sendFile = async (path: string, size: number): Promise<void> => {
    for (let offset = 0; offset === 0 || offset < size; offset += pieceBytes) {
      const data = Buffer.from(readPiece(disk, join(workspace, path), offset)).toString('base64');
      await peer.request(toRunner.file, { invocation, path, data, first: offset === 0 });
    }
  };
  for (const entry of entries) {
    const path = entry.replace(/\/+$/u, '');
    await send(path).catch((error: unknown) => {
      const fault = toFault(error);
      if (fault.code !== 'runner-file') throw new FaultError(fault);
      problems.push(`${path} was not copied: ${fault.what}.`);
    });
  }
  return problems;
};

const belowLink = 'a directory above it is a link';

const isBelowLink = (disk: Disk, workspace: string, path: string): boolean =>
  path
    .split('/')
    .slice(0, -1)
    .some((_, at, parents) => disk.lstat(join(workspace, ...parents.slice(0, at + 1)))?.kind === 'symlink');

const whyNot = (kind: string | undefined, path: string, bytes: number): string | null => {
  const wrong = pathProblem(path);
  if (wrong !== null) return `the path ${wrong}`;
  if (path.split('/').some((part) => part.toLowerCase() === '.git')) return 'it is part of the git directory';
  if (kind === undefined) return 'it does not exist';
  if (kind !== 'file') return 'it is neither a file nor a directory';
  return bytes > mostBytes ? `together, the files exceed ${mostBytes / 1_048_576} MB` : null;
};
