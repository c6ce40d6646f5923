import type { ViewState } from '../../../components/view.ts';
import type { Event } from '../../../src/pipeline/event.ts';
import type { SessionState } from '../../../src/pipeline/state.ts';
import type { SignalType } from '../../../src/signals/signal.ts';
import type { SimulatedSession } from '../../helpers/engine-session.ts';
import type { SimulatedGit } from '../../helpers/simulated-git.ts';
import type { Scrap } from '../any-scrap.ts';
import type { FlowWorld } from '../flow/flow-world.ts';
import type { ForeignWorkers } from '../flow/foreign-workers.ts';
import type { Act } from '../flow/ledger.ts';

/** One promise of the program (test/README.md, Torture), watched over a whole session and its restarts. */
export interface Guard {
  /** After every fact, as it is committed. `isLate`: a program on another machine committed it some time ago, so that what lies outside of the session may differ by now. */
  readonly see?: (event: Event, state: SessionState, isLate: boolean) => void;
  /** A backend is called: what costs money. */
  readonly turn?: (invocation: string, state: SessionState) => void;
  /** The engine of a flow did something outside of its session. */
  readonly act?: (act: Act, state: SessionState) => void;
  /** Between two moments, when nothing is under way. */
  readonly look?: (state: SessionState) => void;
  /** The program died: what it said last may not have come to the disk. */
  readonly died?: () => void;
  /** When the session has come to its end, or to the last word of a person. */
  readonly end?: (state: SessionState) => void;
}

/** What a guard may look at. */
export interface Scene {
  readonly session: SimulatedSession;
  /** What git holds of its waves in worktrees; `null`: it has none. */
  readonly git: SimulatedGit | null;
  /** `null`: the session does not work on issues. */
  readonly flow: FlowWorld | null;
  /** `null`: no worker of another program joins. */
  readonly others: ForeignWorkers | null;
  readonly say: (problem: string) => void;
  /** Every signal whose publication was reported as done, by id. */
  readonly sent: ReadonlyMap<string, Sent>;
  readonly scraps: readonly Scrap[];
  /** The journal as it is on disk at the end; read once. */
  readonly journal: () => readonly Event[];
  /** The screen that follows the run live, and one that reads the journal. */
  readonly live: () => ViewState;
  readonly attached: () => ViewState;
  /** Whether the disk was full at that moment (ms) or later. */
  readonly wasFull: (since: number) => boolean;
  /** The words of the now line. */
  readonly now: (view: ViewState) => string;
}

export interface Sent {
  readonly type: SignalType;
  readonly file: string;
  readonly iteration: number | null;
  /** Written to a session that had ended: it waits for the next iteration, if one comes. */
  readonly afterEnd: boolean;
  /** Somebody was told that it is taken back. */
  readonly withdrawn: boolean;
  /** How often the session had been started when it was taken back after its stop: the next start records that, if one comes. */
  readonly withdrawnAfter: number | null;
  /** Without the record of a person. */
  readonly forged: boolean;
}

export type CreateGuard = (scene: Scene) => Guard;
