import { safe } from '../../base/safe.ts';
import { parseDiff, rowKind } from '../../words/diff/diff.ts';
import { fileWords } from '../../words/diff/file-words.ts';
import { rowText } from '../../words/diff/row-text.ts';
import type { SourceChanges } from './page-source.ts';

/** The session's net changes. */
export interface PageChanges {
  readonly files: readonly ChangedFileModel[];
  readonly diff: readonly DiffFileModel[];
  /** Why there are none, as a sentence. */
  readonly missing: string | null;
  /** What tasks changed in their worktrees and no merge has brought to the session's branch: neither in `files` nor in `diff`. */
  readonly unmerged: readonly { readonly task: string; readonly files: readonly ChangedFileModel[] }[];
}

interface ChangedFileModel {
  readonly path: string;
  /** Lines; `null` where git counts none. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** One file of a diff. */
export interface DiffFileModel {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** "new", "renamed from a.ts"; '' when only lines changed. */
  readonly words: string;
  readonly lines: readonly DiffLine[];
  /** Lines that are not shown. */
  readonly leftOut: number;
}

/** A row of a diff: its kind, line numbers (0 on a side without one) and text. */
export interface DiffLine {
  readonly kind: 'hunk' | 'context' | 'removed' | 'added' | 'note';
  readonly before: number;
  readonly after: number;
  readonly text: string;
}

export interface DiffLimits {
  /** Lines shown of one file, and of all of them. */
  readonly linesOfFile: number;
  readonly linesInAll: number;
}

export const pageChanges = (source: SourceChanges | null, limits: DiffLimits): PageChanges => ({
  files: (source?.files ?? []).map(shownFile),
  diff: diffFiles(source?.diff ?? '', limits),
  missing: source?.missing ?? null,
  unmerged: (source?.unmerged ?? []).map(({ task, files }) => ({
    task: safe(task),
    files: files.map(shownFile),
  })),
});

const shownFile = ({ path, added, removed }: ChangedFileModel): ChangedFileModel => ({
  path: safe(path),
  added,
  removed,
});

/** A diff by file. Beyond the limits lines are counted only. */
export const diffFiles = (text: string, limits: DiffLimits): readonly DiffFileModel[] => {
  if (text === '') return [];
  const diff = parseDiff(text);
  let left = limits.linesInAll;
  return diff.files.map((file) => {
    const most = Math.min(limits.linesOfFile, left);
    const lines: DiffLine[] = [];
    let all = 0;
    for (let row = file.top + 1; row < file.end; row += 1) {
      const kind = words[diff.kinds[row] ?? rowKind.gap];
      if (kind === undefined) continue;
      all += 1;
      if (lines.length >= most) continue;
      const [before, after] = [diff.before[row] ?? 0, diff.after[row] ?? 0];
      lines.push({ kind, before, after, text: rowText(diff, row) });
    }
    left -= lines.length;
    return {
      path: safe(file.path),
      added: file.added,
      removed: file.removed,
      words: fileWords(file),
      lines,
      leftOut: all - lines.length,
    };
  });
};

const words: { readonly [kind: number]: DiffLine['kind'] | undefined } = {
  [rowKind.hunk]: 'hunk',
  [rowKind.context]: 'context',
  [rowKind.removed]: 'removed',
  [rowKind.added]: 'added',
  [rowKind.note]: 'note',
};
