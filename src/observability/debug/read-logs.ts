import { join } from 'node:path';
import { type Disk, DiskError } from '../../base/disk.ts';
import { fromJson } from '../../base/json.ts';
import { namesIn } from '../../base/names-in.ts';
import { scanBlocks } from '../journal-file.ts';
import type { LoggedRecord } from './collate.ts';
import { debugLineSchema } from './debug-record.ts';

/** The records of all logs of a directory, and how much was skipped. */
export interface ReadLogs {
  readonly records: readonly LoggedRecord[];
  readonly logs: number;
  /** JSONL files that are no debug log of ours. */
  readonly foreignFiles: number;
  /** Lines of our logs that are no record. */
  readonly foreignLines: number;
}

/** Reads every record from `since` on, in milliseconds since the epoch. */
export const readDebugLogs = (disk: Disk, directory: string, since: number): ReadLogs => {
  const records: LoggedRecord[] = [];
  let [logs, foreignFiles, foreignLines] = [0, 0, 0];
  for (const name of namesIn(disk, directory).filter((each) => each.endsWith('.jsonl'))) {
    const lines = linesOf(disk, join(directory, name)).map(parsed);
    const [first] = lines;
    if (first?.type !== 'session') {
      foreignFiles += 1;
      continue;
    }
    logs += 1;
    for (const line of lines.slice(1)) {
      if (line === null || line.type === 'session') foreignLines += 1;
      else if (Date.parse(line.ts) >= since) records.push({ log: first.log, record: line });
    }
  }
  return { records, logs, foreignFiles, foreignLines };
};

/** Whole lines; a torn last one of a killed process is none. A file that cannot be read has no lines. */
const linesOf = (disk: Disk, path: string): readonly string[] => {
  const lines: string[] = [];
  try {
    if (disk.lstat(path)?.kind !== 'file') return [];
    scanBlocks(disk, path, 0, (block) => {
      for (const line of new TextDecoder().decode(block).split('\n')) if (line !== '') lines.push(line);
    });
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
  return lines;
};

const parsed = (line: string) => debugLineSchema.safeParse(fromJson(line)).data ?? null;
