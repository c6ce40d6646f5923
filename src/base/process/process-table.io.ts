import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { limitMark, limitOf } from './limit-mark.io.ts';
import type { ProcessIdentity } from './spawn.ts';

/** One process as the operating system lists it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The process whose `setsid` made its session; 0 when unknown. */
  readonly session: number;
  readonly startTime: string;
  /** A zombie has ended and only waits for its parent to reap it. */
  readonly ended: boolean;
}

const hasProc = existsSync('/proc/self/stat');

/** Every visible process. */
export const listProcesses = (): readonly ProcessEntry[] =>
  hasProc
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((name) => readStat(name) ?? [])
    : psEntries(['-A']);

/** The process with this pid, or `null` when there is none. */
export const readProcess = (pid: number): ProcessEntry | null =>
  hasProc ? readStat(String(pid)) : (psEntries(['-p', String(pid)])[0] ?? null);

/** The pids that carry one of these markers: as `RALPH_RUN` in the environment or, on Linux, as a limit, which outlives the environment. */
export const findMarked = (markers: readonly string[], pids: readonly number[]): ReadonlySet<number> => {
  const [words, limits] = [new Set(markers), new Set(markers.map(limitMark))];
  const named = markersOf(pids);
  return new Set(
    pids.filter((pid) => words.has(named.get(pid) ?? '') || (hasProc && limits.has(limitOf(pid)))),
  );
};

/** The `RALPH_RUN` of each of these processes that has one. Leaves out unreadable processes. */
export const markersOf = (pids: readonly number[]): ReadonlyMap<number, string> =>
  new Map(
    (hasProc ? pids.map(environmentOf) : psEnvironments(new Set(pids))).flatMap(({ pid, words }) => {
      const word = words.find((each) => each.startsWith(runWord));
      return word === undefined ? [] : [[pid, word.slice(runWord.length)] as const];
    }),
  );

const runWord = 'RALPH_RUN=';

interface Environment {
  readonly pid: number;
  readonly words: readonly string[];
}

const environmentOf = (pid: number): Environment => {
  // Most processes carry no marker at all: the cheap test comes before the split.
  const text = readOr(`/proc/${pid}/environ`, '');
  return { pid, words: text.includes(runWord) ? text.split('\0') : [] };
};

/** The identity of this process: survives pid reuse and tells boots and containers apart. */
export const ownIdentity = (): ProcessIdentity => ({
  boot: hasProc
    ? readOr('/proc/sys/kernel/random/boot_id', 'unknown').trim()
    : sysctl('kern.bootsessionuuid'),
  pidNamespace: ownNamespace(),
  pid: process.pid,
  startTime: readProcess(process.pid)?.startTime ?? 'unknown',
});

/** Whether this process may set and read its terminal: its process group is in the foreground. */
export const hasTerminal = (): boolean => {
  const text = hasProc
    ? readOr('/proc/self/stat', '')
        .replace(/^.*\) /s, '')
        .split(' ')
        .slice(2, 6)
    : (ps(['-p', String(process.pid), '-o', 'pgid=', '-o', 'tpgid='])[0]
        ?.trim()
        .split(/\s+/) ?? []);
  return text[0] !== undefined && text[0] === text.at(-1);
};

const ownNamespace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return 'none';
  }
};

const readOr = (path: string, otherwise: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
};

/** Fields of proc_pid_stat(5), counted from 3 after the last parenthesis: the name before it may contain any character. */
const readStat = (pid: string): ProcessEntry | null => {
  const text = readOr(`/proc/${pid}/stat`, '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startTime = fields[19];
  if (text === '' || startTime === undefined) return null;
  return {
    pid: Number(pid),
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTime,
    ended: fields[0] === 'Z' || fields[0] === 'X',
  };
};

const ps = (args: readonly string[]): readonly string[] => {
  try {
    const printed = execFileSync('/bin/ps', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    });
    return printed.split('\n').filter(Boolean);
  } catch {
    return [];
  }
};

const psLine = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/;

const psEntries = (which: readonly string[]): readonly ProcessEntry[] =>
  ps([...which, '-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart=']).flatMap(
    (line) => {
      const [, pid, parent, group, state, startTime] = psLine.exec(line) ?? [];
      if (startTime === undefined) return [];
      const ended = state?.startsWith('Z') === true;
      return [
        { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, startTime, ended },
      ];
    },
  );

/** macOS prints the environment after the command, for the user's own unprotected processes. */
const psEnvironments = (pids: ReadonlySet<number>): readonly Environment[] =>
  ps(['-A', '-E', '-ww', '-o', 'pid=', '-o', 'command='])
    .map((line) => ({ pid: Number.parseInt(line, 10), words: line.split(' ') }))
    .filter(({ pid }) => pids.has(pid));

const sysctl = (name: string): string => {
  try {
    return execFileSync('/usr/sbin/sysctl', ['-n', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
};
