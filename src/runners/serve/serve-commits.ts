import { FaultError } from '../../base/fault.ts';
import { discard } from '../../base/temporary-file.ts';
import { appendPiece } from '../repository/pieces.ts';
import { mostBundleBytes } from '../wire/fields.ts';
import { toRunner } from '../wire/to-runner.ts';
import type { Serving } from './serving.ts';

/** Answers which commits the machine has, and takes the missing ones in pieces. */
export const serveCommits = ({ ports, peer }: Serving): void => {
  const { cache, disk } = ports;
  const uploads = new Map<string, { readonly file: string; size: number }>();
  peer.handle(toRunner.have, async ({ repository, origin }) => {
    const problem = origin === undefined ? null : await cache.fetchOrigin(repository, origin);
    const commits = [...(await cache.commits(repository))];
    return { commits, ...(problem === null ? {} : { problem }) };
  });
  peer.handle(toRunner.put, async ({ repository, upload, data, last }) => {
    const known = uploads.get(upload) ?? { file: await cache.uploadFile(repository, upload), size: 0 };
    uploads.set(upload, known);
    const bytes = Buffer.from(data, 'base64');
    known.size += bytes.length;
    try {
      if (known.size > mostBundleBytes) throw new FaultError(tooLarge);
      appendPiece(disk, known.file, bytes);
    } catch (error) {
      uploads.delete(upload);
      discard(disk, known.file);
      throw error;
    }
    if (!last) return {};
    uploads.delete(upload);
    await cache.take(repository, known.file);
    return {};
  });
};

const tooLarge = {
  code: 'bundle-too-large',
  what: `the commits to send are larger than ${mostBundleBytes / 1_048_576} MB`,
};
