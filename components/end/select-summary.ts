import { safe } from '../../src/base/safe.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { count } from '../../src/words/local-time.ts';
import { sessionCommand } from '../../src/words/session-command.ts';
import { loopSummary } from '../../src/words/turn-words.ts';
import { selectTasks, type TaskLine } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';

const shown = 10;

/** The lines printed on the normal screen after leaving: the number of done tasks, then what is left. */
export const selectSummary = (view: Pick<ViewState, 'session'>): readonly string[] => {
  const { session } = view;
  const table = selectTasks(view);
  if (table.total === 0) return [];
  return [
    (session && loopSummary(session)) ??
      `${table.done} of ${count(table.total, 'task')} done${table.byHand > 0 ? `, ${table.byHand} by hand` : ''}`,
    ...(session === null ? [] : selectLeft(session)),
  ];
};

/**
 * What a session leaves to look at, a line each. Failures come before the tasks they made unreachable, and before done tasks that could not be
 * committed; then the work that a person took back.
 */
export const selectLeft = (session: SessionState): readonly string[] => {
  const lines = isAllDone(session) ? [] : [...selectTasks({ session }).lines.values()];
  const bad = [
    ...lines.filter((line) => line.look === 'failed'),
    ...lines.filter((line) => line.look === 'unreachable'),
    ...lines.filter((line) => line.uncommitted !== null),
  ];
  const width = Math.max(0, ...bad.slice(0, shown).map((line) => line.id.length));
  return [
    ...bad.slice(0, shown).map((line) => `${line.id.padEnd(width)}  ${wordOf(line)}`),
    ...(bad.length > shown
      ? [`and ${bad.length - shown} more: ${sessionCommand(session.session, 'tasks')}`]
      : []),
    ...undoneWork(session).map(({ name, patch }) => `${name}  undone; patch saved as ${safe(patch)}`),
  ];
};

/** Nothing of its tasks is left: the table of thousands need not be made for that. */
const isAllDone = ({ tasks }: SessionState): boolean =>
  [...tasks.values()].every(({ status, uncommitted }) => status === 'done' && uncommitted === null);

/** Attempts that a person took back, as `task-1 attempt 2`, each with the patch of its work. */
export const undoneWork = ({
  changes: { attempts },
}: Pick<SessionState, 'changes'>): readonly { readonly name: string; readonly patch: string }[] =>
  [...attempts.values()].flatMap(({ task, attempt, undone }) =>
    undone === null ? [] : [{ name: `${task} attempt ${attempt}`, patch: undone }],
  );

const wordOf = ({ word, uncommitted }: TaskLine): string =>
  uncommitted === null ? word : `${word}: ${uncommitted}`;
