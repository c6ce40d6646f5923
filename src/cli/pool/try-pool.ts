import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../base/process/child-environment.ts';
import { readText } from '../../base/replace-file.ts';
import type { Cli } from '../cli.ts';
import { poolVariables } from '../runners/pool-login.ts';
import { createWorld } from '../world.ts';
import { startEmbedded } from './embedded-postgres.ts';
import { initPool, readVariables } from './init-pool.ts';
import { readPoolStatus } from './pool-status.ts';

interface Sample {
  /** Further settings of its plan. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly workspaceMade: (workspace: string) => void;
}

/** Runs the sample on a PostgreSQL of its own with two runners, all of this machine. Everything is gone when it returns. */
export const tryPool = async (
  cli: Cli,
  runSample: (env: Cli['env'], sample: Sample) => Promise<number>,
): Promise<number> => {
  const world = createWorld();
  const [directory = '', database = ''] = ['pool', 'database'].map((name) =>
    realpathSync(mkdtempSync(join(tmpdir(), `ralph-tui-${name}-`))),
  );
  const leftovers = [directory, database];
  const runners: ChildProcess[] = [];
  cli.note('Starting a PostgreSQL and two runners on this machine …');
  try {
    const server = await startEmbedded({
      directory: database,
      password: world.random.hex(32),
    });
    try {
      const own = { ...cli.env, XDG_STATE_HOME: join(directory, 'state'), [poolVariables.url]: server.url };
      // A process that is asked itself keeps nothing in the state of this account either.
      process.env['XDG_STATE_HOME'] = own.XDG_STATE_HOME;
      const made = await initPool({ env: own }, world, {
        ...{ reference: `env:${poolVariables.url}`, queue: 'default', directory: join(directory, 'login') },
      });
      const variables = (file: string) => Object.fromEntries(readVariables(readText(world.disk, file) ?? ''));
      for (const name of ['one', 'two'])
        runners.push(
          startRunner(own, variables(made.runnerFile), { name, directory: join(directory, name) }),
        );
      const host = variables(made.hostFile);
      await runnersThere(host[poolVariables.url] ?? '', runners);
      cli.note('Both are there. The sample runs on them.');
      return await runSample(
        { ...own, ...host },
        {
          settings: {
            runners: { ci: { pool: `env:${poolVariables.url}` } },
            on: { all: 'ci' },
            isolation: 'worktree',
          },
          workspaceMade: (workspace) => void leftovers.push(workspace),
        },
      );
    } finally {
      await Promise.all(runners.map(stopRunner));
      await server.stop();
    }
  } finally {
    for (const left of leftovers) rmSync(left, { recursive: true, force: true, maxRetries: 3 });
    cli.note('The runners, the database and the sample are gone.');
  }
};

const startRunner = (
  env: Cli['env'],
  variables: Readonly<Record<string, string>>,
  { name, directory }: { readonly name: string; readonly directory: string },
): ChildProcess =>
  spawn(
    process.execPath,
    [
      ...[process.argv[1] ?? '', 'runner', '--pool', `env:${poolVariables.url}`],
      ...['--slots', '2', '--name', name, '--in', directory, '--with-input'],
    ],
    // A Ctrl-C of the terminal is for the session: the runners end after it.
    {
      cwd: '/',
      env: childEnvironment(env, variables),
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    },
  );

/** Milliseconds that a runner has to hand its work back. */
const stopMs = 15_000;

const stopRunner = async (runner: ChildProcess): Promise<void> => {
  if (runner.exitCode !== null || runner.signalCode !== null) return;
  const ended = new Promise((resolve) => runner.once('exit', resolve));
  runner.stdin?.end();
  const hard = setTimeout(() => runner.kill('SIGKILL'), stopMs);
  await ended;
  clearTimeout(hard);
};

const lookEveryMs = 200;
const looks = 100;

const runnersThere = async (url: string, runners: readonly ChildProcess[]): Promise<void> => {
  for (let look = 0; look < looks; look += 1) {
    const { runners: there } = await readPoolStatus(url);
    if (there.length >= runners.length) return;
    if (runners.some(({ exitCode }) => exitCode !== null)) break;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  throw new Error('the runners of the sample did not start');
};
