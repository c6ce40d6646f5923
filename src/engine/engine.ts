import type { PermissionReply } from '../agents/permissions.ts';
import type { PlaceOn } from '../agents/placement.ts';
import type { Backend } from '../agents/port.ts';
import type { PromptName } from '../agents/roles/prompts/mode-files.ts';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import type { Spawn } from '../base/process/spawn.ts';
import type { Random } from '../base/random.ts';
import type { ChosenIsolation } from '../changes/choose-isolation.ts';
import type { ChangesPort } from '../changes/port.ts';
import type { Door } from '../issues/team/door.ts';
import type { SealPlace } from '../observability/journal-seal.ts';
import type { Event, EventBody } from '../pipeline/event.ts';
import type { RunnersEventType } from '../pipeline/events/runners.ts';
import type { StartFlags } from '../pipeline/events/session.ts';
import type { FlowStart } from '../pipeline/modes/flow/flow-state.ts';
import type { Earlier } from '../pipeline/scheduling/task-times.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { Guidance } from '../session/guidance/guidance.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { LoopPreset } from '../session/settings/loop-presets.ts';
import type { Settings } from '../session/settings.ts';
import type { SessionMode, SessionStatus } from '../session/status.ts';
import type { Proofs } from '../signals/proof.ts';
import type { FlowPort } from './flow/flow-port.ts';
import type { DeviceName } from './invocation/devices.ts';

/** One session's engine, headless. Screens, the plain log, `--json` and tests read the same events (src/engine/README.md). */
export interface Engine {
  /**
   * Takes the lock, recovers and runs. Resolves to a fault when it could not start (lock held, mailbox unusable, …); then nothing was changed.
   * `isolation`: what was chosen for a new session.
   */
  start(isolation?: ChosenIsolation): Promise<Fault | null>;
  /** Calls the observer after each commit. Observers only read (src/README.md, invariant 4). */
  subscribe(observer: (event: Event, state: SessionState) => void): () => void;
  readonly state: () => SessionState;
  /** Looks into the mailbox now. A watcher's hint calls it. */
  wake(): void;
  /** Answers `permission.asked` from a key on a screen, never from a file. Returns `null` when done, else the reason why not. */
  permit(reply: PermissionReply): string | null;
  /** Revokes a permission that was granted for the session. */
  revoke(key: string, by: string): void;
  /** `null`: keys confirmed this device of `serve`; otherwise asks on the screens, and says what holds meanwhile. */
  confirmDevice(device: DeviceName): string | null;
  /** A screen shows the session from now on (`permissions.unattended`). Returns the function that says that it is gone. */
  shown(): () => void;
  /** Records what became of a runner. Without a running session it is dropped. */
  noteRunner(body: RunnerBody): void;
  /** Records a problem outside the engine's own work, once for each sentence. */
  noteProblem(fault: Fault): void;
  /** What workers of other programs ask of the session; `null` before it has begun. */
  workers(): Door | null;
  /** Stops and verifies agents, saves, frees the lock. Sets `status: paused` and `stop_reason` as given ("quit"). */
  quit(reason: string): Promise<void>;
  /** Resolves when the engine has stopped, for any reason, and everything is on disk. */
  settled(): Promise<SessionEnd>;
}

export type RunnerBody = Extract<EventBody, { type: RunnersEventType }>;

export interface SessionEnd {
  readonly status: SessionStatus;
  readonly reason: string;
  /** 0 done · 1 failed tasks or error · 3 waits for a person · 4 paused · 130 aborted (src/cli/README.md, Commands). */
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
  /** Moves the work of a backend to a runner. Absent: this program has none. */
  readonly placeOn?: PlaceOn;
  /** Stops what killed processes of this session left at work on these runners. Returns why that is not certain. Absent: this program has none. */
  readonly stopOnRunners?: (runners: readonly string[]) => Promise<readonly Fault[]>;
  /** What decides now which programs git runs: the directory of hooks, and the files of the repository that its configuration includes. */
  readonly ranByGit?: () => readonly string[];
  /** True when a person agreed to these bytes under this name: a control file or task file, relative to the workspace. */
  readonly isAgreed?: (file: string, bytes: Uint8Array) => boolean;
  /** The records of signals that a person sent (src/signals/README.md, rule 13). `null`: this host keeps none, and every file counts. */
  readonly proofs: Proofs | null;
  /** Why a task of a changed plan may not be given to this known agent, or `null`. */
  readonly agentProblem?: (agent: string) => string | null;
  /** The prompt of a mode, for backends with a model; `null` for a mode that needs no agent. */
  readonly instructions?: (prompt: PromptName) => string | null;
  /** `new`: the directory does not exist yet. */
  readonly begin:
    | {
        readonly kind: 'new';
        readonly goal: string;
        readonly source: 'plan' | 'repository' | 'goal' | 'demo';
        readonly settings: Settings;
        /** Default `waves`. */
        readonly mode?: SessionMode;
        /** The file that a loop works on, relative to the workspace. */
        readonly focus?: string;
        /** The issue that a flow works on. */
        readonly flow?: FlowStart;
        readonly preset?: LoopPreset;
      }
    | {
        readonly kind: 'resume';
        readonly settings: Settings;
        readonly takeOver: boolean;
        readonly preset?: LoopPreset;
      };
  /** The person's bans and preferences, as far as they are trusted. */
  readonly guidance?: Guidance;
  /** The guidance as it is trusted now, why the file does not count, or `null` without a file. Asked at each checkpoint. */
  readonly guidanceNow?: () => Guidance | Fault | null;
  /** A private directory outside the workspace, for second names of the session's files. */
  readonly shadow?: string;
  /** The file outside the workspace that says what this program wrote into the journal. Absent: this host believes every line. */
  readonly seal?: SealPlace;
  /** SHA-256 of a journal that a person accepted although this program did not write all of it. */
  readonly agreedJournal?: string;
  /** True when a person watches a screen: gates wait. Unattended (headless) gates take their default or end with exit 3. */
  readonly attended: boolean;
  /** Cores of this machine: how many checks run beside tasks. Absent: one. */
  readonly cores?: number;
  /** What the workspace's earlier sessions say about times and costs. Asked at the start, when a screen is drawn already. */
  readonly earlier?: () => Earlier;
  /** Flags of the command line that a resume keeps. */
  readonly flags?: StartFlags;
  /** Program name and version, for the journal. */
  readonly program: string;
  /** Reports changes in a directory. Only a hint: the poll is the truth (src/signals/README.md, rule 13) and works without it. */
  readonly watchMailbox?: (directory: string, onHint: () => void) => () => void;
  /** Worktrees, snapshots and merges. Absent where there is no git: then `isolation: worktree` stops the session. */
  readonly changes?: ChangesPort;
  /** The tracker of a flow, and what is ours in it. Absent: the session does not work on issues. */
  readonly flow?: FlowPort;
  /** Lists the workspace files that count as work; `null` means: walk the tree. A loop calls it after each turn. */
  readonly listFiles?: () => Promise<readonly string[] | null>;
  /** Values that must never reach log, journal or screen (known secrets of the environment). */
  readonly secrets?: readonly string[];
}
