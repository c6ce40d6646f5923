/** Reads data that is too large or too old for memory. Performed by the cli. Every answer is a bounded piece. */
export interface ViewerPort {
  /** The lines around a byte of a log, or its newest ones. `null` when there is no such log. Never reads the whole file. */
  readLog(log: LogRef, at: number | 'end'): Promise<LogPage | null>;
  /** Searches the whole log in the background and reports the matches so far. The returned function stops it. */
  searchLog(log: LogRef, text: string, tell: (found: LogMatches) => void): () => void;
  /** The text of an attempt's report file, or `null` when there is none. */
  readReport(report: ReportRef): Promise<string | null>;
  /** The text of a file, by its path in the workspace, such as a document of an issue; `null` when it cannot be read. */
  readDocument(path: string): Promise<string | null>;
  /** What was changed, from the snapshots of attempts; without any the changes in these files since the last commit, or in the named commit. */
  readChanges(wanted: ChangesRef): Promise<Changes>;
}

/** One log file: of a task's attempt, or of an invocation without a task (attempt 1). */
export interface LogRef {
  readonly subject: string;
  readonly attempt: number;
}

export interface ReportRef {
  readonly task: string;
  readonly iteration: number;
  readonly attempt: number;
}

export interface ChangesRef {
  /** Relative to the workspace: files that tasks declare, and files observed to change. A directory stands for everything in it. */
  readonly files: readonly string[];
  /** The files observed to change. Where git reports no difference they are listed only if it ignores them, or cannot tell. */
  readonly seen: readonly string[];
  readonly commit: string | null;
  /** Whose changes: a task's, or those of one of its attempts; without a task the session's. Snapshots, where they were taken, tell them exactly. */
  readonly of: { readonly task: string | null; readonly attempt: number | null };
  /** The iteration that the session is in. */
  readonly iteration: number;
}

/** A piece of a log: whole lines, except lines longer than a piece. */
export interface LogPage {
  readonly size: number;
  readonly from: number;
  readonly to: number;
  readonly lines: readonly LogPageLine[];
}

export interface LogPageLine {
  /** Its first byte in the file. */
  readonly at: number;
  /** As printed: readers must make it safe. */
  readonly text: string;
}

export interface LogMatches {
  /** First bytes of the lines that match, in order. */
  readonly at: readonly number[];
  readonly done: boolean;
  /** There are more matches than are kept. */
  readonly more: boolean;
}

export interface Changes {
  readonly files: readonly ChangedFile[];
  /** A unified diff, as git prints it. Bytes that are not UTF-8 are lone surrogates U+DC80..U+DCFF. */
  readonly diff: string;
  /** The diff is incomplete. `ralph-tui diff` prints all of it. */
  readonly cut: boolean;
  /** Why there is no diff, as a sentence; `null` when there is one. */
  readonly missing: string | null;
  /** Of a session: what tasks changed in their worktrees and no merge has brought to its branch. The diff is without it. Absent: nothing. */
  readonly unmerged?: readonly UnmergedWork[];
}

export interface UnmergedWork {
  readonly task: string;
  readonly files: readonly ChangedFile[];
}

export interface ChangedFile {
  readonly path: string;
  /** `null`: binary, or not counted. */
  readonly added: number | null;
  readonly removed: number | null;
}
