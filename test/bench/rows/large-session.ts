import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { startProgram } from '../../helpers/program.ts';
import { inWorkspace } from '../live-session.ts';
import { atMost, type Row, sampleTurnsAsync, turnsRow } from '../measure.ts';
import { residentMegabytes } from '../process-load.ts';
import { startBareNode } from '../start-node.ts';

const tasks = 5_000;
const times = 7;
/** So many tasks by hand tell how long all take. */
const tasksByHand = 250;

/**
 * A session of 5,000 tasks that do nothing, from its start to its end, in a repository of a usual size; then the commands that a person waits for in
 * it.
 */
export const largeSession = (): Promise<readonly Row[]> =>
  inWorkspace(async (workspace) => {
    return [
      ...(await wholeSession(workspace)),
      await command(workspace, ['status']),
      await command(workspace, ['signal', 'INFO', 'measured']),
    ];
  });

/** Milliseconds of the processes of all tasks, and of recording the files before and after each as a person would with git. */
const byHand = (workspace: string): number => {
  const git = (...args: readonly string[]): void => void spawnSync('git', args, { cwd: workspace });
  const record = (): void => {
    git('add', '--all');
    git('write-tree');
  };
  const start = performance.now();
  for (let at = 0; at < tasksByHand; at += 1) {
    record();
    spawnSync('touch', [`by-hand-${at}`], { cwd: workspace });
    record();
  }
  const took = performance.now() - start;
  git('reset', '-q');
  for (let at = 0; at < tasksByHand; at += 1) rmSync(join(workspace, `by-hand-${at}`));
  return (took / tasksByHand) * tasks;
};

/** Resident megabytes of a node that does nothing. */
const bareMegabytes = (): number =>
  Number(spawnSync(process.execPath, ['-p', 'process.memoryUsage().rss / 1048576']).stdout);

const wholeSession = async (workspace: string): Promise<readonly Row[]> => {
  const list = Array.from(
    { length: tasks },
    (_, at) =>
      `  - {id: t${at}, title: Task ${at}, files: [d${at % 60}/f${at}], run: [[touch, d${at % 60}/f${at}]]}`,
  );
  writeFileSync(
    join(workspace, 'plan.yaml'),
    `goal: measure\nsettings: {planning: {max_cycles: 0}}\ntasks:\n${list.join('\n')}\n`,
  );
  const before = byHand(workspace);
  const start = performance.now();
  const program = startProgram(['run', '--plan', 'plan.yaml', '--headless'], { cwd: workspace });
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, residentMegabytes(program.pid));
  }, 100);
  const { code, stderr } = await program.done.finally(() => clearInterval(watch));
  if (code !== 0) throw new Error(`the session ended with ${code}\n${stderr}`);
  const took = performance.now() - start;
  const base = (before + byHand(workspace)) / 2;
  return [
    {
      name: `${tasks} no-op tasks, start to end`,
      value: took,
      unit: 'ms',
      base: { name: 'processes and git by hand', value: base },
      ...atMost(4, took, base),
    },
    {
      name: `${tasks} no-op tasks, most memory`,
      value: most,
      unit: 'MB',
      base: { name: 'bare node', value: bareMegabytes() },
      target: '< 200 MB',
      ok: most < 200,
    },
  ];
};

const command = async (workspace: string, args: readonly string[]): Promise<Row> => {
  const turns = await sampleTurnsAsync(
    times,
    () => startProgram(args, { cwd: workspace }).done,
    startBareNode,
  );
  return turnsRow(`${args[0]} after ${tasks} tasks`, 'bare node', 5, turns);
};
