import { join } from 'node:path';
import { z } from 'zod';
import type { Disk } from '../../base/disk.ts';
import type { Random } from '../../base/random.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { lateSchema } from '../wire/late.ts';

/** What is known of the work of an invocation without the process that did it. It is in the directory of that work. */
const jobRecordSchema = lateSchema.omit({ commit: true, at: true }).extend({
  /** `RALPH_RUN` of its processes. */
  marker: z.string(),
  /** The process that asked for it, and where its session lies there. */
  host: z.object({ name: z.string(), sessionDirectory: z.string() }).optional(),
  /** What its files become is the work of its task. Absent in records of earlier programs. */
  hasResult: z.boolean().default(true),
});
export type JobRecord = z.infer<typeof jobRecordSchema>;

const recordFile = 'job.json';

export const writeJobRecord = (disk: Disk, random: Random, root: string, record: JobRecord): void =>
  replaceFile(disk, random, join(root, recordFile), `${JSON.stringify(record)}\n`);

export const readJobRecord = (disk: Disk, root: string): JobRecord | null => {
  try {
    const read = jobRecordSchema.safeParse(JSON.parse(readText(disk, join(root, recordFile), 65_536) ?? ''));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};
