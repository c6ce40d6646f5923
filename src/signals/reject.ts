import { join } from 'node:path';
import type { Redact } from '../base/redact.ts';
import type { Box } from './box.ts';
import { moveAside, nameAside, place, placeAgain, readSmall } from './files.ts';
import type { Claim } from './mailbox.ts';
import { escapeName } from './names.ts';
import { isUnchanged } from './sighting.ts';

/** Moves an unusable file to `rejected/`, with the reason beside it; not when it changed since it was peeked, for it may be whole now. */
export const reject = (box: Box, file: string, reason: string): void => {
  const path = join(box.paths.inputs, file);
  const sighting = box.sightings.get(file);
  const stat = box.disk.lstat(path);
  if (stat === null || (sighting && !isUnchanged(sighting, stat))) return;
  moveToRejected(box, path, file, reason);
  box.sightings.delete(file);
};

/** For a signal that was claimed and cannot be acted on (rule 11, an unknown file in `promote`). */
export const rejectClaim = (box: Box, claim: Claim, reason: string): void => {
  moveToRejected(box, claim.path, claim.file, reason);
  box.inFlight.delete(claim.path);
};

const moveToRejected = (box: Box, from: string, file: string, reason: string): void => {
  const { redact } = box.options;
  const sentence = `${escapeName(file)}: ${reason}\n`;
  const bytes = new TextEncoder().encode(redact?.(sentence) ?? sentence);
  const explain = (as: string): boolean => place(box, join(box.paths.rejected, `${as}${errorSuffix}`), bytes);
  // The sentence first: a crash between the two must not leave a refused file without a reason.
  const meant = nameAside(box, from, box.paths.rejected, escapeName(file));
  explain(meant);
  const name = moveAside(box, from, box.paths.rejected, meant);
  if (name === null) return;
  if (name !== meant) explain(name);
  if (redact) redactRejected(box, join(box.paths.rejected, name), redact);
};

/** What is larger is no message that somebody wrote, and is left as it came. */
const largestRedacted = 1024 * 1024;

const redactRejected = (box: Box, path: string, redact: Redact): void => {
  const bytes = readSmall(box, path, largestRedacted)?.bytes;
  if (!bytes) return;
  const text = new TextDecoder().decode(bytes);
  const clean = redact(text);
  if (clean !== text) placeAgain(box, path, new TextEncoder().encode(clean));
};

/** What stands behind a rejected file's name for the sentence that says why. */
export const errorSuffix = '.error.txt';
