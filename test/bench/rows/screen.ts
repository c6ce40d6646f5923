import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchTerminal, openBenchTerminal, openProgram } from '../bench-terminal.ts';
import { type KeyTimes, keyTimes } from '../key-latency.ts';
import { below } from '../limits.ts';
import { inLiveSession, inWorkspace, printerCommand, runToEnd } from '../live-session.ts';
import { median, type Row, rowsOf, spreadOf } from '../measure.ts';
import { type Load, watchLoad } from '../process-load.ts';

const warmSeconds = 3;
const slices = 3;
const seconds = 4;
const keys = 40;

/** The screen of the real program on a 200 × 50 pty: what it takes, and how soon it answers. */
export const screen = async (): Promise<readonly Row[]> => [
  ...(await rowsOf('idle, nothing runs', idle)),
  ...(await rowsOf('work runs, agents silent', silent)),
  ...(await rowsOf('bytes of a clock tick', clockTick)),
  ...(await rowsOf('200 messages/s', () => talking(200, 15))),
  ...(await rowsOf('2000 messages/s', () => talking(2_000, 25))),
];

/** A finished session, opened and left alone. */
const idle = async (): Promise<readonly Row[]> => {
  const bare = await plainWriter(0);
  return inWorkspace(async (workspace) => {
    await runToEnd(workspace, 'goal: measure\ntasks:\n  - {id: t0, title: Only task, run: [echo done]}\n');
    const terminal = openProgram([], workspace);
    try {
      await terminal.waitFor(/Complete/);
      // The notice about the mouse goes first.
      await pause(3 * warmSeconds * 1_000);
      const before = terminal.written();
      const load = await watchLoad(terminal.pid, seconds, slices);
      const bytes = terminal.written() - before;
      return [
        cpuRow('idle, nothing runs: CPU', load, 0.3, bare.load),
        {
          name: `idle, nothing runs: bytes in ${seconds * slices} s`,
          value: bytes,
          unit: 'bytes',
          base: { name: 'the frame as plain text', value: 200 * 50 },
          target: '0 bytes',
          ok: bytes === 0,
        },
        {
          name: 'idle, nothing runs: RSS',
          value: load.rss,
          unit: 'MB',
          base: { name: 'plain writer', value: bare.load.rss },
          target: '< 120 MB',
          ok: load.rss < 120,
        },
      ];
    } finally {
      await terminal.end();
    }
  });
};

/** Work runs, the agent says nothing. */
const silent = async (): Promise<readonly Row[]> => {
  const bare = await plainWriter(0);
  return inLiveSession('exec sleep 3600', 12, async (terminal) => [
    cpuRow('work runs, agents silent: CPU', await settledLoad(terminal.pid), 3, bare.load),
    ...(await rowsOf('key to screen idle', async () =>
      keyRows('idle', await keyTimes(terminal, keys), 35, bare.times),
    )),
  ]);
};

/** What a second costs in which only clocks change, at 120 × 36 (components/README.md, Bytes). */
const clockTick = (): Promise<readonly Row[]> =>
  inLiveSession(
    'exec sleep 3600',
    12,
    async (terminal) => {
      await pause(warmSeconds * 1_000);
      const bytes: number[] = [];
      for (let second = 0; second < seconds * slices; second += 1) {
        const before = terminal.written();
        await pause(1_000);
        bytes.push(terminal.written() - before);
      }
      const value = median(bytes);
      return [
        {
          name: 'bytes of a clock tick at 120 × 36',
          value,
          unit: 'bytes',
          base: { name: 'the frame as plain text', value: 120 * 36 },
          target: '≤ 600 bytes',
          ok: value <= 600,
          spread: spreadOf(bytes),
        },
      ];
    },
    { cols: 120, rows: 36 },
  );

/** An agent says `rate` messages a second. */
const talking = async (rate: number, percent: number): Promise<readonly Row[]> => {
  const bare = await plainWriter(rate);
  return inLiveSession(printerCommand(rate), 12, (terminal) =>
    streamRows(terminal, { name: `${rate} messages/s`, rate, percent, bare }),
  );
};

/** What the screen takes while `rate` messages a second arrive, and how soon it answers under many. */
export const streamRows = async (
  terminal: BenchTerminal,
  {
    name,
    rate,
    percent,
    bare,
    mostBytes,
  }: {
    readonly name: string;
    readonly rate: number;
    /** The most of one core. */
    readonly percent: number;
    readonly bare: Awaited<ReturnType<typeof plainWriter>>;
    /** Kilobytes a second. A pane in which every line is new twice a frame has no limit: all its cells change. */
    readonly mostBytes?: number;
  },
): Promise<readonly Row[]> => {
  const [start, began] = [terminal.written(), performance.now()];
  const load = await settledLoad(terminal.pid);
  const kilobytes = (terminal.written() - start) / (performance.now() - began);
  return [
    {
      name: `${name}: bytes written`,
      value: kilobytes,
      unit: 'kB/s',
      base: { name: 'plain writer', value: bare.kilobytes },
      target: mostBytes === undefined ? '–' : `≤ ${mostBytes} kB/s`,
      ok: mostBytes === undefined || kilobytes <= mostBytes,
    },
    cpuRow(`${name}: CPU`, load, percent, bare.load),
    {
      name: `${name}: RSS, most`,
      value: load.rssMost,
      unit: 'MB',
      base: { name: 'plain writer', value: bare.load.rssMost },
      target: '< 200 MB',
      ok: load.rssMost < 200,
    },
    ...(rate < 2_000
      ? []
      : await rowsOf(`key to screen under ${name}`, async () =>
          keyRows(`under ${name}`, await keyTimes(terminal, keys), 60, bare.times),
        )),
  ];
};

const settledLoad = async (pid: number): Promise<Load> => {
  await pause(warmSeconds * 1_000);
  return watchLoad(pid, seconds, slices);
};

/** The same for bare node with a frame of plain ANSI, measured while nothing else of ours runs. */
export const plainWriter = async (rate: number) => {
  const file = join(import.meta.dirname, '../programs/plain-writer.ts');
  const terminal = openBenchTerminal([file, String(rate)], process.cwd());
  try {
    await terminal.waitFor(/t49/);
    await pause(1_000);
    const [start, began] = [terminal.written(), performance.now()];
    const load = await watchLoad(terminal.pid, seconds);
    return {
      load,
      kilobytes: (terminal.written() - start) / (performance.now() - began),
      times: await keyTimes(terminal, keys / 2),
    };
  } finally {
    await terminal.end();
  }
};

const cpuRow = (name: string, { cpu, cpuSpread }: Load, percent: number, base: Load): Row => ({
  name,
  value: cpu,
  unit: '%',
  base: { name: 'plain writer', value: base.cpu },
  ...below(cpu, percent, '% of a core'),
  spread: cpuSpread,
});

/** No ratio: a frame waits for its turn among sixty a second, which no machine shortens, and the plain writer waits for nothing. */
const keyRows = (when: string, times: KeyTimes, limit: number, bare: KeyTimes): readonly Row[] => [
  {
    name: `key to screen ${when}, p50`,
    value: times.p50,
    unit: 'ms',
    base: { name: 'plain writer', value: bare.p50 },
    target: '–',
    ok: true,
  },
  {
    name: `key to screen ${when}, p95`,
    value: times.p95,
    unit: 'ms',
    base: { name: 'plain writer', value: bare.p95 },
    ...below(times.p95, limit, 'ms'),
    spread: times.p95Spread,
  },
];
