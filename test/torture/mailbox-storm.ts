import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArchived, parseSignal } from '../../src/signals/envelope.ts';
import { openStormMailbox } from './storm-worker.ts';

/**
 * Real processes on a real disk: producers publish, consumers claim, act and archive, and kill -9 hits one of them every 100 to 300 ms. What was
 * reported must be archived once, whole, and acted on under its own id (quality.md, Torture).
 *
 *     node test/torture/mailbox-storm.ts [signals=20000] [producers=4] [consumers=4]
 */
export interface StormOptions {
  readonly signals: number;
  readonly producers: number;
  readonly consumers: number;
  /** Where the scratch directory is made. A memory file system is as good: a killed process, unlike a power loss, forgets nothing it wrote. */
  readonly root?: string;
}

export interface StormResult {
  readonly reported: number;
  readonly archived: number;
  readonly kills: number;
  /** Acts beyond the first, under the same id: allowed. */
  readonly redeliveries: number;
  /** Files a killed producer left half written. */
  readonly unusable: number;
  readonly seconds: number;
  /** Broken promises, one sentence each: has to be empty. */
  readonly problems: readonly string[];
}

export const storm = async (options: StormOptions): Promise<StormResult> => {
  const directory = mkdtempSync(join(options.root ?? tmpdir(), 'ralph-tui-storm-'));
  const started = performance.now();
  try {
    openStormMailbox(directory);
    const { kills, failures } = await rage(directory, options);
    return {
      ...judge(directory, failures),
      kills,
      seconds: Math.round((performance.now() - started) / 100) / 10,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

interface Seat {
  readonly role: 'produce' | 'consume';
  readonly number: number;
  child: ChildProcess;
  /** It has opened the mailbox: killing it earlier would only test how fast a process starts. */
  ready: boolean;
}

/** Reports and acts between two kills. */
const leastBetweenKills = 20;

const worker = join(import.meta.dirname, 'storm-worker.ts');

/** Kills and restarts until the producers are done and everything is handled. */
const rage = async (directory: string, { signals, producers, consumers }: StormOptions) => {
  const failures: string[] = [];
  let kills = 0;
  let done = 0;
  let over = false;
  const share = String(Math.ceil(signals / producers));
  const sit = (role: Seat['role'], number: number): Seat => {
    const begin = (): ChildProcess => {
      const child = spawn(process.execPath, [worker, role, directory, String(number), share], {
        stdio: ['ignore', 'pipe', 'pipe'],
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
    const seat: Seat = { role, number, child: begin(), ready: false };
    return seat;
  };
  const seats = [
    ...Array.from({ length: producers }, (_, number) => sit('produce', number)),
    ...Array.from({ length: consumers }, (_, number) => sit('consume', number)),
  ];
  const producing = (): readonly Seat[] =>
    seats.filter((seat) => seat.role === 'produce' && !isDone(directory, seat));
  while (producing().length > 0 && failures.length === 0) {
    await pause(100 + Math.random() * 200);
    // On a busy machine a process gets little done in 300 ms: some of it has to be left, or the storm never ends.
    const now = linesOf(directory, 'reported-').length + linesOf(directory, 'acted-').length;
    if (now < done + leastBetweenKills) continue;
    done = now;
    const targets = seats.filter((seat) => seat.ready && !isDone(directory, seat));
    const target = targets[Math.floor(Math.random() * targets.length)];
    if (target?.child.kill('SIGKILL')) kills += 1;
  }
  while (failures.length === 0 && !isDrained(directory)) await pause(100);
  over = true;
  await Promise.all(seats.map(({ child }) => end(child)));
  return { kills, failures };
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on('exit', () => resolve());
    child.kill('SIGKILL');
  });

const isDone = (directory: string, seat: Seat): boolean =>
  seat.role === 'produce' && existsSync(join(directory, `done-${seat.number}`));

/** What is left in inputs/ at the end cannot be read: a producer was killed while it wrote. */
const isDrained = (directory: string): boolean => {
  const inputs = join(directory, 'signals/inputs');
  if (readdirSync(join(directory, 'signals/claimed')).length > 0) return false;
  return readdirSync(inputs).every((name) => isUnreadable(join(inputs, name)));
};

const isUnreadable = (path: string): boolean => {
  try {
    return parseSignal(path, readFileSync(path)).value === null;
  } catch {
    // A consumer was faster: look again.
    return false;
  }
};

const linesOf = (directory: string, prefix: string): readonly string[] =>
  readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1));

const judge = (directory: string, failures: readonly string[]): Omit<StormResult, 'kills' | 'seconds'> => {
  const signals = join(directory, 'signals');
  if (failures.length > 0)
    return { reported: 0, archived: 0, redeliveries: 0, unusable: 0, problems: failures };
  const mailbox = openStormMailbox(directory);
  mailbox.sweepTemporary();
  const reported = new Set(linesOf(directory, 'reported-'));
  const acts = linesOf(directory, 'acted-').map((line) => line.split(' '));
  const acted = new Set(acts.map(([id]) => id));
  const archived = readdirSync(join(signals, 'processed')).map(
    (name) =>
      parseArchived(name, readFileSync(join(signals, 'processed', name))).value.handling?.id ??
      `unreadable ${name}`,
  );
  const once = new Set(archived);
  const problems = [
    ...[...reported].filter((id) => !once.has(id)).map((id) => `lost: ${id}`),
    ...acts.filter(([, how]) => how !== 'whole').map(([id]) => `acted on half a signal: ${id}`),
    ...[...once].filter((id) => !acted.has(id)).map((id) => `archived without an act: ${id}`),
    ...[...acted]
      .filter((id) => id !== undefined && !once.has(id))
      .map((id) => `acted on and not archived: ${id}`),
    ...(archived.length > once.size ? [`archived twice: ${archived.length - once.size}`] : []),
    ...readdirSync(join(signals, 'tmp')).map((name) => `left in tmp/: ${name}`),
  ];
  const unusable = mailbox.list().filter(({ stage }) => stage === 'pending' || stage === 'rejected').length;
  return {
    reported: reported.size,
    archived: archived.length,
    redeliveries: acts.length - acted.size,
    unusable,
    problems,
  };
};

if (import.meta.filename === process.argv[1]) {
  const [signals = 20_000, producers = 4, consumers = 4] = process.argv.slice(2).map(Number);
  const result = await storm({ signals, producers, consumers });
  console.log(JSON.stringify(result, null, 2));
  process.exitCode = result.problems.length === 0 ? 0 : 1;
}
