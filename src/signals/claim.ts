import { join } from 'node:path';
import { diskCode } from '../base/disk.ts';
import type { Box } from './box.ts';
import { frozenBytes } from './broadcast.ts';
import { largestSignal } from './envelope.ts';
import { moveAside, readSmall, unlinkIfThere } from './files.ts';
import { hasEnded, isIdentity } from './identity.ts';
import type { Claim } from './mailbox.ts';
import { formatClaimName } from './owner.ts';
import type { Letter } from './signal.ts';

/**
 * Rule 6. `lost`: somebody else was faster. `changed`: what was claimed is not what was peeked; it lies in `inputs/` again. A frozen broadcast is
 * claimed as it was frozen, whatever became of its file.
 */
export const claim = (box: Box, letter: Letter): Claim | 'lost' | 'changed' => {
  const path = claimPath(box, letter);
  const taken = takeFile(box, letter, path);
  if (typeof taken !== 'string') return taken;
  const bytes = box.frozen.has(letter.id) ? frozenBytes(box, letter.id) : null;
  if (bytes === null) return taken;
  return { ...letter, bytes, path };
};

/** Where a claim of ours lies. */
export const claimPath = (box: Box, { id, file }: Letter): string =>
  join(box.paths.claimed, formatClaimName(id, box.owner, file));

const takeFile = (box: Box, letter: Letter, path: string): Claim | 'lost' | 'changed' => {
  try {
    box.disk.rename(join(box.paths.inputs, letter.file), path);
  } catch (error) {
    if (diskCode(error) === 'ENOENT' && box.disk.lstat(box.paths.claimed) !== null) return 'lost';
    throw error;
  }
  box.sightings.delete(letter.file);
  const read = readSmall(box, path, largestSignal);
  if (read === null) return 'lost';
  const { bytes, stat } = read;
  if (bytes === null || isIdentity(box, letter.id, letter.file, bytes, stat.mtimeMs) === null) {
    moveAside(box, path, box.paths.inputs, letter.file);
    return 'changed';
  }
  if (hasEnded(box, letter.file, letter.id)) {
    unlinkIfThere(box, path);
    return 'lost';
  }
  box.inFlight.add(path);
  return { ...letter, bytes, path };
};

/** A recipient died before it acted: the signal is pending again. */
export const putBack = (box: Box, claim: Claim): void => {
  moveAside(box, claim.path, box.paths.inputs, claim.file);
  box.inFlight.delete(claim.path);
};
