import { dirname } from 'node:path';
import type { z } from 'zod';
import type { Fault } from '../../base/fault.ts';
import { fromJson } from '../../base/json.ts';
import { readText } from '../../base/replace-file.ts';
import type { TrackerPorts } from './tracker.ts';

/** Sixteen megabytes: hundreds of thousands of lines. */
const mostBytes = 16 * 1024 * 1024;

/** The records of a file of JSON lines, and its text. A broken line is a problem with its number and hides no other line. */
export const readLines = <T>(
  { disk }: Pick<TrackerPorts, 'disk'>,
  path: string,
  schema: z.ZodType<T>,
): { readonly records: readonly T[]; readonly problems: readonly Fault[]; readonly text: string } => {
  const records: T[] = [];
  const problems: Fault[] = [];
  const text = readText(disk, path, mostBytes) ?? '';
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const record = schema.safeParse(fromJson(line));
    if (record.success) records.push(record.data);
    else
      problems.push({
        code: 'issue-line',
        what: 'the line is invalid and is ignored',
        where: `${path}:${at + 1}`,
      });
  }
  return { records, problems, text };
};

/** Appends one record, durable on return. Starts a new line when a writer that died left half of one. */
export const appendLine = ({ disk }: Pick<TrackerPorts, 'disk'>, path: string, record: unknown): void => {
  disk.mkdir(dirname(path));
  const isNew = disk.lstat(path) === null;
  const handle = disk.openAppend(path);
  try {
    const { size } = disk.stat(handle);
    const reader = size === 0 ? null : disk.openRead(path);
    const last = reader === null ? 10 : disk.read(reader, size - 1, 1)[0];
    if (reader !== null) disk.close(reader);
    disk.write(handle, new TextEncoder().encode(`${last === 10 ? '' : '\n'}${JSON.stringify(record)}\n`));
    disk.flush(handle);
  } finally {
    disk.close(handle);
  }
  if (isNew) disk.flushDirectory(dirname(path));
};
