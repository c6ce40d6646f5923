import { execFileSync, spawn } from 'node:child_process';
import { accessSync, chmodSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { programFile } from './program.ts';
import { makeTempDir, removeTempDir } from './temp-dir.ts';

const sshd = '/usr/sbin/sshd';

/** Whether the system's sshd is there and may be started. */
export const canSsh = (): boolean => {
  try {
    accessSync(sshd);
    execFileSync('ssh', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** A real sshd on a high loopback port with keys of its own, as the machine `gpu1` of an ssh configuration of its own. */
export interface SshMachine {
  /** To be put before PATH: its `ssh` reads that configuration. */
  readonly path: string;
  /** The state directory of the program there. */
  readonly state: string;
  /** The words of `runners.NAME.command`. */
  readonly command: readonly string[];
  /** Ends the connections that stand, and the server. */
  down(): void;
  up(): Promise<void>;
  readonly directory: string;
  /** The processes that keep links there. */
  keepers(): readonly number[];
  /** Ends every keeper there. */
  killKeepers(signal: NodeJS.Signals): readonly number[];
}

/** `atEnd` takes what ends it: of the test that asked for it, unless another owner is named. */
export const startSshMachine = async (
  atEnd: (end: () => void) => void = onTestFinished,
): Promise<SshMachine> => {
  const directory = makeTempDir();
  atEnd(() => removeTempDir(directory));
  const at = (name: string): string => join(directory, name);
  const key = (name: string): void =>
    void execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)]);
  key('host');
  key('user');
  const port = await freePort();
  mkdirSync('/run/sshd', { recursive: true });
  writeFileSync(
    at('sshd_config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${at('host')}`,
      'PidFile none',
      `AuthorizedKeysFile ${at('user.pub')}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'PermitRootLogin yes',
      'MaxStartups 100',
      // Without the start files of this account's shell, whatever they do and however long they take.
      `SetEnv HOME=${at('home')}`,
    ].join('\n'),
  );
  writeFileSync(
    at('config'),
    [
      'Host gpu1',
      '  HostName 127.0.0.1',
      `  Port ${port}`,
      `  User ${userInfo().username}`,
      `  IdentityFile ${at('user')}`,
      '  IdentitiesOnly yes',
      `  UserKnownHostsFile ${at('known')}`,
    ].join('\n'),
  );
  writeFileSync(at('known'), `[127.0.0.1]:${port} ${readFileSync(at('host.pub'), 'utf8')}`);
  mkdirSync(at('home'));
  mkdirSync(at('bin'));
  writeFileSync(at('bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${at('config')} "$@"\n`);
  chmodSync(at('bin/ssh'), 0o755);
  let server: ReturnType<typeof spawn> | null = null;
  let gone: Promise<void> = Promise.resolve();
  const up = async (): Promise<void> => {
    // A killed one has its port until it has ended.
    await gone;
    const child = spawn(sshd, ['-D', '-e', '-f', at('sshd_config')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    server = child;
    gone = new Promise((resolve) => child.on('exit', () => resolve()));
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stderr.on('data', (bytes: Buffer) => {
        said += bytes.toString();
        if (bytes.includes('Server listening')) resolve();
      });
      child.on('exit', () => reject(new Error(`sshd ended: ${said}`)));
    });
  };
  const down = (): void => {
    const pid = server?.pid;
    server = null;
    if (pid === undefined) return;
    for (const child of descendantsOf(pid)) killOne(child, 'SIGKILL');
    killOne(pid, 'SIGKILL');
  };
  const state = at('state');
  const keepers = (): readonly number[] => {
    const pids = pidsOf(isKeeper).filter((pid) => environmentOf(pid).includes(`XDG_STATE_HOME=${state}`));
    // A process that a keeper starts looks like it until it executes its command.
    return pids.filter((pid) => !pids.includes(parentOf(pid)));
  };
  const killKeepers = (signal: NodeJS.Signals): readonly number[] => {
    const pids = keepers();
    for (const pid of pids) killOne(pid, signal);
    return pids;
  };
  await up();
  atEnd(() => {
    down();
    killKeepers('SIGKILL');
  });
  return {
    directory,
    path: at('bin'),
    state,
    command: ['env', `XDG_STATE_HOME=${state}`, process.execPath, programFile],
    down,
    up,
    keepers,
    killKeepers,
  };
};

const killOne = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
};

const procText = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

const allPids = (): readonly number[] =>
  execFileSync('ls', ['/proc'], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => /^\d+$/u.test(name))
    .map(Number);

const wordsOf = (pid: number): readonly string[] => procText(pid, 'cmdline').split('\0');

const isKeeper = (words: readonly string[]): boolean =>
  words.includes('--keep') && words.includes(programFile);

const parentOf = (pid: number): number => Number(/^PPid:\s*(\d+)/mu.exec(procText(pid, 'status'))?.[1] ?? 0);

const pidsOf = (fits: (words: readonly string[]) => boolean): readonly number[] =>
  allPids().filter((pid) => fits(wordsOf(pid)));

const environmentOf = (pid: number): readonly string[] => procText(pid, 'environ').split('\0');

/** The sessions of the server, without keepers and what runs below them: a cut of the network ends none of these. */
const descendantsOf = (pid: number): readonly number[] => {
  const parents = new Map(allPids().map((each) => [each, parentOf(each)]));
  const found: number[] = [];
  for (let level = [pid]; level.length > 0; ) {
    level = [...parents].flatMap(([child, parent]) =>
      level.includes(parent) && !procText(child, 'cmdline').includes('--keep') ? [child] : [],
    );
    found.push(...level);
  }
  return found;
};

/** Below the ports that the system gives out by itself: nobody else gets it while this machine is down for a moment. */
const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * Processes that work below this directory: their current directory lies in it. Not the runner's own git, which keeps what an agent left, nor a process of
 * the keeper before it executes its command.
 */
export const processesWith = (directory: string): readonly number[] =>
  allPids().filter((pid) => {
    try {
      const isBelow = readlinkSync(`/proc/${pid}/cwd`).startsWith(directory);
      return isBelow && procText(pid, 'comm').trim() !== 'git' && !isKeeper(wordsOf(pid));
    } catch {
      return false;
    }
  });

/** Their commands, so that a failed test names them. */
export const commandsWith = (directory: string): readonly string[] =>
  processesWith(directory).map((pid) => wordsOf(pid).join(' ').trim());
