import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionPaths } from '../../session/paths.ts';
import { type Cli, failure } from '../cli.ts';
import { flagWords } from '../options.ts';
import { hostOf, readSession } from '../session/open-session.ts';
import type { World } from '../world.ts';
import type { EngineRequest } from './wire.ts';

/** Output of the background host, mainly faults: `<session>/host.log`, readable by its owner only. */
export const hostLog = (paths: SessionPaths): string => join(paths.directory, 'host.log');

const startsWithinMs = 30_000;
const lookEveryMs = 50;

/**
 * Starts this program as the host of a session, in its own process group and terminal session. Resolves with its pid once it holds the
 * session and the journal says so: a command that follows finds the session running. `args` describe a new session; without them the host
 * resumes. Passes on the accepted trust digest, because the host cannot ask. Throws the last line of the host's log when it did not start.
 */
export const startHost = async (
  cli: Cli,
  world: World,
  { paths, config, flags }: Pick<EngineRequest, 'paths' | 'config' | 'flags'>,
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
  // Counts looks instead of time: a machine that slept gave the host no time to start.
  for (let look = 0; ; look += 1) {
    const holder = hostOf(world, paths);
    const isHeld = holder?.alive === true && holder.pid === child.pid;
    const isLate = look > startsWithinMs / lookEveryMs;
    // A host that holds the session but is still ending what an earlier one left is given the rest of the time.
    if (isHeld && (isLate || readSession(world, paths).state.host?.pid === child.pid)) break;
    // A short session may be over before the first look. It ran all the same.
    if (gone && child.exitCode !== null && holder === null && child.exitCode !== 1) break;
    if (gone || isLate) throw failure(notStarted(paths));
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
    hint: `\`ralph-tui resume ${paths.session}\` runs the session in this terminal`,
  };
};
