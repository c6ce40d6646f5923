import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { runProgram, startProgram } from '../../helpers/program.ts';
import { median, type Row, sampleAsync, spreadOf } from '../measure.ts';
import { residentMegabytes } from '../process-load.ts';
import { startBareNode } from '../start-node.ts';

const tasks = 5_000;
const times = 7;

/** A session of 5,000 tasks that do nothing, from its start to its end; then the commands that a person waits for in it. */
export const largeSession = async (): Promise<readonly Row[]> => {
  const workspace = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    const bare = median(await sampleAsync(times, startBareNode));
    return [
      ...(await wholeSession(workspace)),
      await command(workspace, bare, ['status']),
      await command(workspace, bare, ['signal', 'INFO', 'measured']),
    ];
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
};

const wholeSession = async (workspace: string): Promise<readonly Row[]> => {
  const list = Array.from(
    { length: tasks },
    (_, index) => `  - {id: t${index}, title: Task ${index}, files: [f${index}], run: [[touch, f${index}]]}`,
  );
  writeFileSync(
    join(workspace, 'plan.yaml'),
    `goal: measure\nsettings: {planning: {max_cycles: 0}}\ntasks:\n${list.join('\n')}\n`,
  );
  const start = performance.now();
  const program = startProgram(['run', '--plan', 'plan.yaml', '--headless'], { cwd: workspace });
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, residentMegabytes(program.pid));
  }, 100);
  const { code, stderr } = await program.done.finally(() => clearInterval(watch));
  if (code !== 0) throw new Error(`the session ended with ${code}\n${stderr}`);
  const seconds = (performance.now() - start) / 1_000;
  return [
    {
      name: `${tasks} no-op tasks, start to end`,
      value: seconds * 1_000,
      unit: 'ms',
      base: null,
      target: '< 45,000 ms',
      ok: seconds < 45,
    },
    {
      name: `${tasks} no-op tasks, most memory`,
      value: most,
      unit: 'MB',
      base: null,
      target: '< 200 MB',
      ok: most < 200,
    },
  ];
};

const command = async (workspace: string, bare: number, args: readonly string[]): Promise<Row> => {
  const samples = await sampleAsync(times, () => runProgram(args, { cwd: workspace }));
  const value = median(samples);
  return {
    name: `${args[0]} after ${tasks} tasks`,
    value,
    unit: 'ms',
    base: { name: 'bare node', value: bare },
    target: '< 300 ms',
    ok: value < 300,
    spread: spreadOf(samples),
  };
};
