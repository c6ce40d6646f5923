import type { Disk } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import { fromJson, isRecord } from '../base/json.ts';
import { createdEvent } from '../pipeline/events/session.ts';
import { isInstant } from './journal-check.ts';
import { readFirstLine } from './journal-file.ts';

/**
 * Why a journal cannot be folded: the rest of it builds on the event that created the session. `null` where its first line is that event, and where it has no
 * whole line yet.
 */
export const beginningFault = (disk: Disk, path: string): Fault | null => {
  const line = readFirstLine(disk, path);
  if (line === null || isCreated(fromJson(line))) return null;
  return {
    code: 'journal-beginning',
    what: 'the journal does not begin with a usable event session.created (lines are missing or damaged)',
    where: `${path}:1`,
    hint: 'restore journal.jsonl from a backup, or start a new session',
  };
};

const isCreated = (value: unknown): boolean =>
  isRecord(value) && isInstant(value['at']) && createdEvent().safeParse(value).success;
