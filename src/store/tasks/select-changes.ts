import { memoise } from '../../base/memoise.ts';
import { safe, safeBlock } from '../../base/safe.ts';
import type { SessionState, TaskState } from '../../pipeline/state.ts';
import type { Changes, ChangesRef } from '../ports/viewer-port.ts';
import { commandHere } from '../session/session-command.ts';
import { count } from '../text/local-time.ts';
import type { ViewState } from '../view.ts';
import type { Attempt, AttemptHistory } from './attempt-history.ts';
import { selectAttempt } from './select-details.ts';
import { selectTask } from './select-tasks.ts';

/** A line of the Changes tab. */
export interface ChangeLine {
  readonly kind: 'file' | 'text' | 'blank' | 'hunk' | 'added' | 'removed' | 'context' | 'missing';
  readonly text: string;
  /** Lines added to a file, and lines removed. Absent or `null` when they were not counted. */
  readonly added?: number | null;
  readonly removed?: number | null;
}

export interface ShownChanges {
  readonly title: string;
  readonly lines: readonly ChangeLine[];
}

/** The request to git for the selected task or the session, and the key of its cached answer. */
export const selectChangesRef = (
  view: ViewState,
): { readonly title: string; readonly ref: ChangesRef; readonly key: string } | null => {
  const { session } = view;
  if (session === null) return null;
  if (view.ui.scope === 'session')
    return keyed('the whole session', changesRef(session, view.attempts, null), session.wave ?? 0);
  const task = selectTask(view);
  if (task === null) return null;
  const attempt = selectAttempt(view);
  const tries = session.tasks.get(task)?.attempt ?? 0;
  const title = attempt === null || tries < 2 ? task : `${task} attempt ${attempt.number}`;
  const ref = changesRef(session, view.attempts, task, attempt ?? undefined);
  return keyed(title, ref, `${attempt?.number} ${attempt?.outcome}`);
};

const keyed = (title: string, ref: ChangesRef, when: string | number) => ({
  title,
  ref,
  key: `${title} ${when} ${ref.commit ?? ''} ${ref.files.join(' ')}`,
});

/**
 * The request to git: the files a task declares, and those an attempt was seen to change (the last one, or `attempt`). A failed or
 * running attempt may have no such files. Without a task it covers all tasks.
 */
export const changesRef = (
  session: SessionState,
  attempts: AttemptHistory,
  task: string | null,
  attempt: Attempt | undefined = task === null ? undefined : attempts.of(task).at(-1),
): ChangesRef => {
  const meant = [...session.tasks.values()].filter(
    ({ definition }) => task === null || definition.id === task,
  );
  const changedIn = (of: TaskState): readonly string[] =>
    attempt === undefined || attempt.number === of.attempt ? of.changed : attempt.files;
  // The session's view names the commits of tasks, so only uncommitted files count as seen.
  const open = meant.filter(({ definition }) => task !== null || !attempts.of(definition.id).at(-1)?.commit);
  return {
    files: [
      ...new Set([...meant.flatMap(({ definition }) => definition.files), ...meant.flatMap(changedIn)]),
    ],
    seen: [...new Set(open.flatMap(changedIn))],
    commit: attempt?.commit ?? null,
  };
};

/** The files with their counts, then the diff. A sentence replaces a missing diff. */
export const selectChanges = (view: ViewState): ShownChanges => {
  const wanted = selectChangesRef(view);
  if (wanted === null) return { title: '', lines: [{ kind: 'text', text: 'No task yet.' }] };
  const { ref, key } = wanted;
  const { files, seen, commit } = ref;
  const title = commit === null ? wanted.title : `${wanted.title} · commit ${commit.slice(0, shownHash)}`;
  if (files.length === 0 && commit === null)
    return {
      title,
      lines: [{ kind: 'text', text: `${title} names no files, and was seen to change none.` }],
    };
  const commits = view.ui.scope === 'session' ? commitLines(view) : [];
  const changes = view.ui.changes[key];
  if (changes === undefined) return { title, lines: [...commits, ...seen.map(named)] };
  const isBare = changes.files.length === 0 && changes.missing === null && commits.length === 0;
  return isBare && commit === null
    ? { title, lines: [{ kind: 'text', text: `${title} has changed no file so far.` }] }
    : { title, lines: [...commits, ...linesOf(changes), ...(changes.cut ? cutLines(view) : [])] };
};

const named = (file: string): ChangeLine => ({ kind: 'file', text: safe(file), added: null, removed: null });

/** Committed changes no longer differ: the session's view names their commits. */
const commitLines = (view: ViewState): readonly ChangeLine[] => {
  const lines = [...(view.session?.tasks.keys() ?? [])].flatMap((task): readonly ChangeLine[] => {
    const commit = view.attempts.of(task).at(-1)?.commit;
    return commit ? [{ kind: 'text', text: `commit ${commit.slice(0, shownHash)} · ${safe(task)}` }] : [];
  });
  return lines.length === 0 ? [] : [...lines, { kind: 'blank', text: '' }];
};

/** Characters shown of a commit id: as many as git shows. */
const shownHash = 7;

const linesOf = memoise((changes: Changes): readonly ChangeLine[] => {
  const files = changes.files.map(
    ({ path, added, removed }): ChangeLine => ({ kind: 'file', text: safe(path), added, removed }),
  );
  const missing =
    changes.missing ?? (changes.diff === '' ? 'The last commit has all of it: nothing differs.' : null);
  if (missing !== null) {
    const gap: readonly ChangeLine[] = files.length === 0 ? [] : [{ kind: 'blank', text: '' }];
    return [...files, ...gap, { kind: 'missing', text: missing }];
  }
  const sum = (of: 'added' | 'removed'): number =>
    changes.files.reduce((all, file) => all + (file[of] ?? 0), 0);
  const more = changes.cut && changes.files.some(({ added }) => added === null) ? ' and more' : '';
  const total = `${count(files.length, 'file')}, +${sum('added')} −${sum('removed')}${more}`;
  return [...files, { kind: 'text', text: total }, { kind: 'blank', text: '' }, ...diffLines(changes.diff)];
});

const cutLines = (view: ViewState): readonly ChangeLine[] => {
  const task = view.ui.scope === 'session' ? null : selectTask(view);
  const command = commandHere(view, task === null ? 'diff' : `diff ${task}`);
  return [
    { kind: 'blank', text: '' },
    {
      kind: 'missing',
      text: `The differences are longer than what is shown here: \`${command}\` prints all of them.`,
    },
  ];
};

/** The lines of a unified diff without git's headers. */
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
