import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '../../helpers/program.ts';
import { openBenchTerminal, openProgram } from '../bench-terminal.ts';
import { keyLatencies } from '../key-latency.ts';
import { inLiveSession, inWorkspace, printerCommand } from '../live-session.ts';
import { percentile, type Row } from '../measure.ts';
import { type Load, watchLoad } from '../process-load.ts';

const warmSeconds = 3;
const seconds = 6;
const keys = 40;

/** The screen of the real program on a 200 × 50 pty: what it takes, and how soon it answers. */
export const screen = async (): Promise<readonly Row[]> => [
  ...(await idle()),
  ...(await silent()),
  ...(await talking(200, 15)),
  ...(await talking(2_000, 25)),
];

/** A finished session, opened and left alone. */
const idle = (): Promise<readonly Row[]> =>
  inWorkspace(async (workspace) => {
    const plan = join(workspace, 'plan.yaml');
    writeFileSync(plan, 'goal: measure\ntasks:\n  - {id: t0, title: Only task, run: [echo done]}\n');
    const made = await runProgram(['run', '--plan', plan, '--json'], { cwd: workspace });
    if (made.code !== 0) throw new Error(`the session ended with ${made.code}\n${made.stderr}`);
    const terminal = openProgram([], workspace);
    try {
      await terminal.waitFor(/Complete/);
      const load = await settledLoad(terminal.pid);
      return [
        cpuRow('idle, nothing runs: CPU', load, 0.3, null),
        {
          name: 'idle, nothing runs: RSS',
          value: load.rss,
          unit: 'MB',
          base: { name: 'plain writer', value: (await plainWriter(0)).load.rss },
          target: '< 120 MB',
          ok: load.rss < 120,
        },
      ];
    } finally {
      await terminal.end();
    }
  });

/** Work runs, the agent says nothing. */
const silent = (): Promise<readonly Row[]> =>
  inLiveSession('exec sleep 3600', 12, async (terminal) => {
    const load = await settledLoad(terminal.pid);
    const samples = await keyLatencies(terminal, keys);
    const bare = (await plainWriter(0)).samples;
    return [cpuRow('work runs, agents silent: CPU', load, 3, null), ...keyRows('idle', samples, 35, bare)];
  });

/** An agent says `rate` messages a second. */
const talking = (rate: number, percent: number): Promise<readonly Row[]> =>
  inLiveSession(printerCommand(rate), 12, async (terminal) => {
    const load = await settledLoad(terminal.pid);
    const samples = rate === 2_000 ? await keyLatencies(terminal, keys) : [];
    const bare = await plainWriter(rate);
    const name = `${rate} messages/s`;
    return [
      cpuRow(`${name}: CPU`, load, percent, bare.load),
      {
        name: `${name}: RSS, most`,
        value: load.rssMost,
        unit: 'MB',
        base: { name: 'plain writer', value: bare.load.rssMost },
        target: '< 200 MB',
        ok: load.rssMost < 200,
      },
      ...(rate === 2_000 ? keyRows(`under ${name}`, samples, 60, bare.samples) : []),
    ];
  });

const settledLoad = async (pid: number): Promise<Load> => {
  await pause(warmSeconds * 1_000);
  return watchLoad(pid, seconds);
};

/** The same for bare node with a frame of plain ANSI. */
const plainWriter = async (rate: number) => {
  const file = join(import.meta.dirname, '../programs/plain-writer.ts');
  const terminal = openBenchTerminal([file, String(rate)], process.cwd());
  try {
    await terminal.waitFor(/t49/);
    await pause(1_000);
    return {
      load: await watchLoad(terminal.pid, rate === 0 ? 1 : seconds),
      samples: await keyLatencies(terminal, keys / 2),
    };
  } finally {
    await terminal.end();
  }
};

const cpuRow = (name: string, { cpu }: Load, percent: number, base: Load | null): Row => ({
  name,
  value: cpu,
  unit: '%',
  base: base && { name: 'plain writer', value: base.cpu },
  target: `< ${percent} % of a core`,
  ok: cpu < percent,
});

const keyRows = (
  when: string,
  samples: readonly number[],
  limit: number,
  bare: readonly number[],
): readonly Row[] =>
  [0.5, 0.95].map((share) => {
    const value = percentile(samples, share);
    return {
      name: `key to screen ${when}, p${share * 100}`,
      value,
      unit: 'ms',
      base: { name: 'plain writer', value: percentile(bare, share) },
      target: share === 0.95 ? `< ${limit} ms` : '–',
      ok: share !== 0.95 || value < limit,
    };
  });
