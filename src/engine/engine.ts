import type { Backend } from '../agents/port.ts';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import type { Random } from '../base/random.ts';
import type { Spawn } from '../base/spawn.ts';
import type { Event } from '../pipeline/event.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { Settings } from '../session/settings.ts';
import type { SessionStatus } from '../session/status.ts';

/** One session's engine: headless; screens, the plain log, `--json` and tests read the same events (engine.md). */
export interface Engine {
  /** Takes the lock, recovers, and runs. A fault: it did not start (lock held, mailbox unusable, …) and nothing was changed. */
  start(): Promise<Fault | null>;
  /** Observers are told after the state is committed; they only read (architecture.md, invariant 4). */
  subscribe(observer: (event: Event, state: SessionState) => void): () => void;
  readonly state: () => SessionState;
  /** Looks into the mailbox now: the hint of a watcher. */
  wake(): void;
  /** Stops agents, verifies, saves, frees the lock: `status: paused`, `stop_reason` as given ("quit"). */
  quit(reason: string): Promise<void>;
  /** Resolves when the engine has stopped for whatever reason, everything on disk. */
  settled(): Promise<SessionEnd>;
}

export interface SessionEnd {
  readonly status: SessionStatus;
  readonly reason: string;
  /** 0 done · 1 failed tasks or error · 3 waits for a person · 4 paused · 130 aborted (product.md, Commands). */
  readonly exitCode: number;
  readonly unverified: readonly number[];
}

export interface EngineOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly random: Random;
  readonly spawn: Spawn;
  readonly paths: SessionPaths;
  readonly backends: readonly Backend[];
  /** `new`: the directory does not exist yet. */
  readonly begin:
    | {
        readonly kind: 'new';
        readonly goal: string;
        readonly source: 'plan' | 'repository' | 'goal' | 'demo';
        readonly settings: Settings;
      }
    | { readonly kind: 'resume'; readonly settings: Settings; readonly takeOver: boolean };
  /** Somebody looks at a screen: gates wait; unattended (headless) they take their default or end with exit 3. */
  readonly attended: boolean;
  /** Program name and version, for the journal. */
  readonly program: string;
  /** Tells that something changed in a directory: a hint only, the poll is the truth (signals.md, rule 13). Without it the poll alone serves. */
  readonly watchMailbox?: (directory: string, onHint: () => void) => () => void;
  /** Values that must never reach log, journal or screen (known secrets of the environment). */
  readonly secrets?: readonly string[];
}
