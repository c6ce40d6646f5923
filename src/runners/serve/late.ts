import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import type { Random } from '../../base/random.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { discard } from '../../base/temporary-file.ts';
import { type Late, lateSchema } from '../wire/late.ts';

/** The records of late work, one file each. */
export interface LateBook {
  add(late: Late): void;
  of(session: string): readonly Late[];
  /** The sessions that it has something of. */
  sessions(): readonly string[];
  drop(session: string, invocation: string): void;
}

export const createLateBook = (disk: Disk, random: Random, directory: string): LateBook => {
  const fileOf = (session: string, invocation: string): string =>
    join(directory, `${session}~${invocation}.json`);
  return {
    add: (late) => {
      disk.mkdir(directory);
      replaceFile(disk, random, fileOf(late.session, late.invocation), `${JSON.stringify(late)}\n`);
    },
    of: (session) => {
      if (disk.lstat(directory) === null) return [];
      return disk.readdir(directory).flatMap((name) => {
        if (!name.startsWith(`${session}~`)) return [];
        const read = lateSchema.safeParse(parsed(readText(disk, join(directory, name)) ?? ''));
        return read.success && read.data.session === session ? [read.data] : [];
      });
    },
    sessions: () =>
      disk.lstat(directory) === null
        ? []
        : [...new Set(disk.readdir(directory).flatMap((name) => name.split('~').slice(0, -1)))],
    drop: (session, invocation) => discard(disk, fileOf(session, invocation)),
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
