import type { Clock } from '../clock.ts';
import { findMarked, listProcesses, type ProcessEntry, readProcess } from './process-table.io.ts';
import type { StopReport } from './spawn.ts';

/** The processes to stop: the group and session that a child of ours leads, and every process with one of the markers. */
interface StopTarget {
  readonly markers: readonly string[];
  readonly leader: { readonly pid: number; readonly startTime: string } | null;
}

/** After KILL the kernel needs some time. A process in an uninterruptible wait may never end. */
const killPatienceMs = 5_000;

/** Longer than an exec takes to switch programs. */
const execMs = 25;

/**
 * Stops every process of `target`: TERM, `graceMs`, KILL, then searches again until it finds none (src/engine/README.md, Processes). A child that ignores
 * TERM is killed. A process that left with `setsid` is found by its marker; one that dropped its environment, by its limit, group, session or parent.
 * Processes that remain at the end, or may not be signalled, are `unverified`.
 */
export const stopProcesses = async (
  clock: Clock,
  target: StopTarget,
  graceMs: number,
): Promise<StopReport> => {
  const known = new Map<string, ProcessEntry>();
  const survivors = (): readonly ProcessEntry[] => [...known.values()].filter(isRunning);
  /** True when a new search of all processes finds none that runs. */
  const searchAndSignal = (signal: 'SIGTERM' | 'SIGKILL', again: boolean): boolean => {
    const found = findTargets(target, known);
    for (const entry of found) {
      const isNew = !known.has(keyOf(entry));
      known.set(keyOf(entry), entry);
      if (isNew || again) send(entry.pid, signal);
    }
    return found.length === 0;
  };
  const pursue = async (signal: 'SIGTERM' | 'SIGKILL', patienceMs: number): Promise<boolean> => {
    let again = true;
    let left = patienceMs;
    for (;;) {
      if (searchAndSignal(signal, again)) {
        // During an exec a process has no readable environment: only a second empty search proves that none is left.
        await new Promise<void>((resolve) => clock.after(execMs, resolve));
        if (searchAndSignal(signal, again)) return true;
        left -= execMs;
      }
      again = signal === 'SIGKILL';
      left -= await waitUntil(clock, left, () => survivors().length === 0);
      if (left <= 0) return false;
    }
  };

  const gone = (await pursue('SIGTERM', graceMs)) || (await pursue('SIGKILL', killPatienceMs));
  const left = gone ? [] : findTargets(target, known).map((entry) => entry.pid);
  return {
    stopped: [...known.values()].map((entry) => entry.pid).filter((pid) => !left.includes(pid)),
    unverified: left,
  };
};

const keyOf = (entry: ProcessEntry): string => `${entry.pid}:${entry.startTime}`;

const isRunning = (entry: ProcessEntry): boolean => {
  const now = readProcess(entry.pid);
  return now !== null && !now.ended && now.startTime === entry.startTime;
};

/** Processes of the target that run right now, never this one. */
const findTargets = (
  target: StopTarget,
  known: ReadonlyMap<string, ProcessEntry>,
): readonly ProcessEntry[] => {
  const running = listProcesses().filter((entry) => !entry.ended && entry.pid !== process.pid);
  const marked = findMarked(
    target.markers,
    running.map((entry) => entry.pid),
  );
  const leader = target.leader;
  // The leader's pid was reused: the group and session with that number are no longer ours.
  const reused = running.some((entry) => entry.pid === leader?.pid && entry.startTime !== leader.startTime);
  const led = (entry: ProcessEntry): boolean =>
    leader !== null && !reused && (entry.group === leader.pid || entry.session === leader.pid);
  const found = new Map(
    running
      .filter((entry) => marked.has(entry.pid) || led(entry) || known.has(keyOf(entry)))
      .map((entry) => [entry.pid, entry]),
  );
  // Adds children and further descendants: each pass goes one generation deeper.
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const entry of running) if (found.has(entry.parent)) found.set(entry.pid, entry);
  }
  return [...found.values()];
};

/** Ignores a process that has ended or may not be signalled: the next search shows which. */
const send = (pid: number, signal: 'SIGTERM' | 'SIGKILL'): void => {
  try {
    process.kill(pid, signal);
  } catch {}
};

/**
 * Waits for `done`, `patienceMs` at most, checking often at first and then every 100 ms. Returns the sum of its pauses as the waiting time: while
 * this program was suspended, the awaited process had no time to end either.
 */
const waitUntil = async (clock: Clock, patienceMs: number, done: () => boolean): Promise<number> => {
  let waited = 0;
  for (let pause = 5; waited < patienceMs; pause = Math.min(100, pause * 2)) {
    const piece = Math.min(pause, patienceMs - waited);
    await new Promise<void>((resolve) => clock.after(piece, resolve));
    waited += piece;
    if (done()) break;
  }
  return waited;
};
