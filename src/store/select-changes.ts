import { memoise } from '../base/memoise.ts';
import { safe, safeBlock } from '../base/safe.ts';
import { count } from './moment.ts';
import { selectAttempt } from './select-details.ts';
import { selectTask } from './select-tasks.ts';
import type { ViewState } from './view.ts';
import type { Changes, ChangesRef } from './viewer-port.ts';

/** A line of the Changes tab. */
export interface ChangeLine {
  readonly kind: 'file' | 'text' | 'blank' | 'hunk' | 'added' | 'removed' | 'context' | 'missing';
  readonly text: string;
  /** Of a file: how many lines came and went, where somebody counted. */
  readonly added?: number | null;
  readonly removed?: number | null;
}

export interface ShownChanges {
  readonly title: string;
  readonly lines: readonly ChangeLine[];
}

/** What is to be asked of git for the task or the session one looks at, and the key its answer is kept under. */
export const selectChangesRef = (
  view: ViewState,
): { readonly title: string; readonly ref: ChangesRef; readonly key: string } | null => {
  const { session } = view;
  if (session === null) return null;
  if (view.ui.scope === 'session') {
    const files = [...new Set([...session.tasks.values()].flatMap((task) => task.changed))];
    return refOf('the whole session', files, null, session.wave ?? 0);
  }
  const task = selectTask(view);
  if (task === null) return null;
  const attempt = selectAttempt(view);
  const last = session.tasks.get(task);
  const isLast = attempt === null || attempt.number === last?.attempt;
  const files = isLast ? (last?.changed ?? []) : attempt.files;
  const title = attempt === null || (last?.attempt ?? 0) < 2 ? task : `${task} attempt ${attempt.number}`;
  return refOf(title, files, attempt?.commit ?? null, `${attempt?.number} ${attempt?.outcome}`);
};

const refOf = (title: string, files: readonly string[], commit: string | null, when: string | number) => ({
  title,
  ref: { files, commit },
  key: `${title} ${when} ${commit ?? ''} ${files.join(' ')}`,
});

/** The files with their counts, then the difference; what is missing is said in one sentence. */
export const selectChanges = (view: ViewState): ShownChanges => {
  const wanted = selectChangesRef(view);
  if (wanted === null) return { title: '', lines: [{ kind: 'text', text: 'No task yet.' }] };
  const { ref, key } = wanted;
  const { files, commit } = ref;
  const title = commit === null ? wanted.title : `${wanted.title} · commit ${commit.slice(0, shownHash)}`;
  if (files.length === 0 && commit === null)
    return { title, lines: [{ kind: 'text', text: `${title} has changed no file so far.` }] };
  const changes = view.ui.changes[key];
  if (changes !== undefined) return { title, lines: linesOf(changes) };
  return {
    title,
    lines: files.map((file) => ({ kind: 'file', text: safe(file), added: null, removed: null })),
  };
};

/** Characters of a commit's name: as many as git shows. */
const shownHash = 7;

const linesOf = memoise((changes: Changes): readonly ChangeLine[] => {
  const files = changes.files.map(
    ({ path, added, removed }): ChangeLine => ({ kind: 'file', text: safe(path), added, removed }),
  );
  const missing =
    changes.missing ?? (changes.diff === '' ? 'The last commit has all of it: nothing differs.' : null);
  if (missing !== null) return [...files, { kind: 'blank', text: '' }, { kind: 'missing', text: missing }];
  const sum = (of: 'added' | 'removed'): number =>
    changes.files.reduce((all, file) => all + (file[of] ?? 0), 0);
  const total = `${count(files.length, 'file')}, +${sum('added')} −${sum('removed')}`;
  return [...files, { kind: 'text', text: total }, { kind: 'blank', text: '' }, ...diffLines(changes.diff)];
});

/** A unified diff without git's bookkeeping. */
const diffLines = (diff: string): readonly ChangeLine[] => {
  let header = true;
  return safeBlock(diff)
    .trimEnd()
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((text): readonly ChangeLine[] => {
      if (text.startsWith('diff --git ')) {
        header = true;
        return [{ kind: 'text', text: text.replace(/^diff --git .* (?:"?b\/)/, '').replace(/"$/, '') }];
      }
      if (text.startsWith('@@')) {
        header = false;
        return [{ kind: 'hunk', text }];
      }
      if (header) return text.startsWith('Binary') ? [{ kind: 'context', text }] : [];
      return [{ kind: text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'context', text }];
    });
};
