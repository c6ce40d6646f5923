import type { Disk } from '../../base/disk.ts';
import { FaultError } from '../../base/fault.ts';
import type { Random } from '../../base/random.ts';
import { discard } from '../../base/temporary-file.ts';
import type { Peer } from '../link/peer.io.ts';
import type { HostCopy, Place } from '../repository/host-copy.ts';
import { appendPiece, readPiece } from '../repository/pieces.ts';
import { mostBundleBytes, pieceBytes } from '../wire/fields.ts';
import { toRunner } from '../wire/to-runner.ts';

export interface MovePorts {
  readonly disk: Disk;
  readonly random: Random;
  readonly copy: HostCopy;
}

/** Sends the commits that the runner lacks; with `fetches` it fetches from the repository's origin first. Returns why it could not fetch, or `null`. */
export const sendCommits = async (
  { disk, random, copy }: MovePorts,
  peer: Peer,
  {
    place,
    name,
    base,
    fetches,
  }: {
    readonly place: Place;
    readonly name: string;
    readonly base: Promise<string>;
    readonly fetches: boolean;
  },
): Promise<string | null> => {
  const { repository } = place;
  const origin = fetches ? await copy.origin(place) : null;
  const [{ commits, problem = null }, commit] = await Promise.all([
    peer.request(toRunner.have, { repository, ...(origin === null ? {} : { origin }) }),
    base,
  ]);
  const file = await copy.bundle(place, name, commit, commits);
  if (file === null) return problem;
  try {
    const size = disk.lstat(file)?.size ?? 0;
    if (size > mostBundleBytes) throw new FaultError(tooLarge(size));
    const upload = random.hex(16);
    for (let offset = 0; offset < size; offset += pieceBytes) {
      const data = Buffer.from(readPiece(disk, file, offset)).toString('base64');
      const last = offset + pieceBytes >= size;
      await peer.request(toRunner.put, { repository, upload, data, last });
    }
  } finally {
    discard(disk, file);
  }
  return problem;
};

/** Ends the agent there, and brings what it changed into the work tree here. */
export const fetchResult = async (
  ports: MovePorts,
  peer: Peer,
  at: {
    readonly place: Place;
    readonly base: string;
    readonly name: string;
    readonly invocation: string;
    readonly result: boolean;
  },
): Promise<void> => {
  const { copy } = ports;
  const { place, base, name, invocation, result } = at;
  const { commit, bytes } = await peer.request(toRunner.end, { invocation, result });
  if (commit === null) return;
  if (bytes > mostBundleBytes) throw new FaultError(tooLarge(bytes));
  await fetchBundle(ports, place, { name, base, commit }, (offset) =>
    peer.request(toRunner.take, { invocation, offset }),
  );
  await copy.apply(place, base, commit);
};

/** Takes a bundle over piece by piece, checks it, and returns when its commit is here. */
export const fetchBundle = async (
  { disk, copy }: MovePorts,
  place: Place,
  { name, base, commit }: { readonly name: string; readonly base: string; readonly commit: string },
  take: (offset: number) => Promise<{ readonly data: string; readonly last: boolean }>,
): Promise<void> => {
  const file = copy.resultFile(place, name);
  try {
    for (let offset = 0, last = false; !last; ) {
      const piece = await take(offset);
      const data = Buffer.from(piece.data, 'base64');
      offset += data.length;
      if (offset > mostBundleBytes) throw new FaultError(tooLarge(offset));
      // A runner that sends nothing for ever.
      if (data.length === 0 && !piece.last) throw new FaultError(otherCommit);
      appendPiece(disk, file, data);
      last = piece.last;
    }
    if ((await copy.receive(place, file, name, base)) !== commit) throw new FaultError(otherCommit);
  } finally {
    discard(disk, file);
  }
};

const tooLarge = (bytes: number) => ({
  code: 'bundle-too-large',
  what: `${Math.round(bytes / 1_048_576)} MB of commits exceed the ${mostBundleBytes / 1_048_576} MB that a link can carry`,
  hint: 'add large intermediate files to .gitignore',
});

const otherCommit = {
  code: 'runner-result',
  what: "the runner's result was refused: it differs from the one the runner announced",
};
