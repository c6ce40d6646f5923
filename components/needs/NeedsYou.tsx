import { safe } from '../../src/base/safe.ts';
import { formatWait } from '../../src/words/local-time.ts';
import { wrap } from '../../src/words/width.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { blank, bold, cursorMark, type Line, name, rowFor, span, spread } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { windowTop } from '../draw/window-top.ts';
import { answersPermissions } from '../permission/select-permission.ts';
import { keyFor } from '../table.ts';
import type { ViewState } from '../view.ts';
import { queuedNeeds } from './needs-queue.ts';
import { itemIndent, type QueueItem, queueBox, queueItem, queueWidth } from './queue-item.ts';
import type { Need } from './select-needs.ts';

/** The queue of what waits for a person, oldest first: task, agent and what is asked, with the answers of the one under the cursor. */
export const NeedsYou = ({ view, overlay, now, hints, columns, rows }: OverlayProps<'needs-you'>) => {
  const theme = useTheme();
  const width = queueBox(columns);
  const inner = width - 4;
  const needs = queuedNeeds(view);
  const drawn = needs.map((need, index) => {
    const item = queueItem(view, need, queueWidth(view));
    const waits = formatWait(need.since, now);
    const lines = (here: boolean): readonly Line[] =>
      itemLines(item, { view, theme, here, inner, waits }).map((line) =>
        rowFor({ kind: 'item', item: index }, line),
      );
    return { open: lines(true), brief: lines(false) };
  });
  const items = drawn.map(({ open, brief }, index) => (index === overlay.cursor ? open : brief));
  const foot = footLines(view, needs, inner);
  const before = items.slice(0, Math.max(0, overlay.cursor)).flat().length;
  const all = items.flat();
  const room = Math.max(3, overlayRows(rows) - foot.length);
  const top = windowTop(all.length, before + 2, room);
  const shown = needs.length === 0 ? [[span('Nothing is waiting for you now.', 'secondary')]] : all;
  const height = Math.min(room, Math.max(shown.length, highest(drawn)));
  const window = shown.slice(top, top + room);
  const steady = Array.from({ length: height }, (_, row) => window[row] ?? blank);
  return (
    <Modal
      tone="needs-you"
      title={needs.length > 1 ? `Needs you: ${needs.length} waiting` : 'Needs you'}
      lines={[...steady, ...foot]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};

interface Drawn {
  readonly open: readonly Line[];
  readonly brief: readonly Line[];
}

/** The rows with the cursor on the longest item: the box keeps its size wherever the cursor is. */
const highest = (items: readonly Drawn[]): number =>
  items.reduce((rows, { brief }) => rows + brief.length, 0) +
  Math.max(0, ...items.map(({ open, brief }) => open.length - brief.length));

interface Look {
  readonly view: ViewState;
  readonly theme: Theme;
  readonly here: boolean;
  readonly inner: number;
  readonly waits: string;
}

/** The head and what is asked; under the cursor whole and with the answers, elsewhere its first row. */
const itemLines = (item: QueueItem, { view, theme, here, inner, waits }: Look): readonly Line[] => {
  const { task, asks, body, brief, choices } = item;
  const mark = cursorMark(here, theme);
  const head: Line = [
    mark,
    span(' '),
    ...(task === '' ? [] : [name(task), span('  ')]),
    { text: asks, tone: 'needs-you', bold: here },
  ];
  const indent = span(' '.repeat(itemIndent - 1));
  const rows = (here ? body : [brief]).map(
    (text): Line => [mark, indent, span(text, here ? 'text' : 'secondary')],
  );
  const answers: Line =
    choices.length === 0
      ? [mark, indent, bold(keyFor(view, 'decide.choose'), 'accent'), span(' opens it', 'secondary')]
      : [
          mark,
          indent,
          ...choices.flatMap(
            ({ label, able }, index): Line => [
              bold(keyFor(view, ids[index] ?? 'decide.choose'), able === true ? 'accent' : 'furniture'),
              span(` ${label}   `, able === true ? 'text' : 'secondary'),
            ],
          ),
        ];
  return [
    spread(head, [span(`waits ${waits}`, here ? 'text' : 'secondary')], inner, theme),
    ...rows,
    ...(here ? [answers] : []),
    blank,
  ];
};

const ids = ['needs.first', 'needs.second', 'needs.third', 'needs.fourth', 'needs.fifth'];

/** What was allowed before, and why this screen cannot answer the permissions that wait. */
const footLines = (view: ViewState, needs: readonly Need[], inner: number): readonly Line[] => {
  const allowed = [...(view.session?.remembered.values() ?? [])].map(
    (text): Line => [span('Allowed for this session: ', 'secondary'), span(safe(text))],
  );
  const answers = answersPermissions(view);
  const isSilent = answers === true || !needs.some(({ kind }) => kind === 'permission');
  const why = isSilent ? [] : wrap(`${answers}.`, inner).map((text): Line => [span(text, 'secondary')]);
  return [...allowed, ...why];
};
