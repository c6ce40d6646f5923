import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../helpers/program.ts';
import { canSsh, startSshMachine } from '../../helpers/ssh-machine.ts';
import { writeIn } from '../../helpers/workspace.ts';
import { inWorkspace } from '../live-session.ts';
import { median, percentile, type Row, spreadOf } from '../measure.ts';
import { steered } from './steer-request.ts';

const rounds = 3;
const fewTasks = 1;
const manyTasks = 6;

/** What a task on another machine costs beside one in a local worktree, and how much later a STEER reaches its agent. The machine is a real sshd on loopback. */
export const remote = async (): Promise<readonly Row[]> => {
  if (!canSsh()) throw new Error('openssh-server is not installed');
  const ends: (() => void)[] = [];
  try {
    const machine = await startSshMachine((end) => void ends.push(end));
    const command = JSON.stringify(machine.command);
    writeIn(
      machine.directory,
      'settings/ralph-tui/config.yaml',
      `runners: {gpu: {ssh: gpu1, command: ${command}}}\n`,
    );
    const env = {
      XDG_CONFIG_HOME: join(machine.directory, 'settings'),
      PATH: `${machine.path}:${process.env['PATH']}`,
    };
    return [await task(env), await steer(env)];
  } finally {
    for (const end of ends.toReversed()) end();
  }
};

type Environment = Readonly<Record<string, string>>;

const task = async (env: Environment): Promise<Row> => {
  const here: number[] = [];
  const there: number[] = [];
  // In turns, because a machine that others use is fast in one second and slow in the next.
  for (let round = 0; round < rounds; round += 1) {
    here.push(await perTask(env, 'local'));
    there.push(await perTask(env, 'gpu'));
  }
  const [local, value] = [median(here), median(there)];
  return {
    name: 'a task over ssh on loopback',
    value,
    unit: 'ms',
    base: { name: 'a task in a local worktree', value: local },
    spread: spreadOf(there),
    target: '≤ 3×',
    ok: value <= 3 * local,
  };
};

/** Milliseconds that one more task costs. */
const perTask = async (env: Environment, place: string): Promise<number> => {
  const few = await session(env, place, fewTasks);
  return ((await session(env, place, manyTasks)) - few) / (manyTasks - fewTasks);
};

const session = (env: Environment, place: string, tasks: number): Promise<number> =>
  inWorkspace(async (workspace) => {
    const lines = Array.from(
      { length: tasks },
      (_, at) => `  - {id: t-${at}, title: Task ${at}, files: [f${at}], run: ['touch f${at}'], on: ${place}}`,
    );
    const settings =
      '{isolation: worktree, planning: {max_cycles: 0}, concurrency: {max_parallel_executors: 1}}';
    writeFileSync(
      join(workspace, 'plan.yaml'),
      `goal: measure\nsettings: ${settings}\ntasks:\n${lines.join('\n')}\n`,
    );
    const start = performance.now();
    const words = ['run', '--plan', 'plan.yaml', '--yes', '--json', '--at-end', 'keep'];
    const { code, stderr, stdout } = await runProgram(words, { cwd: workspace, env });
    if (code !== 0) throw new Error(`${place} ended with ${code}\n${stderr}\n${stdout.slice(-2_000)}`);
    return performance.now() - start;
  });

const mostLater = 100;

const steer = async (env: Environment): Promise<Row> => {
  const here = await steered([], env);
  const there = await steered(['--on', 'gpu'], env);
  const [local, value] = [median([...here.samples]), median([...there.samples])];
  return {
    name: `steer file → agent over ssh (p95 ${Math.round(percentile(there.samples, 0.95))} ms)`,
    value,
    unit: 'ms',
    base: { name: 'steer file → agent here', value: local },
    spread: spreadOf(there.samples),
    target: `≤ base + ${mostLater} ms`,
    ok: value <= local + mostLater,
  };
};
