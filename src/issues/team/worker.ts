import type { Roster } from '../position/roster.ts';
import { type FlowRole, taskRoles } from '../task-list/task-phase.ts';

/** A member of a team: a named slot. Each of its tasks is a new session of an agent. */
export interface Worker {
  /** `builder-2`: unique in its session. */
  readonly name: string;
  readonly role: FlowRole;
}

/**
 * The workers that a roster still lacks, in its order. Only roles with work get any: a roster names none that have nothing to do in it.
 * `taken`: every name that is in use, by workers of other programs, too.
 */
export const missingWorkers = (
  roster: Roster,
  existing: readonly Worker[],
  hasWork: (role: FlowRole) => boolean,
  taken: readonly Worker[] = existing,
): readonly Worker[] =>
  taskRoles.flatMap((role) => {
    const there = existing.filter((worker) => worker.role === role).length;
    const wanted = hasWork(role) ? Math.max(1, roster[role]) : 0;
    return Array.from({ length: Math.max(0, wanted - there) }, (_, at) => ({
      name: workerName(role, taken, at),
      role,
    }));
  });

/** The name of a further worker of a role: `builder-3` after two of them. `skip`: how many free names to leave out. */
export const workerName = (role: FlowRole, existing: readonly Worker[], skip = 0): string => {
  const taken = new Set(existing.map(({ name }) => name));
  let left = skip;
  for (let number = 1; ; number += 1) {
    const name = `${role}-${number}`;
    if (taken.has(name)) continue;
    if (left === 0) return name;
    left -= 1;
  }
};
