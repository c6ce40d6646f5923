import { safe } from '../../base/safe.ts';
import { seenFiles } from '../../words/changes-words.ts';
import { count } from '../../words/local-time.ts';
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
  view.ui.overlays.at(-1)?.kind === 'end' && view.session !== null
    ? sessionChangesRef(view, view.session)
    : null;

export const selectEndChanges = (view: ViewState): EndChanges => {
  const { session } = view;
  const changes = session === null ? undefined : view.ui.changes[sessionChangesRef(view, session).key];
  if (session === null || changes === undefined) return { sentence: '', files: [] };
  const { files, missing } = changes;
  const known = new Set(files.map(({ path }) => path));
  // Git shows no ignored file of a committed task. The printed summary names every file that was seen to change.
  const unshown = seenFiles(session).filter((path) => !known.has(path));
  const all = files.length + unshown.length;
  if (all === 0) return { sentence: missing === null ? '' : safe(missing), files: [] };
  const sum = (of: (file: ChangedFile) => number | null): number =>
    files.reduce((all, file) => all + (of(file) ?? 0), 0);
  const [added, removed] = [sum((file) => file.added), sum((file) => file.removed)];
  const lines = [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter(
    (part) => part !== '',
  );
  return {
    sentence: [`${count(all, 'file')} changed`, ...(lines.length > 0 ? [lines.join(' ')] : [])].join(', '),
    files: [
      ...[...files].sort((one, other) => size(other) - size(one)).map(fileLine),
      ...unshown.map((path) => ({ path: safe(path), added: '', removed: '', words: notShown })),
    ],
  };
};

const notShown = 'committed, or ignored by git';

const size = ({ added, removed }: ChangedFile): number => (added ?? 0) + (removed ?? 0);

const fileLine = ({ path, added, removed }: ChangedFile): EndFile => ({
  path: safe(path),
  added: added === null || added === 0 ? '' : `+${added}`,
  removed: removed === null || removed === 0 ? '' : `−${removed}`,
  words: added === null && removed === null ? 'binary, or ignored by git' : '',
});
