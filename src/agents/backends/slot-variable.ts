import type { Brief } from '../port.ts';

/** The number of the worktree, from which commands make ports and names of databases that differ from those of other worktrees. */
export const slotVariable = ({ slot }: Pick<Brief, 'slot'>): Readonly<Record<string, string>> =>
  slot === undefined ? {} : { RALPH_SLOT: String(slot) };
