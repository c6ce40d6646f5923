import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../helpers/remove-tree.ts';
import { type BundledWorker, bundleWorker } from './bundle-worker.ts';
import { brokenSoFar, isDrained, judge, lineBytes, progressOf, type Verdict } from './storm-judge.ts';
import { openStormMailbox, type Weakness } from './storm-worker.ts';

/**
 * Real processes on a real disk: producers publish, consumers claim, act and archive, and kill -9 hits one of them every 100 to 300 ms. What was
 * reported must be archived once, whole, and acted on under its own id (test/README.md, Torture).
 */
export interface StormOptions {
  readonly signals: number;
  readonly producers?: number;
  readonly consumers?: number;
  /** Where the scratch directory is made. A memory file system is as good: what a storm is about does not depend on how fast a disk flushes. */
  readonly root?: string;
  /** A mistake that is put into the consumers, to see that the storm finds it. */
  readonly weakness?: Weakness;
}

export interface StormResult extends Verdict {
  readonly kills: number;
  readonly seconds: number;
}

export const storm = async (options: StormOptions): Promise<StormResult> => {
  const directory = mkdtempSync(join(options.root ?? tmpdir(), 'ralph-tui-storm-'));
  try {
    const rehearsal = join(directory, 'rehearsal');
    mkdirSync(rehearsal);
    const source = join(import.meta.dirname, 'storm-worker.ts');
    const worker = await bundleWorker(source, directory, ['rehearse', rehearsal]);
    const started = performance.now();
    openStormMailbox(directory);
    const { killedAt, failures, found } = await rage(directory, worker, options);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const verdict = judge(directory, killedAt);
    // What a storm that was cut short left undone is no broken promise.
    const problems = found.length > 0 ? found : [...failures, ...verdict.problems];
    return { ...verdict, kills: killedAt.size, seconds, problems };
  } finally {
    removeTree(directory);
  }
};

interface Seat {
  readonly role: 'produce' | 'consume';
  readonly number: number;
  child: ChildProcess | null;
  /** Counts all processes of the storm. */
  life: number;
  /** It has opened the mailbox: killing it earlier would only test how fast a process starts. */
  ready: boolean;
}

/**
 * Lines of what was reported and acted on between two kills. On an idle machine more is done in 100 ms. On a busy one a process gets little done in
 * 300 ms: some of it has to be left, or the storm never ends. A mistake is found by kills.
 */
const leastBetweenKills = (weakness: Weakness): number => (weakness === 'none' ? 160 : 20) * lineBytes;

/** A storm in which nothing is reported and nothing is acted on for this long will not end by itself. */
const patienceMs = 30_000;

/** Kills and restarts until the producers are done and everything is handled, something went wrong, or a mistake that was put in is found. */
const rage = async (directory: string, worker: BundledWorker, options: StormOptions) => {
  const { signals, producers = 4, consumers = 4, weakness = 'none' } = options;
  const failures: string[] = [];
  let found: readonly string[] = [];
  const killedAt = new Map<number, number>();
  let over = false;
  let lives = 0;
  const share = String(Math.ceil(signals / producers));
  const sit = (role: Seat['role'], number: number): Seat => {
    const begin = (): ChildProcess => {
      seat.life = lives;
      lives += 1;
      const args = [role, directory, String(number), share, weakness, String(seat.life)];
      const child = spawn(process.execPath, [worker.file, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...worker.env },
      });
      let complaint = '';
      child.stdout?.once('data', () => {
        seat.ready = true;
      });
      child.stderr?.on('data', (text) => {
        complaint += text;
      });
      child.on('close', (code, signal) => {
        if (signal !== 'SIGKILL' && code !== 0)
          failures.push(`${role} ${number} failed: ${complaint.slice(0, 2_000)}`);
        seat.ready = false;
        if (!over && !isDone(directory, seat)) seat.child = begin();
      });
      return child;
    };
    const seat: Seat = { role, number, life: 0, child: null, ready: false };
    seat.child = begin();
    return seat;
  };
  const seats = [
    ...Array.from({ length: producers }, (_, number) => sit('produce', number)),
    ...Array.from({ length: consumers }, (_, number) => sit('consume', number)),
  ];
  const watch = createStallWatch(directory, failures);
  const producing = (): boolean => seats.some((seat) => seat.role === 'produce' && !isDone(directory, seat));
  let done = 0;
  const goesOn = (): boolean => failures.length === 0 && found.length === 0;
  const look = (): void => {
    watch();
    if (weakness !== 'none') found = brokenSoFar(directory, killedAt);
  };
  while (producing() && goesOn()) {
    await pause(100 + Math.random() * 200);
    look();
    const now = progressOf(directory);
    if (now < done + leastBetweenKills(weakness)) continue;
    done = now;
    const targets = seats.filter((seat) => seat.ready && !isDone(directory, seat));
    const target = targets[Math.floor(Math.random() * targets.length)];
    const at = Date.now();
    if (target?.child?.kill('SIGKILL')) killedAt.set(target.life, at);
  }
  while (goesOn() && !isDrained(directory)) {
    await pause(100);
    look();
  }
  over = true;
  await Promise.all(seats.map(({ child }) => end(child)));
  return { killedAt, failures, found };
};

const createStallWatch = (directory: string, failures: string[]): (() => void) => {
  let last = { progress: 0, at: performance.now() };
  return () => {
    const progress = progressOf(directory);
    if (progress !== last.progress) last = { progress, at: performance.now() };
    else if (performance.now() - last.at > patienceMs) {
      const left = ['inputs', 'claimed'].map(
        (name) => `${readdirSync(join(directory, 'signals', name)).length} in ${name}/`,
      );
      failures.push(`nothing moved for ${patienceMs / 1_000} s: ${left.join(', ')}`);
    }
  };
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const end = (child: ChildProcess | null): Promise<void> =>
  new Promise((resolve) => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on('exit', () => resolve());
    child.kill('SIGKILL');
  });

const isDone = (directory: string, seat: Seat): boolean =>
  seat.role === 'produce' && existsSync(join(directory, `done-${seat.number}`));
