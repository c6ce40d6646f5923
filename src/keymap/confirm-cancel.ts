import { createEditor } from '../store/line-editor.ts';
import { selectStanding, selectTask, selectTasks } from '../store/select-tasks.ts';
import type { ViewState } from '../store/view.ts';
import { standing } from '../tasks/graph.ts';
import { act, type Doing } from './command.ts';
import { publish } from './steerable.ts';

/** Asks before the task one looks at is cancelled, and names what can no longer start then. */
export const confirmCancel = (view: ViewState): readonly Doing[] => {
  const id = selectTask(view);
  if (id === null) return [];
  const lost = lostBy(view, id);
  return [
    act({
      type: 'overlay-opened',
      overlay: {
        kind: 'confirm',
        title: `Cancel ${id}?`,
        lines: [
          isAtWork(view, id)
            ? 'Its agent is stopped; files it changed stay as they are.'
            : 'Nobody works on it just now: no agent is stopped, and no file is changed back.',
          ...(lost.length === 0 ? [] : [`Becomes unreachable: ${named(lost)}.`]),
        ],
        verb: `cancel ${id}`,
        word: null,
        editor: createEditor(),
        intent: publish(view, { type: 'CANCEL', target: 'ALL', task: id }),
      },
    }),
  ];
};

const isAtWork = ({ session }: ViewState, id: string): boolean =>
  [...(session?.invocations.values() ?? [])].some(
    ({ task, stage }) => task === id && (stage === 'running' || stage === 'paused'),
  );

/** Tasks that can start as it stands, now or later, and never could once this one is cancelled; in the order of the waves. */
const lostBy = (view: ViewState, id: string): readonly string[] => {
  const { session } = view;
  const task = session?.tasks.get(id);
  if (!session || task === undefined) return [];
  const { graph } = selectTasks(view);
  const cancelled = new Map(session.tasks).set(id, { ...task, status: 'cancelled' });
  const { unreachable } = standing(graph, cancelled, session.settings.retries.max_attempts);
  const before = selectStanding(session).unreachable;
  return [...unreachable.keys()].filter((each) => !before.has(each));
};

/** As many as a question has room for. */
const named = (ids: readonly string[]): string =>
  ids.length <= 6 ? ids.join(', ') : `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more`;
