import { z } from 'zod';
import { sha256 } from '../../base/hash.io.ts';
import { readBytes, replaceFile } from '../../base/replace-file.ts';
import { appendLine, readLines } from './append-lines.ts';
import type { TrackerPorts } from './tracker.ts';

const recordSchema = z.object({ path: z.string(), hash: z.string() });

type Ports = Pick<TrackerPorts, 'disk' | 'random'>;

/** Bytes of one file of a tracker, and of the record, which then keeps its last lines only. */
const largest = 16 * 1_048_576;
const mostRecorded = 262_144;
const mostKept = 500;

/**
 * Notes that this program left a file of a tracker as it is now. `record` is in the state directory, outside of every workspace: an agent can write the
 * tracker's files, but not this one.
 */
export const noteWritten = ({ disk, random }: Ports, record: string, path: string): void => {
  const bytes = readBytes(disk, path, largest);
  if (bytes === null) return;
  appendLine({ disk }, record, { path, hash: sha256(bytes) });
  if ((disk.lstat(record)?.size ?? 0) <= mostRecorded) return;
  const { records } = readLines({ disk }, record, recordSchema);
  const lines = records.slice(-mostKept).map((each) => `${JSON.stringify(each)}\n`);
  replaceFile(disk, random, record, lines.join(''));
};

/** Whether this program wrote these bytes there, in whichever process. */
export const isWritten = (
  { disk }: Pick<Ports, 'disk'>,
  record: string,
  path: string,
  bytes: Uint8Array,
): boolean => {
  const hash = sha256(bytes);
  return readLines({ disk }, record, recordSchema).records.some(
    (each) => each.path === path && each.hash === hash,
  );
};
