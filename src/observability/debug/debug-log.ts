import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { type Disk, DiskError, type Handle } from '../../base/disk.ts';
import type { Random } from '../../base/random.ts';
import type { Redact } from '../../base/redact.ts';
import type { DebugHeader, DebugRecord } from './debug-record.ts';
import { redactParams } from './redact-params.ts';

/** A debug log that one process writes. Each record reaches the operating system in one write, so a killed process loses at most its last one. */
export interface DebugLog {
  readonly path: string;
  readonly add: (record: Omit<DebugRecord, 'ts'>) => void;
  /** Makes the records survive a power loss, and ends the log. */
  readonly close: () => void;
}

interface DebugPorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly random: Random;
  readonly redact: Redact;
  /** Told once, when the log cannot be written any more. The program works on. */
  readonly lost: (error: DiskError) => void;
}

/** Opens a new log with its header. Throws `DiskError`. */
export const openDebugLog = (
  { disk, clock, random, redact, lost }: DebugPorts,
  directory: string,
  header: Omit<DebugHeader, 'type' | 'ts' | 'log'>,
): DebugLog => {
  disk.mkdir(directory);
  const time = new Date(clock.now()).toISOString();
  const log = `session-${time.replace(/\.\d+Z$/, 'Z').replace(/[-:]/g, '')}-${random.hex(4)}`;
  const path = join(directory, `${log}.jsonl`);
  const handle = disk.openExclusive(path);
  const encoder = new TextEncoder();
  const write = (line: object): void => disk.write(handle, encoder.encode(`${JSON.stringify(line)}\n`));
  write({ type: 'session', ts: time, log, ...redactParams(redact, header) });
  let open: Handle | null = handle;
  const end = (work: (handle: Handle) => void): void => {
    const last = open;
    open = null;
    if (last !== null) work(last);
  };
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      end((last) => disk.close(last));
      lost(error);
    }
  };
  return {
    path,
    add: (record) => {
      if (open === null) return;
      const { type, name, event, params, error, ...rest } = record;
      guarded(() =>
        write({
          type,
          ts: new Date(clock.now()).toISOString(),
          name: redact(name),
          event,
          params: redactParams(redact, params),
          ...rest,
          error: error === null ? null : redact(error),
        }),
      );
    },
    close: () =>
      guarded(() =>
        end((last) => {
          disk.flush(last);
          disk.close(last);
        }),
      ),
  };
};
