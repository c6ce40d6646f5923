import type { Backend } from '../../src/agents/port.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { SimulatedSession } from '../helpers/engine-session.ts';
import type { SimulatedGit } from '../helpers/simulated-git.ts';
import type { FlowWorld } from './flow/flow-world.ts';
import type { ForeignWorkers } from './flow/foreign-workers.ts';
import type { Act } from './flow/ledger.ts';

/** Where the guards of a session hear of what it does outside; set once they are there. */
export interface Hooks {
  turn: (invocation: string) => void;
  act: (act: Act) => void;
  now: () => SessionState | null;
  say: (problem: string) => void;
}

/** One session and what is around it. */
export interface Place {
  readonly session: SimulatedSession;
  readonly hooks: Hooks;
  /** What git holds of its waves in worktrees; `null`: it has none. */
  readonly git: SimulatedGit | null;
  /** `null`: the session does not work on issues. */
  readonly flow: FlowWorld | null;
  /** `null`: nobody else joins. */
  readonly others: ForeignWorkers | null;
}

export const createHooks = (): Hooks => ({ turn: () => {}, act: () => {}, now: () => null, say: () => {} });

/** Every call of a backend is told before it happens. */
export const overheard = (backend: Backend, isHeard: () => boolean, hooks: Hooks): Backend => ({
  ...backend,
  start: (brief, host) => {
    const worker = backend.start(brief, host);
    return {
      ...worker,
      turn: (ask, boundary) => {
        if (isHeard()) hooks.turn(brief.invocation);
        return worker.turn(ask, boundary);
      },
    };
  },
});
