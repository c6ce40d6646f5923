import { listProcesses, markersOf, type ProcessEntry } from './process-table.io.ts';

/**
 * Suspends this program with its process group, as a shell's ctrl-z does, and returns when it was continued. Agents and commands that it started
 * have sessions of their own, so the shell does not reach them: they are stopped first and continued afterwards. Nobody would check their requests
 * or hear an ABORT meanwhile. `stopSelf` is called between the two.
 */
export const suspendTree = (stopSelf: () => void): void => {
  const stopped = new Map<number, string>();
  // A process that was just being started is found by the next search.
  for (let found = runTree(); found.some(({ pid }) => !stopped.has(pid)); found = runTree())
    for (const { pid, startTime } of found) {
      if (stopped.has(pid)) continue;
      stopped.set(pid, startTime);
      send(pid, 'SIGSTOP');
    }
  try {
    stopSelf();
  } finally {
    const now = new Map(listProcesses().map(({ pid, startTime }) => [pid, startTime]));
    for (const [pid, startTime] of stopped) if (now.get(pid) === startTime) send(pid, 'SIGCONT');
  }
};

/** Sends the stop of a terminal to this process group. Returns when the group was continued. A group that no shell would continue is not stopped. */
export const stopGroup = (): void => {
  process.kill(0, 'SIGTSTP');
};

/** Whether a shell has the terminal back when this program stops: the parent of its process group is in the same session. */
export const hasShell = (): boolean => {
  const all = new Map(listProcesses().map((entry) => [entry.pid, entry]));
  const self = all.get(process.pid);
  if (self === undefined) return false;
  return [...all.values()]
    .filter(({ group }) => group === self.group)
    .some(({ parent }) => {
      const above = all.get(parent);
      return above !== undefined && above.group !== self.group && sameSession(above, self);
    });
};

/** `ps` of some systems does not name the session. */
const sameSession = (one: ProcessEntry, other: ProcessEntry): boolean => one.session === other.session;

/** The processes of the runs of this program: what it started with a marker, and all below that. A host in the background has no marker of ours. */
const runTree = (): readonly ProcessEntry[] => {
  const running = listProcesses().filter(({ ended, pid }) => !ended && pid !== process.pid);
  const children = running.filter(({ parent }) => parent === process.pid).map(({ pid }) => pid);
  const own = process.env['RALPH_RUN'];
  const marked = new Set([...markersOf(children)].filter(([, marker]) => marker !== own).map(([pid]) => pid));
  const found = new Set<number>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent, session, group } of running)
      if (marked.has(pid) || marked.has(session) || marked.has(group) || found.has(parent)) found.add(pid);
  }
  return running.filter(({ pid }) => found.has(pid));
};

/** A process that has ended meanwhile, or may not be signalled, stays as it is. */
const send = (pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void => {
  try {
    process.kill(pid, signal);
  } catch {}
};
