import type { Disk } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import { readJournal } from '../observability/journal-file.ts';
import { repairJournal } from '../observability/journal-repair.ts';
import type { Event } from '../pipeline/event.ts';
import { evolveAll } from '../pipeline/evolve.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { SessionPaths } from '../session/paths.ts';
import { restoreDefinitions } from './snapshots/restore-definitions.ts';
import type { KnownSnapshots } from './snapshots/snapshots.ts';

/** What a new engine reads from the journal (src/engine/README.md, Crash recovery). */
export interface Recalled {
  readonly state: SessionState;
  readonly events: readonly Event[];
  readonly problems: readonly Fault[];
  readonly snapshots: KnownSnapshots;
  /** Invocations that were running when the last engine ended. Their processes may still run. */
  readonly dead: readonly string[];
}

/** Reads the journal back after repairing its torn tail; `null` when there is none. The caller must hold the lock. */
export const recall = (disk: Disk, paths: SessionPaths): Recalled | null => {
  const repair = repairJournal(disk, paths.journal);
  const { events, problems } = readJournal(disk, paths.journal);
  if (events.length === 0) return null;
  const { state, bases, hashes } = fold(events);
  const torn: readonly Fault[] = repair
    ? [
        {
          code: 'journal-torn',
          what: `the incomplete last line (${repair.cutBytes} ${repair.cutBytes === 1 ? 'byte' : 'bytes'}) was cut off`,
          where: 'journal.jsonl',
          hint: `it is kept in ${repair.keptIn}`,
        },
      ]
    : [];
  const dead = [...state.invocations.values()].filter(({ stage }) => stage === 'running');
  return {
    // Its current place, not its first: a workspace may have been moved, and nothing may run in a place that a copied journal names.
    state: restoreDefinitions(disk, paths, {
      ...state,
      workspace: paths.workspace,
      session: paths.session,
    }),
    events,
    problems: [...torn, ...problems],
    snapshots: { hashes, bases },
    dead: dead.map(({ id }) => id),
  };
};

/** Folds the journal. Keeps the state of each snapshot's last write and, when the journal ends there, of the write before. */
const fold = (events: readonly Event[]) => {
  const hashes = new Map<string, Set<string>>();
  const writes = new Map<string, readonly number[]>();
  events.forEach((event, index) => {
    if (event.type !== 'snapshot.written') return;
    hashes.set(event.file, (hashes.get(event.file) ?? new Set()).add(event.hash));
    writes.set(event.file, [...(writes.get(event.file) ?? []), index].slice(-2));
  });
  // Snapshot lines at the very end: the renames they announce may not have happened.
  const certain = events.findLastIndex((event) => event.type !== 'snapshot.written');
  const states = statesAt(events, new Set([...writes.values()].flat()));
  const bases = new Map<string, { last: SessionState; earlier: SessionState | null }>();
  for (const [file, [first = 0, second = first]] of writes) {
    const last = states.get(second);
    if (last)
      bases.set(file, {
        last,
        earlier: second > certain && first !== second ? (states.get(first) ?? null) : null,
      });
  }
  return { state: evolveAll(states.get(-1) ?? null, []), hashes, bases };
};

/** The states after the given lines; key -1 holds the state after the last line. */
const statesAt = (
  events: readonly Event[],
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, SessionState> => {
  const states = new Map<number, SessionState>();
  let state: SessionState | null = null;
  let from = 0;
  for (const index of [...wanted].sort((a, b) => a - b)) {
    state = evolveAll(state, events.slice(from, index + 1));
    states.set(index, state);
    from = index + 1;
  }
  return states.set(-1, evolveAll(state, events.slice(from)));
};
