/**
 * Runs git without a shell. Implementation: `git.io.ts`. `test/helpers/dying-ports.ts` stops at any call.
 *
 * Every call sees the same git: nothing that the repository's configuration names runs (`git/own-common.io.ts`), no replaced objects, no remote unless the
 * call is `far`, no hooks, no fsmonitor, no signing, no pager, no editor, no prompt, literal paths, the C
 * locale, and limits of time and size (`git/stall.ts`). `GIT_DIR`, `GIT_INDEX_FILE` and their like in the environment of this program have no effect.
 */
export interface Git {
  run(call: GitCall): Promise<GitAnswer>;
  /** A process of git that answers many questions; it starts with the first one. `input` of the call has no effect. */
  stay(call: GitCall): StayingGit;
  /**
   * Waits until the processes that now run with this marker have ended: git outlives a program that was killed. Returns the pids that still run
   * after 30 s.
   */
  settled(marker: string): Promise<readonly number[]>;
}

/** One command of git that reads questions from its stdin: a question costs no start of a process. */
export interface StayingGit {
  /**
   * Asks one question; further ones wait for its answer. The answer is whole when the output ends with `ending`, which `out` then lacks. When the
   * process ends instead, the answer is that of `run`, never with code 0, and the next question starts another process. One that was killed is
   * started again with the same question: it must be safe to ask twice.
   */
  ask(question: string, ending: string, listen?: Listen): Promise<GitAnswer>;
  /** Ends the process. A later question starts another one. */
  end(): void;
}

/** Hears an answer piece by piece, of any length; `out` is empty then. Called for each try. */
export type Listen = () => (bytes: Uint8Array) => void;

export interface GitCall {
  /** Arguments after `git`. A path that may not be valid UTF-8 goes through `input`. */
  readonly args: readonly string[];
  /** Where git runs, absolute. */
  readonly cwd: string;
  /** The repository. Given, git does not search for one: what is in `cwd` cannot point it elsewhere. */
  readonly gitDir?: string;
  /** The work tree that belongs to `gitDir`. */
  readonly workTree?: string;
  /** The index to use instead of the work tree's own, absolute. */
  readonly indexFile?: string;
  /** `RALPH_RUN` of the process and its children, for `settled`. */
  readonly marker?: string;
  /** Further configuration, as `-c key=value`. */
  readonly config?: readonly string[];
  /** Further configuration whose keys may hold any character, `=` too. */
  readonly settings?: readonly { readonly key: string; readonly value: string }[];
  /** Author and committer for one commit, when the configuration names none. */
  readonly identity?: { readonly name: string; readonly email: string };
  /** Where objects are written, and where others are read beside these; else both are the repository's. */
  readonly objects?: { readonly directory: string; readonly also: string };
  /** Text for stdin. Lone surrogates U+DC80..U+DCFF stand for raw bytes, as in `Disk`. */
  readonly input?: string;
  /** git reads the repository's own configuration: only for calls that look for a repository or list that configuration, for these run nothing. */
  readonly asIs?: true;
  /** Reads pathspecs with magic words such as `:(exclude)`. Without it every path is literal. */
  readonly magicPaths?: true;
  /** It may take long: it talks to another machine, or packs a history. */
  readonly far?: true;
}

export interface GitAnswer {
  /** The exit code; `null` when git never ran or was killed. */
  readonly code: number | null;
  readonly out: Uint8Array;
  /** What git printed on stderr, or why it never ran, trimmed. */
  readonly error: string;
  /** Why there is no answer although git may be fine; `null` when it ran to its end. */
  readonly failure:
    | 'not-installed'
    | 'arguments-too-long'
    | 'answer-too-long'
    | 'took-too-long'
    | 'other'
    | null;
}
