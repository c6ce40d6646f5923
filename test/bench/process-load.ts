import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { median, type Spread, spreadOf } from './measure.ts';

/** What one process, without its children, took while it was watched. */
export interface Load {
  /** Percent of one core, user and system: median of the slices it was watched for. */
  readonly cpu: number;
  readonly cpuSpread: Spread;
  /** Resident megabytes: median and largest of the samples. */
  readonly rss: number;
  readonly rssMost: number;
}

/** Watches a process for `slices` times `seconds`. */
export const watchLoad = async (pid: number, seconds: number, slices = 1): Promise<Load> => {
  const sizes: number[] = [];
  const shares: number[] = [];
  for (let slice = 0; slice < slices; slice += 1) {
    const start = performance.now();
    const before = processorMs(pid);
    const end = start + seconds * 1_000;
    while (performance.now() < end) {
      await pause(Math.min(250, end - performance.now()));
      sizes.push(residentMegabytes(pid));
    }
    shares.push(((processorMs(pid) - before) / (performance.now() - start)) * 100);
  }
  return {
    cpu: median(shares),
    cpuSpread: spreadOf(shares),
    rss: median(sizes),
    rssMost: Math.max(...sizes),
  };
};

/** 0 of a process that has ended. */
export const residentMegabytes = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
};

/** Processor time of all threads so far. The scheduler counts nanoseconds; `/proc/PID/stat` would say 0.0 % or 0.2 % of an idle program. */
export const processorMs = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [ran = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(ran) / 1e6;
  }, 0);
