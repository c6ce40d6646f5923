import type { Severity } from './records/finding.ts';
import type { FileRole } from './scanner/file-role.ts';

/** A file of the tree as text. */
export interface SourceFile {
  /** Relative to the project directory, with `/`. */
  readonly path: string;
  readonly role: FileRole;
  readonly text: string;
}

/** All files of the tree by name, and the texts that rules read. */
export interface Tree {
  /** Relative paths of the scanned files: the tracked ones in a repository. */
  readonly paths: readonly string[];
  /** Whether `paths` are the repository's committed or staged files. */
  readonly isRepository: boolean;
  /** Gives the text of a project file, tracked or not. `null` if it is missing, no regular file, too large or binary. */
  readonly read: (path: string) => string | null;
  /** `core.hooksPath` of the repository, or `null` if unset. */
  readonly hooksPath: string | null;
}

/** The rules' input beside the files. */
export interface RuleContext {
  /** The user's home directory, absolute. */
  readonly home: string;
  /** Substrings of paths that mark a rigid structure (`discovery.structure`). */
  readonly structure: readonly string[];
}

/** One match of a rule. Hits with the same rule and key become one finding. */
export interface Hit {
  readonly value: string;
  /** `tree`: one finding for the value in the whole tree; `file`: one for each file. */
  readonly per: 'tree' | 'file';
  readonly file: string;
  readonly line: number | null;
  readonly severity: Severity;
  readonly role: FileRole;
  readonly description: string;
  readonly recommendation: string;
  readonly steps?: readonly string[];
  readonly tags?: readonly string[];
  /** Below 1 if the rule itself is not sure. */
  readonly confidence?: number;
  readonly linkedFrom?: string;
}

/**
 * A scanner rule: one file in `rules/`, one line in `rules/index.ts`. Pure over the texts, and linear in their length. A rule that may find very much
 * gives its hits one by one, so that the scan can stop it.
 */
export interface Rule {
  /** The category of its findings and the prefix of their ids: `hardcoded_path`. */
  readonly name: string;
  /** Checks one file. */
  readonly file?: (file: SourceFile, context: RuleContext) => Iterable<Hit>;
  /** Checks the tree once. */
  readonly tree?: (tree: Tree, context: RuleContext) => Iterable<Hit>;
}

/** Gives the line, from 1, of offsets in a text. Linear over a whole text for ascending offsets. */
export const createLineCounter = (text: string): ((offset: number) => number) => {
  let line = 1;
  let last = 0;
  let next = text.indexOf('\n');
  return (offset) => {
    if (offset < last) {
      line = 1;
      next = text.indexOf('\n');
    }
    last = offset;
    while (next !== -1 && next < offset) {
      line += 1;
      next = text.indexOf('\n', next + 1);
    }
    return line;
  };
};
