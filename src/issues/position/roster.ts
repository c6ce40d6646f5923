import { isBefore, type Phase } from './phase.ts';

/** The number of workers for each role of a team. */
export interface Roster {
  readonly analyst: number;
  readonly builder: number;
  readonly validator: number;
  readonly integrator: number;
}

const nobody: Roster = { analyst: 0, builder: 0, validator: 0, integrator: 0 };

/**
 * The roster for the open phases of a group (src/issues/README.md, Position): one analyst and one more for each three issues to triage, split or research, at
 * most 3 and none when there is nothing to find out; one builder per stream, at most 3.
 */
export const suggestRoster = (open: readonly Phase[], streams: number): Roster => {
  if (open.length === 0) return nobody;
  const unknown = open.filter((phase) => isBefore(phase, 'PLAN')).length;
  return {
    analyst: unknown === 0 ? 0 : Math.min(3, 1 + Math.floor(unknown / 3)),
    builder: Math.min(3, Math.max(1, streams)),
    validator: 1,
    integrator: 1,
  };
};
