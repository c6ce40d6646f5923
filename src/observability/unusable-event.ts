import type { Disk } from '../base/disk.ts';
import { type Fault, FaultError } from '../base/fault.ts';
import { fromJson, isRecord } from '../base/json.ts';
import { eventBodySchema } from '../pipeline/event.ts';
import { knownTypes } from '../pipeline/evolve.ts';
import { scanBlocks } from './journal-file.ts';

/**
 * The first event of a journal that is not as this program writes it, as a fault; `null`: none. For a journal that something else wrote to, and to explain a
 * fold that failed: every other reader checks type, `seq` and `at` alone, because the file is our own output.
 */
export const unusableEvent = (disk: Disk, path: string): Fault | null => {
  let found: Fault | null = null;
  let line = 0;
  scanBlocks(disk, path, 0, (block) => {
    const lines = new TextDecoder().decode(block).split('\n');
    lines.pop();
    for (const text of lines) {
      line += 1;
      found ??= faultOf(fromJson(text), `${path}:${line}`);
    }
  });
  return found;
};

/** A fold of that journal. Where it fails on an event that cannot be used, the error says so. */
export const foldOrFault = <T>(disk: Disk, path: string, fold: () => T): T => {
  try {
    return fold();
  } catch (error) {
    const fault = unusableEvent(disk, path);
    throw fault === null ? error : new FaultError(fault);
  }
};

const faultOf = (value: unknown, where: string): Fault | null => {
  if (!isRecord(value) || !knownTypes.has(value['type'])) return null;
  const issue = eventBodySchema().safeParse(value).error?.issues[0];
  if (issue === undefined) return null;
  return {
    code: 'journal-event',
    what: `the event ${String(value['type'])} has no usable ${JSON.stringify(issue.path.join('.'))}, so the session cannot be read`,
    where,
    hint: 'restore journal.jsonl from a backup, or start a new session',
  };
};
