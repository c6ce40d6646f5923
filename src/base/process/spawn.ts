/**
 * Child processes. Implementations: `spawn.io.ts` (own process group, marker sweep), `test/helpers/simulated-spawn.ts`.
 * Every child runs in its own process group with stdin closed unless `input` or `talk` is given.
 */
export interface Spawn {
  start(command: SpawnCommand, listen: SpawnListener): Child;
  /**
   * Stops every process with one of the `markers` (`RALPH_RUN` values) in its environment or as its limit: group, descendants, then a scan of
   * `/proc`, repeated until empty; TERM, `graceMs`, KILL. Resolves when verified (src/engine/README.md, Processes).
   */
  stopMarked(markers: readonly string[], graceMs: number): Promise<StopReport>;
  /** Running processes that a command may have left in `workspace` without any remaining tie to it: reported, never stopped. */
  possiblyLeft(workspace: string): readonly number[];
  /** What still runs when the work with this marker has ended in `workspace`. One quick look. */
  survivors(marker: string, workspace: string): Survivors;
  /** The identity of this process, for locks and claims. */
  readonly self: ProcessIdentity;
  /** Whether that process still runs; `unknown` for another boot or pid namespace. */
  isAlive(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown';
}

/** Processes that outlived an agent's work: `marked` are proven to be its own, `possibly` only may be. */
export interface Survivors {
  readonly marked: readonly number[];
  readonly possibly: readonly number[];
}

/** Survives pid reuse: a pid is the same process only with the same boot id and start time. */
export interface ProcessIdentity {
  readonly boot: string;
  readonly pidNamespace: string;
  readonly pid: number;
  /** Clock ticks since boot (field 22 of `/proc/<pid>/stat`), as text. */
  readonly startTime: string;
}

export interface SpawnCommand {
  /** argv without a shell, or one shell line (`/bin/sh -c`). A program without a slash is found by `ownProgram`. */
  readonly command: string | readonly string[];
  /** A command of a plan: its program is found as a shell in `cwd` would find it, on the whole PATH. */
  readonly asTyped?: true;
  readonly cwd: string;
  /** The whole environment of the child: it inherits nothing else. */
  readonly env: Readonly<Record<string, string>>;
  /** `RALPH_RUN`, `<session>/<invocation>` (`markerOf`); added to `env`. */
  readonly marker: string;
  readonly timeoutMs?: number;
  readonly input?: string;
  /** Keeps stdin open for `Child.write`; not together with `input`. */
  readonly talk?: true;
}

export interface SpawnListener {
  readonly started?: (process: { readonly pid: number; readonly startTime: string }) => void;
  /** Raw output as it arrives. */
  readonly output: (bytes: Uint8Array, stream: 'stdout' | 'stderr') => void;
}

export interface Child {
  readonly exit: Promise<ChildExit>;
  /** Resolves when the pipe has taken the bytes; rejects when stdin is closed, or was never open (`SpawnCommand.talk`). */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes stdin: the child reads end of file. */
  endInput(): void;
  /** TERM to the group, `graceMs`, KILL; then the same sweep as `stopMarked`. */
  stop(graceMs: number): Promise<StopReport>;
}

export type ChildExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  /** It never ran: command not found, directory missing, not executable. */
  | { readonly kind: 'not-started'; readonly reason: string };

/** `unverified` holds the pids whose end could not be shown. Messages then say "could not verify", never "gone". */
export interface StopReport {
  readonly stopped: readonly number[];
  readonly unverified: readonly number[];
  /** Runners that could not be told to stop. */
  readonly unreached?: readonly string[];
}
