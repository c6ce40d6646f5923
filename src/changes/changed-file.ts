/** Two commits of the repository; the changes are those from the first to the second. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/**
 * One file that differs between two commits. Paths are relative to the workspace; bytes that are not UTF-8 are lone surrogates, as in
 * `Disk`. Files outside the workspace, but in its repository, begin with `../`.
 */
export interface FileChange {
  readonly path: string;
  /** The earlier path of a renamed file. */
  readonly from: string | null;
  readonly kind: 'added' | 'modified' | 'deleted' | 'renamed' | 'mode' | 'type';
  /** Modes as git writes them, `100644`, `100755`, `120000` (link), `160000` (submodule); `null` where there is no file. */
  readonly oldMode: string | null;
  readonly newMode: string | null;
  /** Lines; `null` for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** A line added by a range that looks like a secret. The value itself is not repeated. */
export interface FoundSecret {
  readonly path: string;
  /** The line in the new file, from 1. */
  readonly line: number;
}

/**
 * Of what somebody wants to see the changes. `attempt`: what it did itself. `merge`: all that its merge brings or brought, also what earlier attempts
 * left that it began with. `task`: the net change of all its attempts.
 */
export type Scope =
  | { readonly of: 'session' }
  | { readonly of: 'task'; readonly task: string }
  | { readonly of: 'merge'; readonly task: string; readonly attempt: number }
  | { readonly of: 'attempt'; readonly task: string; readonly attempt: number };
