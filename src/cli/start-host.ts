import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionPaths } from '../session/paths.ts';
import { type Cli, failure } from './cli.ts';
import { hostOf } from './open-session.ts';
import { flagWords } from './options.ts';
import type { EngineWish } from './wire.ts';
import type { World } from './world.ts';

/** What the background host says, faults above all: `<session>/host.log`, for its owner alone. */
export const hostLog = (paths: SessionPaths): string => join(paths.directory, 'host.log');

const startsWithinMs = 30_000;
const lookEveryMs = 50;

/**
 * Starts this program anew as the host of a session, in a process group and terminal session of its own, and resolves with its pid once it holds
 * the session's lock. `args`: what a new session is made of; none resumes. What was agreed to is told on: nobody can be asked there. Throws what the host said when it did not start.
 */
export const startHost = async (
  cli: Cli,
  world: World,
  { paths, config, flags }: Pick<EngineWish, 'paths' | 'config' | 'flags'>,
  args: readonly string[] = [],
): Promise<number> => {
  const log = openSync(hostLog(paths), 'a', 0o600);
  const program = process.argv[1] ?? '';
  const agreed = ['--agreed', config ?? 'nothing'];
  const child = spawn(
    process.execPath,
    [...process.execArgv, program, 'host', paths.directory, ...agreed, ...flagWords(flags), ...args],
    {
      cwd: paths.workspace,
      env: cli.env,
      detached: true,
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  let gone = false;
  child.on('error', () => {
    gone = true;
  });
  child.on('exit', () => {
    gone = true;
  });
  // By the number of looks: a machine that slept in between gave it no time to start.
  for (let look = 0; ; look += 1) {
    const holder = hostOf(world, paths);
    if (holder?.alive && holder.pid === child.pid) break;
    // A short session may be over before anybody looked: it ran all the same.
    if (gone && child.exitCode !== null && holder === null && child.exitCode !== 1) break;
    if (gone || look > startsWithinMs / lookEveryMs) throw failure(notStarted(paths));
    await new Promise<void>((resolve) => void world.clock.after(lookEveryMs, resolve));
  }
  child.unref();
  return child.pid ?? 0;
};

const notStarted = (paths: SessionPaths) => {
  const said = readFileSync(hostLog(paths), 'utf8').trim().split('\n').at(-1) ?? '';
  return {
    code: 'host-not-started',
    what: `the background host did not start${said === '' ? '' : ` (${said})`}`,
    where: hostLog(paths),
    mend: `\`ralph-tui resume ${paths.session}\` goes on in this terminal`,
  };
};
