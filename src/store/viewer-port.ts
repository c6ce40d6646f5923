/** How the screen reads what is too large or too old to be held in memory. Performed by the cli; every answer is a bounded piece. */
export interface ViewerPort {
  /** The lines around a byte of a log, or its newest ones; `null` when there is no such log. Never reads the whole file. */
  readLog(log: LogRef, at: number | 'end'): Promise<LogPage | null>;
  /** Looks through the whole log in the background and tells what it found so far; the answer stops it. */
  searchLog(log: LogRef, text: string, tell: (found: LogMatches) => void): () => void;
  /** The report of an attempt as it stands in its file, or `null` when there is none. */
  readReport(report: ReportRef): Promise<string | null>;
  /** What git sees changed in these files since the last commit, or in the named commit. */
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
  /** Relative to the workspace: what tasks declare and what they were seen to change. A directory stands for all that lies in it. */
  readonly files: readonly string[];
  /** Those of them that were seen to change: named where git knows of no difference too, because it may ignore them. */
  readonly seen: readonly string[];
  readonly commit: string | null;
}

/** A piece of a log: whole lines, but for those that are longer than a piece. */
export interface LogPage {
  readonly size: number;
  readonly from: number;
  readonly to: number;
  readonly lines: readonly LogPageLine[];
}

export interface LogPageLine {
  /** Its first byte in the file. */
  readonly at: number;
  /** As printed: the reader makes it safe. */
  readonly text: string;
}

export interface LogMatches {
  /** First bytes of the lines that match, in order. */
  readonly at: readonly number[];
  readonly done: boolean;
  /** There are more than are kept. */
  readonly more: boolean;
}

export interface Changes {
  readonly files: readonly ChangedFile[];
  /** A unified diff, as git prints it. */
  readonly diff: string;
  /** The diff leaves something out: `ralph-tui diff` has all of it. */
  readonly cut: boolean;
  /** Why there is no diff, as a sentence; `null` when there is one. */
  readonly missing: string | null;
}

export interface ChangedFile {
  readonly path: string;
  /** `null`: binary, or nobody counted. */
  readonly added: number | null;
  readonly removed: number | null;
}
