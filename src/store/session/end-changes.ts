import { safe } from '../../base/safe.ts';
import { count } from '../../words/local-time.ts';
import { commandHere } from '../../words/session-command.ts';
import { bySize, linesOf, sumOf, unmergedWords } from '../diff/changed-files-words.ts';
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
  const { files, missing, unmerged = [] } = changes;
  const aside = unmerged.flatMap((work) => work.files);
  const changed = [`${count(files.length, 'file')} changed`, linesOf(files)];
  const sentences = [
    files.length > 0 ? changed.filter((part) => part !== '').join(', ') : '',
    files.length === 0 && missing !== null ? safe(missing) : '',
    aside.length > 0 ? `${sumOf(aside)}, not merged` : '',
  ];
  return {
    sentence: sentences.filter((part) => part !== '').join('; '),
    files: [
      ...bySize(files).map(fileLine),
      ...bySize(aside).map((file) => ({ ...fileLine(file), words: 'not merged' })),
    ],
  };
};

/** Where the work of the session is that no merge has taken; none when there is none. */
export const selectUnmerged = (view: ViewState): readonly string[] => {
  const { session } = view;
  const unmerged = session === null ? [] : (view.ui.changes[sessionChangesRef(session).key]?.unmerged ?? []);
  return unmerged.length === 0 ? [] : [unmergedWords(unmerged, (words) => commandHere(view, words))];
};

const fileLine = ({ path, added, removed }: ChangedFile): EndFile => ({
  path: safe(path),
  added: added === null || added === 0 ? '' : `+${added}`,
  removed: removed === null || removed === 0 ? '' : `−${removed}`,
  words: added === null && removed === null ? 'binary, committed or ignored by git' : '',
});
