import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchTerminal, openBenchTerminal, openProgram } from '../bench-terminal.ts';
import { inWorkspace, runToEnd } from '../live-session.ts';
import { atMost, median, type Row, spreadOf } from '../measure.ts';
import { processorMs } from '../process-load.ts';

const times = 9;
const inkProgram = join(import.meta.dirname, '../programs/ink-program.ts');

/** One way to start the program: its arguments, what stands in the workspace before, and the text of its first full frame. */
interface Start {
  readonly name: string;
  readonly args: readonly string[];
  readonly prepare: (workspace: string) => Promise<void>;
  readonly full: RegExp;
  /** The first frame in which the tasks of the plan stand. */
  readonly tasks?: RegExp;
  /** The now line of the running session, whose engine starts behind the first frame. */
  readonly runs?: RegExp;
}

const writePlan = (workspace: string, command: string): void =>
  writeFileSync(
    join(workspace, 'plan.yaml'),
    `goal: measure\ntasks:\n  - {id: only, title: Only task, run: [${command}]}\n`,
  );

const starts: readonly Start[] = [
  {
    name: 'ralph-tui, start screen',
    args: [],
    prepare: async () => {},
    full: /Start a session[\s\S]*Esc quit/,
  },
  {
    name: 'ralph-tui, a finished session',
    args: [],
    prepare: (workspace) =>
      runToEnd(workspace, 'goal: measure\ntasks:\n  - {id: only, title: Only task, run: [echo done]}\n'),
    full: /Complete:[\s\S]*Only task/,
  },
  {
    name: 'ralph-tui demo',
    args: ['demo'],
    prepare: async () => {},
    full: /Tasks[\s\S]*q quit/,
    tasks: /Starting the session[\s\S]*toolbox[\s\S]*q quit/,
    runs: /Now: Planner/,
  },
  {
    name: 'ralph-tui run --plan',
    args: ['run', '--plan', 'plan.yaml', '--yes'],
    prepare: async (workspace) => writePlan(workspace, 'sleep 60'),
    full: /Tasks[\s\S]*q quit/,
    tasks: /Starting the session[\s\S]*Only task[\s\S]*q quit/,
    runs: /Now: Planner/,
  },
  {
    name: 'ralph-tui resume',
    args: ['resume'],
    prepare: async (workspace) => {
      writePlan(workspace, 'sleep 60');
      const terminal = openProgram(['run', '--plan', 'plan.yaml', '--yes'], workspace);
      await terminal.waitFor(/Now: `sleep 60`/);
      await terminal.end();
    },
    full: /Tasks[\s\S]*q quit/,
    tasks: /Resuming the session[\s\S]*Only task[\s\S]*q quit/,
    runs: /Now: /,
  },
];

/** From the call to the first full frame on a pty, each way to start, each beside a program of one line that is drawn with Ink, started between its runs. */
export const firstFrame = async (): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const start of starts) rows.push(...(await inWorkspace((workspace) => measured(start, workspace))));
  return rows;
};

const measured = async (start: Start, workspace: string): Promise<readonly Row[]> => {
  await start.prepare(workspace);
  await once(start, workspace);
  const bare: number[] = [];
  const walls: number[] = [];
  const processor: number[] = [];
  const tasked: number[] = [];
  const running: number[] = [];
  for (let run = 0; run < times; run += 1) {
    bare.push(await oneLine(workspace));
    const { wall, cpu, tasks, runs } = await once(start, workspace);
    walls.push(wall);
    processor.push(cpu);
    tasked.push(tasks);
    running.push(runs);
  }
  return [
    {
      name: `first full frame: ${start.name}`,
      value: median(walls),
      unit: 'ms',
      base: { name: 'one line of Ink', value: median(bare) },
      ...atMost(1.25, median(walls), median(bare)),
      spread: spreadOf(walls),
    },
    {
      name: `processor time until then: ${start.name}`,
      value: median(processor),
      unit: 'ms',
      base: { name: 'bare node', value: bareProcessor() },
      target: '–',
      ok: true,
      spread: spreadOf(processor),
    },
    ...(start.tasks === undefined ? [] : [tasksRow(start.name, tasked, walls)]),
    ...(start.runs === undefined ? [] : [runningRow(start.name, running, walls)]),
  ];
};

/** Milliseconds to the line of a program that draws nothing else. */
const oneLine = async (workspace: string): Promise<number> => {
  const began = performance.now();
  const terminal = openBenchTerminal([inkProgram], workspace);
  try {
    await terminal.waitFor(/one line of Ink/);
    return performance.now() - began;
  } finally {
    await terminal.end();
  }
};

/** Milliseconds of processor time of a node that does nothing, as it counts itself at its end. */
const bareProcessor = (): number => {
  const counts = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)';
  const run = () => Number(spawnSync(process.execPath, ['-e', counts]).stdout);
  return median(Array.from({ length: times }, run));
};

/** The plan is known before the engine is: its tasks belong to the first frame (components/README.md). */
const tasksRow = (name: string, samples: readonly number[], walls: readonly number[]): Row => ({
  name: `first frame with the tasks: ${name}`,
  value: median(samples),
  unit: 'ms',
  base: { name: 'first frame', value: median(walls) },
  ...atMost(1.15, median(samples), median(walls)),
  spread: spreadOf(samples),
});

const runningRow = (name: string, samples: readonly number[], walls: readonly number[]): Row => ({
  name: `first frame of the running session: ${name}`,
  value: median(samples),
  unit: 'ms',
  base: { name: 'first frame', value: median(walls) },
  target: '–',
  ok: true,
  spread: spreadOf(samples),
});

const once = async (
  { args, full, tasks = full, runs = full }: Start,
  workspace: string,
): Promise<{
  readonly wall: number;
  readonly cpu: number;
  readonly tasks: number;
  readonly runs: number;
}> => {
  const began = performance.now();
  const terminal: BenchTerminal = openProgram(args, workspace);
  try {
    await terminal.waitFor(full);
    const wall = performance.now() - began;
    const cpu = processorMs(terminal.pid);
    await terminal.waitFor(tasks);
    const tasked = performance.now() - began;
    await terminal.waitFor(runs);
    return { wall, cpu, tasks: tasked, runs: performance.now() - began };
  } finally {
    await terminal.end();
  }
};
