import { safe } from '../../src/base/safe.ts';
import { count } from '../../src/words/local-time.ts';
import { commandHere } from '../../src/words/session-command.ts';
import type { ChangedFile, ChangesRef } from '../ports/viewer-port.ts';
import { selectQuestion } from '../question/select-question.ts';
import type { ViewState } from '../view.ts';
import { bySize, linesOf, sumOf, unmergedWords } from './changed-files-words.ts';
import { sessionChangesRef, taskChangesRef } from './select-changes.ts';

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

type Asked = { readonly ref: ChangesRef; readonly key: string } | null;

/** The request to git for the end screen, or for the dialog of a decision about changes; `null` while neither is open. */
export const overlayChangesRef = (view: ViewState): Asked => {
  const top = view.ui.overlays.at(-1);
  if (top?.kind === 'end') return view.session === null ? null : sessionChangesRef(view.session);
  return top?.kind === 'answer' ? decidedRef(view, top.request) : null;
};

/** The changes that this question decides about: a task's at its merge or its review, all at the end. */
const decidedRef = (view: ViewState, request: string): Asked => {
  const { session } = view;
  const question = selectQuestion(session, request);
  if (session === null || question === null) return null;
  if (question.kind === 'changes') return sessionChangesRef(session);
  const { task } = question;
  return task !== null && (question.kind === 'merge' || question.kind === 'review')
    ? taskChangesRef(session, view.attempts, task)
    : null;
};

export const selectEndChanges = (view: ViewState): EndChanges =>
  changesOf(view, view.session === null ? null : sessionChangesRef(view.session));

/** The files that this question decides about. */
export const selectDecidedChanges = (view: ViewState, request: string): EndChanges =>
  changesOf(view, decidedRef(view, request));

const changesOf = (view: ViewState, asked: Asked): EndChanges => {
  const changes = asked === null ? undefined : view.ui.changes[asked.key];
  if (changes === undefined) return { sentence: '', files: [] };
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
  words:
    added === null && removed === null ? 'not counted: binary, ignored by git, or committed already' : '',
});
