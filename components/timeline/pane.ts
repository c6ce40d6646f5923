import { eventsPrinted } from '../in-lines.ts';
import { type Pane, plainPane } from '../pane/pane.ts';
import { stepBy } from '../step.ts';
import { copyTask } from '../tasks/copy-task.ts';
import type { Move } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { withReading } from '../with-reading.ts';
import { lanesOf, selectBar } from './select-timeline.ts';
import type { Bar } from './timeline.ts';

/** The bar that a move leads to: along its lane in time, or to the neighbouring lane. `null` follows the present. */
const moved = (view: ViewState, by: Move): Bar | null => {
  const lanes = lanesOf(view.timeline).map(({ bars }) => bars);
  const at = selectBar(view) ?? view.timeline.bars.at(-1);
  if (at === undefined || by === 'last') return null;
  const lane = Math.max(
    0,
    lanes.findIndex((bars) => bars.includes(at)),
  );
  const own = lanes[lane] ?? [];
  if (by === 'first') return own[0] ?? null;
  if (by === 'left' || by === 'right') {
    // The first key chooses the bar that was meant already: the newest one.
    if (selectBar(view) === null) return at;
    return own[stepBy(own.indexOf(at), by === 'left' ? 'up' : 'down', own.length, 1)] ?? at;
  }
  const next = lanes[stepBy(lane, by, lanes.length, lanes.length)] ?? own;
  return next.toSorted((a, b) => Math.abs(a.from - at.from) - Math.abs(b.from - at.from))[0] ?? at;
};

/** Attempts on a time axis, and the agents at work. */
export const timelinePane = {
  ...plainPane,
  name: 'timeline',
  title: 'Timeline',
  short: 'Time',
  inLines: eventsPrinted,
  keys: ['look.open', 'draw.closer', 'draw.wider', 'move.left', 'move.right'],
  kind: 'tab',
  empty: (view) => (view.timeline.bars.length === 0 ? 'No agent has worked yet.' : null),
  copy: copyTask,
  sideways: () => true,
  move: (view, by) =>
    by === 'wheel-up' || by === 'wheel-down'
      ? view
      : withReading(view, 'timeline', { at: moved(view, by)?.id ?? null }),
  open: (view) => {
    const bar = selectBar(view);
    if (bar === null) return 'Choose a bar first: {move.left} {move.right} {move.down} {move.up}';
    return openBar(view, bar);
  },
  back: (view) =>
    selectBar(view) === null ? null : { type: 'read', pane: 'timeline', change: { at: null } },
} as const satisfies Pane<'timeline'>;

/** Goes to the output of the attempt. Without a task there is none to choose. */
const openBar = (view: ViewState, { task, attempt }: Bar): ReturnType<Pane['open']> => {
  if (task === null) return 'This work has no task: {look.output} shows its output while no task is chosen';
  const last = view.session?.tasks.get(task)?.attempt ?? 0;
  return [
    { type: 'selected-task', task },
    { type: 'attempt-chosen', attempt: attempt === null || attempt === last ? null : attempt },
    { type: 'tab-chosen', tab: 'output' },
  ];
};
