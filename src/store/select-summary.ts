import { count } from './moment.ts';
import { selectTasks } from './select-tasks.ts';
import type { ViewState } from './view.ts';

/** What is printed on the normal screen after leaving: how it stands, failures first, and the one command that goes on. */
export const selectSummary = (view: ViewState): readonly string[] => {
  const { session } = view;
  if (session === null) return [];
  const table = selectTasks(view);
  const bad = [...table.lines.values()].filter(
    (line) => line.look === 'failed' || line.look === 'unreachable',
  );
  const over = session.state === 'COMPLETE';
  const status =
    session.status === 'in_progress' && !session.running ? 'stopped' : session.status.replace('_', ' ');
  const reason =
    session.stopReason && session.stopReason !== session.status ? ` (${session.stopReason})` : '';
  return [
    `Session ${session.session}: ${status}${reason}, ${table.done} of ${count(table.total, 'task')} done`,
    ...bad.map((line) => `  ${line.id}  ${line.word}`),
    ...(session.running && !over
      ? [`It goes on. Come back: ralph-tui attach ${session.session}`]
      : over
        ? []
        : [`Go on: ralph-tui resume ${session.session}`]),
  ];
};
