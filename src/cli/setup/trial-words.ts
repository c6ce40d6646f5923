import type { AgentProfile } from '../../agents/profiles/profile.ts';
import type { Finding } from '../report/finding.ts';

/** The agent that was tried, as its findings name it. */
export interface Tried {
  readonly name: string;
  /** `null` for a program that takes a prompt and prints its answer. */
  readonly profile: Pick<AgentProfile, 'label' | 'command' | 'login' | 'unenforced'> | null;
  /** Variables with a login that the agent did not get. */
  readonly withheld: readonly string[];
  /** The configuration has an entry of this name. */
  readonly configured: boolean;
  /** The folder that holds all worktrees, where it was tried in one. `null`: in an empty directory. */
  readonly worktrees: string | null;
}

/** Where the agent was tried. */
export const whereOf = ({ worktrees }: Tried): string =>
  worktrees === null ? 'in an empty directory' : 'in a worktree of this repository';

/** A check of the agent that went well. */
export const good = ({ name }: Tried, check: string, found: string): Finding => ({
  check: `${name}: ${check}`,
  ok: true,
  found,
  problem: null,
  hint: null,
});

/** A check of the agent that failed, with what to do. */
export const bad = (
  { name }: Tried,
  check: string,
  found: string,
  problem: string,
  hint: string,
): Finding => ({
  check: `${name}: ${check}`,
  ok: false,
  found,
  problem,
  hint,
});

/** A time for a person, with one decimal. */
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
