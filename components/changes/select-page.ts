import { memoise } from '../../src/base/memoise.ts';
import { marked, safe } from '../../src/base/safe.ts';
import { type Diff, type DiffFile, parseDiff } from '../../src/words/diff/diff.ts';
import { count } from '../../src/words/local-time.ts';
import { commandHere } from '../../src/words/session-command.ts';
import type { ChangedFile, Changes, UnmergedWork } from '../ports/viewer-port.ts';
import { selectTask } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { changedWords } from './changed-files-words.ts';
import { type Comment, commentsFor, selectReview } from './review.ts';
import { selectChangesRef } from './select-changes.ts';

/** The Changes tab as a text: the list of the files and their sum, the diff, and a last word. A line is drawn when it is in sight. */
export interface ChangesPage {
  readonly title: string;
  readonly list: readonly PageLine[];
  readonly diff: Diff | null;
  readonly foot: readonly PageLine[];
}

/** A line outside of the diff. */
export type PageLine =
  | { readonly kind: 'text' | 'missing'; readonly text: string }
  | { readonly kind: 'blank' }
  /** The task waits for this person's review. Names keys as `{command}`. */
  | { readonly kind: 'review'; readonly text: string }
  | { readonly kind: 'comment'; readonly text: string; readonly comment: Comment }
  | {
      readonly kind: 'file';
      readonly text: string;
      /** Lines added and removed; `null` when they were not counted. */
      readonly added: number | null;
      readonly removed: number | null;
      /** Its part of the diff; `null` when git shows none. */
      readonly of: DiffFile | null;
    };

const says = (text: string): PageLine => ({ kind: 'text', text });
const blank: PageLine = { kind: 'blank' };

/** A sentence replaces a missing diff. */
export const selectPage = (view: ViewState): ChangesPage => {
  const wanted = selectChangesRef(view);
  const bare = { diff: null, foot: [] };
  if (wanted === null) return { ...bare, title: '', list: [says('No task yet.')] };
  const { ref, key } = wanted;
  const { files, seen, commit } = ref;
  const title = commit === null ? wanted.title : `${wanted.title} · commit ${commit.slice(0, shownHash)}`;
  const changes = view.ui.changes[key];
  const aside = changes?.unmerged ?? [];
  const isNothing = (changes?.files.length ?? 0) + aside.length === 0;
  if (files.length === 0 && commit === null && isNothing)
    return { ...bare, title, list: [says(`${title} names no files, and no changes were recorded.`)] };
  const commits = view.ui.scope === 'session' ? commitLines(view) : [];
  if (changes === undefined) return { ...bare, title, list: [...commits, ...seen.map(named)] };
  if (isNothing && changes.missing === null && commits.length === 0 && commit === null)
    return { ...bare, title, list: [says(`${title} has changed no files.`)] };
  const { list, diff } = partsOf(changes);
  return {
    title,
    list: [...commits, ...unmergedLines(aside), ...list, ...reviewLines(view)],
    diff,
    foot: changes.cut ? cutLines(view) : [],
  };
};

/** That the task waits for this person, and what they wrote so far. */
const reviewLines = (view: ViewState): readonly PageLine[] => {
  const review = selectReview(view);
  if (typeof review === 'string') return [];
  const comments = commentsFor(view, review.request);
  const written =
    comments.length === 0 ? ' · {review.comment} comments' : ` with ${count(comments.length, 'comment')}`;
  return [
    { kind: 'review', text: `Review: {review.accept} accepts · {review.reject} rejects${written}` },
    ...comments.map(
      (comment): PageLine => ({
        kind: 'comment',
        text: `${safe(comment.file)}:${comment.line}: ${safe(comment.text)}`,
        comment,
      }),
    ),
    blank,
  ];
};

const named = (file: string): PageLine => ({
  kind: 'file',
  text: marked(file),
  added: null,
  removed: null,
  of: null,
});

/** Committed changes no longer differ: the session's view names their commits. */
const commitLines = (view: ViewState): readonly PageLine[] => {
  const lines = [...(view.session?.tasks.keys() ?? [])].flatMap((task): readonly PageLine[] => {
    const commit = view.attempts.of(task).at(-1)?.commit;
    return commit ? [says(`commit ${commit.slice(0, shownHash)} · ${safe(task)}`)] : [];
  });
  return lines.length === 0 ? [] : [...lines, blank];
};

/** The session's diff is without what waits in worktrees. */
const unmergedLines = (unmerged: readonly UnmergedWork[]): readonly PageLine[] =>
  unmerged.length === 0
    ? []
    : [
        says('Unmerged attempts hold changes:'),
        ...unmerged.map(
          ({ task, files }): PageLine => ({ kind: 'missing', text: `${safe(task)}: ${changedWords(files)}` }),
        ),
        blank,
      ];

/** Characters shown of a commit id: as many as git shows. */
const shownHash = 7;

const partsOf = memoise((changes: Changes): Pick<ChangesPage, 'list' | 'diff'> => {
  const diff = parseDiff(changes.diff);
  // A task's attempts may have changed a file one after the other: each has its part.
  const byPath = Map.groupBy(diff.files, ({ path }) => path);
  const files = changes.files.map(
    ({ path, added, removed }): PageLine => ({
      kind: 'file',
      text: marked(path),
      added,
      removed,
      of: byPath.get(path)?.shift() ?? null,
    }),
  );
  if (files.length === 0 && changes.missing === null && (changes.unmerged ?? []).length > 0)
    return { list: [], diff: null };
  const missing =
    changes.missing ?? (changes.diff === '' ? 'Everything is committed: there are no differences.' : null);
  if (missing !== null) {
    const gap = files.length === 0 ? [] : [blank];
    return { list: [...files, ...gap, { kind: 'missing', text: missing }], diff: null };
  }
  return { list: [...files, says(totalOf(changes)), blank], diff };
});

const totalOf = ({ files, cut }: Changes): string => {
  const sum = (of: 'added' | 'removed'): number =>
    files.reduce((all: number, file: ChangedFile) => all + (file[of] ?? 0), 0);
  const more = cut && files.some(({ added }) => added === null) ? ' and more' : '';
  return `${count(new Set(files.map(({ path }) => path)).size, 'file')}, +${sum('added')} −${sum('removed')}${more}`;
};

const cutLines = (view: ViewState): readonly PageLine[] => {
  const task = view.ui.scope === 'session' ? null : selectTask(view);
  const command = commandHere(view, task === null ? 'diff' : `diff ${task}`);
  const text = `The diff is too long to show in full: \`${command}\` prints all of it.`;
  return [blank, { kind: 'missing', text }];
};
