import { safe } from '../../base/safe.ts';
import { count } from '../../words/local-time.ts';
import { list } from '../../words/work-words.ts';
import type { ChangedFile, ChangesRef } from '../ports/viewer-port.ts';
import { sessionChangesRef } from '../tasks/select-changes.ts';
import type { ViewState } from '../view.ts';

/** What the session changed, as git counts it. */
export interface EndChanges {
  /** "12 files changed, +340 −12"; why it is not known; '' without a change. */
  readonly sentence: string;
  /** The files with the most changed lines first. */
  readonly files: readonly EndFile[];
}

/** A changed file in words: "+12", "−3", and why there are none; '' for what there is not. */
export interface EndFile {
  readonly path: string;
  readonly added: string;
  readonly removed: string;
  readonly words: string;
}

/** The request to git for the end screen; `null` while that is not open. */
export const endChangesRef = (view: ViewState): { readonly ref: ChangesRef; readonly key: string } | null =>
  view.ui.overlays.at(-1)?.kind === 'end' && view.session !== null ? sessionChangesRef(view.session) : null;

export const selectEndChanges = (view: ViewState): EndChanges => {
  const { session } = view;
  const changes = session === null ? undefined : view.ui.changes[sessionChangesRef(session).key];
  if (session === null || changes === undefined) return { sentence: '', files: [] };
  const { files, missing } = changes;
  if (files.length === 0) return { sentence: missing === null ? '' : safe(missing), files: [] };
  return {
    sentence: [`${count(files.length, 'file')} changed`, linesOf(files)]
      .filter((part) => part !== '')
      .join(', '),
    files: bySize(files).map(fileLine),
  };
};

/** "12 files, +340 −12: the.ts, largest.ts, four.ts, changes.ts and 8 more"; '' for none. */
export const changedWords = (files: readonly ChangedFile[]): string => {
  if (files.length === 0) return '';
  const names = list(
    bySize(files).map(({ path }) => safe(path)),
    namedFiles,
  );
  return `${[count(files.length, 'file'), linesOf(files)].filter((part) => part !== '').join(', ')}: ${names}`;
};

const namedFiles = 4;

/** "+340 −12"; '' without a counted line. */
const linesOf = (files: readonly ChangedFile[]): string => {
  const sum = (of: (file: ChangedFile) => number | null): number =>
    files.reduce((all, file) => all + (of(file) ?? 0), 0);
  const [added, removed] = [sum((file) => file.added), sum((file) => file.removed)];
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : '']
    .filter((part) => part !== '')
    .join(' ');
};

const bySize = (files: readonly ChangedFile[]): readonly ChangedFile[] =>
  [...files].sort((one, other) => size(other) - size(one));

const size = ({ added, removed }: ChangedFile): number => (added ?? 0) + (removed ?? 0);

const fileLine = ({ path, added, removed }: ChangedFile): EndFile => ({
  path: safe(path),
  added: added === null || added === 0 ? '' : `+${added}`,
  removed: removed === null || removed === 0 ? '' : `−${removed}`,
  words: added === null && removed === null ? 'binary, committed or ignored by git' : '',
});
