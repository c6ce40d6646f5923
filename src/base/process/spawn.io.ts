import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterAwake } from '../after-awake.ts';
import { createClock } from '../clock.io.ts';
import type { Clock } from '../clock.ts';
import { findTyped } from './find-program.ts';
import { withLimitMark } from './limit-mark.io.ts';
import { isRunnable, ownProgram } from './own-program.io.ts';
import { findPossiblyLeft, findSurvivors } from './possibly-left.io.ts';
import { ownIdentity, readProcess } from './process-table.io.ts';
import type {
  Child,
  ChildExit,
  ProcessIdentity,
  Spawn,
  SpawnCommand,
  SpawnListener,
  StopReport,
} from './spawn.ts';
import { stopProcesses } from './stop-processes.io.ts';

/** Real child processes. */
export const createSpawn = (clock: Clock = createClock()): Spawn => {
  const self = ownIdentity();
  return {
    self,
    isAlive: (identity) => isAlive(self, identity),
    start: (command, listen) => start(clock, command, listen),
    possiblyLeft: findPossiblyLeft,
    survivors: findSurvivors,
    stopMarked: (markers, graceMs) => stopProcesses(clock, { markers, leader: null }, graceMs),
  };
};

/** The time a command gets to end by itself after its timeout. */
const timeoutGraceMs = 2_000;

/** How long to keep reading output after a command has ended while a leftover child holds its pipes open. */
const lingerMs = 500;

const isAlive = (self: ProcessIdentity, other: ProcessIdentity): 'alive' | 'dead' | 'unknown' => {
  if (other.boot !== self.boot || other.pidNamespace !== self.pidNamespace) return 'unknown';
  const entry = readProcess(other.pid);
  if (entry === null) return isListed(other.pid) ? 'unknown' : 'dead';
  return !entry.ended && entry.startTime === other.startTime ? 'alive' : 'dead';
};

/** Some systems hide the processes of other users: a process that cannot be inspected may still exist. */
const isListed = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
};

const start = (clock: Clock, command: SpawnCommand, listen: SpawnListener): Child => {
  const unable = whyNoDirectory(command.cwd);
  if (unable !== null) return neverRan(unable);
  const started = run(command);
  if (typeof started === 'string') return neverRan(whyNotStarted(command, started));
  const { pid, stdin } = started;
  const leader = pid === undefined ? null : { pid, startTime: readProcess(pid)?.startTime ?? 'unknown' };
  const stop = (graceMs: number): Promise<StopReport> =>
    stopProcesses(clock, { markers: [command.marker], leader }, graceMs);

  // Handing over a chunk is synchronous, so the pipe is the only buffer: it slows down a child that prints endlessly.
  started.stdout.on('data', (bytes: Uint8Array) => listen.output(bytes, 'stdout'));
  started.stderr.on('data', (bytes: Uint8Array) => listen.output(bytes, 'stderr'));
  if (leader) listen.started?.(leader);

  let timedOut: Promise<StopReport> | null = null;
  const cancelTimeout =
    command.timeoutMs === undefined
      ? () => {}
      : afterAwake(clock, command.timeoutMs, () => {
          timedOut = stop(timeoutGraceMs);
        });
  let ended: ChildExit | null = null;
  let cancelLinger = (): void => {};
  started.once('exit', (code, signal) => {
    cancelTimeout();
    ended = signal ? { kind: 'signalled', signal } : { kind: 'exited', code: code ?? 0 };
    cancelLinger = afterAwake(clock, lingerMs, () => {
      started.stdout.destroy();
      started.stderr.destroy();
    });
  });
  const closed = codeAtClose(started);
  const exit = async (): Promise<ChildExit> => {
    const code = await closed;
    cancelTimeout();
    cancelLinger();
    if (timedOut) {
      await timedOut;
      return { kind: 'timed-out' };
    }
    return ended ?? { kind: 'not-started', reason: whyNotStarted(command, code) };
  };
  // A child that ends during a write breaks the pipe: the write rejects, and `exit` gives the reason.
  stdin?.on('error', () => {});
  if (command.input !== undefined) stdin?.end(command.input);
  const write = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      if (!command.talk || !stdin?.writable) reject(new Error('its stdin is closed'));
      else stdin.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  return { exit: exit(), stop, write, endInput: () => void stdin?.end() };
};

/** `--` because a shell line may begin with a dash. */
const argumentsOf = (command: SpawnCommand['command']): readonly string[] =>
  typeof command === 'string' ? ['/bin/sh', '-c', '--', command] : command;

/**
 * Starts the process, or gives the code of the error. Node throws some errors (E2BIG, an empty name) and emits others. Not execa:
 * what it adds is switched off for output of any size, and every command would load its 230 kB.
 */
const run = (command: SpawnCommand): Started | string => {
  const argv = startable(command);
  if (argv === null) return 'ENOENT';
  const [file, ...args] = argv;
  const options = {
    cwd: command.cwd,
    env: { ...command.env, RALPH_RUN: command.marker },
    // Its own group and session. We stop and verify it ourselves, never merely because this process ends.
    detached: true,
  };
  const readsInput = command.talk || command.input !== undefined;
  try {
    return readsInput
      ? spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
      : spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    return codeOf(error) ?? 'for an unknown reason';
  }
};

/** With the marker as a limit too. A program that cannot be run is left to `spawn`, whose error names the reason. */
const startable = ({
  command,
  asTyped,
  cwd,
  env,
  marker,
}: SpawnCommand): readonly [string, ...string[]] | null => {
  const [program = '', ...args] = argumentsOf(command);
  if (asTyped)
    return findTyped(program, cwd, env['PATH'], isRunnable) === null
      ? [program, ...args]
      : withLimitMark([program, ...args], marker, env);
  const file = ownProgram(program, env['PATH'], [cwd]);
  if (file === null) return null;
  return isRunnable(resolve(cwd, file)) ? withLimitMark([file, ...args], marker, env) : [file, ...args];
};

type Started = ChildProcessByStdio<Writable | null, Readable, Readable>;

/** Resolves when the process has ended and its output is read, or with the code of the error when it did not start. */
const codeAtClose = (started: Started): Promise<string | undefined> =>
  new Promise((resolve) => {
    for (const stream of [started.stdout, started.stderr]) stream.on('error', () => {});
    started.on('error', (error) => {
      if (started.pid === undefined) resolve(codeOf(error));
    });
    started.once('close', () => resolve(undefined));
  });

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const neverRan = (reason: string): Child => ({
  exit: Promise.resolve({ kind: 'not-started', reason }),
  write: () => Promise.reject(new Error('it never ran')),
  endInput: () => {},
  stop: () => Promise.resolve({ stopped: [], unverified: [] }),
});

/** Runs first, because a missing directory and a missing program give the same error afterwards. */
const whyNoDirectory = (cwd: string): string | null => {
  try {
    return statSync(cwd).isDirectory() ? null : `the working directory ${cwd} is not a directory`;
  } catch {
    return `the working directory ${cwd} does not exist or cannot be entered`;
  }
};

const whyNotStarted = (command: SpawnCommand, code: string | undefined): string => {
  const [file = ''] = argumentsOf(command.command);
  switch (code) {
    case 'ENOENT':
      return `${/^[\w./-]+$/.test(file) ? file : JSON.stringify(file)}: command not found`;
    case 'EACCES':
      return `${JSON.stringify(file)} is not an executable file, or this account is not allowed to run it`;
    case 'E2BIG':
      return `the arguments of ${JSON.stringify(file)} are longer than the system allows`;
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return `the system cannot start another process (${code})`;
    default:
      return `${JSON.stringify(file)} could not be started (${code ?? 'for an unknown reason'})`;
  }
};
