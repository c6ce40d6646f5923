import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { findMarked, listProcesses, type ProcessEntry, readProcess } from './process-table.io.ts';
import type { Survivors } from './spawn.ts';

/**
 * Processes that a command may have left without any tie that proves it: of this user, started after this program, adopted by the system, without
 * a terminal and without a marker, and with their working directory or an open file in the workspace. A daemon that another program started for it is one.
 * They are reported, not stopped: they may belong to another program. Works only with `/proc`; empty elsewhere.
 */
export const findPossiblyLeft = (workspace: string): readonly number[] => {
  const self = readProcess(process.pid);
  return self === null ? [] : possiblyLeftAmong(listOthers(), self, workspace);
};

/**
 * What runs at the end of an agent's work, in one look of a few milliseconds: processes with its marker, and those that `findPossiblyLeft` names. A
 * process in the middle of an exec is missed; ABORT and the end of the session look twice.
 */
export const findSurvivors = (marker: string, workspace: string): Survivors => {
  const self = readProcess(process.pid);
  if (self === null) return { marked: [], possibly: [] };
  const running = listOthers();
  // None of our agents started a process that is older than this program.
  const younger = isUnderProc(self)
    ? running.filter(({ startTime }) => Number(startTime) >= Number(self.startTime))
    : running;
  const marked = findMarked(
    [marker],
    younger.map(({ pid }) => pid),
  );
  return { marked: [...marked], possibly: possiblyLeftAmong(running, self, workspace) };
};

const listOthers = (): readonly ProcessEntry[] =>
  listProcesses().filter((entry) => !entry.ended && entry.pid !== process.pid);

const possiblyLeftAmong = (
  running: readonly ProcessEntry[],
  self: ProcessEntry,
  workspace: string,
): readonly number[] => {
  if (!isUnderProc(self)) return [];
  const root = realPath(workspace);
  const found = new Map<number, ProcessEntry>();
  for (const entry of running)
    if (Number(entry.startTime) >= Number(self.startTime) && isOrphan(entry) && isUnclaimed(entry.pid))
      found.set(entry.pid, entry);
  // Adds children and further descendants: each pass goes one generation deeper.
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const entry of running) if (found.has(entry.parent)) found.set(entry.pid, entry);
  }
  return [...found.keys()].filter((pid) => reachesInto(pid, root));
};

/** `ps` reports start times as dates, which cannot be compared. */
const isUnderProc = ({ startTime }: ProcessEntry): boolean => /^\d+$/.test(startTime);

const adopters: ReadonlySet<string> = new Set(['systemd', 'init', 'tini', 'dumb-init', 'docker-init']);

/** Its parent has ended, and the system or the user's own systemd adopted it. */
const isOrphan = ({ parent }: ProcessEntry): boolean =>
  parent === 1 || adopters.has(textOf(`/proc/${parent}/comm`).trim());

/** Of this user, without a terminal, and unknown to us: no marker of a session, and not this program hosting another one. */
const isUnclaimed = (pid: number): boolean => {
  const program = process.argv[1];
  const hosts = program !== undefined && textOf(`/proc/${pid}/cmdline`).split('\0').includes(program);
  return (
    !hosts &&
    ownerOf(pid) === process.getuid?.() &&
    terminalOf(pid) === '0' &&
    !textOf(`/proc/${pid}/environ`).includes('RALPH_RUN=')
  );
};

/** Field 7 of proc_pid_stat(5): 0 without a terminal. */
const terminalOf = (pid: number): string | undefined =>
  textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')[4];

const reachesInto = (pid: number, root: string): boolean => {
  const isInside = (path: string): boolean => path === root || path.startsWith(`${root}/`);
  if (isInside(linkOf(`/proc/${pid}/cwd`))) return true;
  return namesIn(`/proc/${pid}/fd`).some((name) => isInside(linkOf(`/proc/${pid}/fd/${name}`)));
};

const attempt = <T>(read: () => T, otherwise: T): T => {
  try {
    return read();
  } catch {
    // It ended meanwhile, or we may not inspect it.
    return otherwise;
  }
};

const textOf = (path: string): string => attempt(() => readFileSync(path, 'utf8'), '');
const linkOf = (path: string): string => attempt(() => readlinkSync(path), '');
const namesIn = (path: string): readonly string[] => attempt(() => readdirSync(path), []);
const ownerOf = (pid: number): number | null => attempt(() => statSync(`/proc/${pid}`).uid, null);
const realPath = (path: string): string => attempt(() => realpathSync(path), path);
