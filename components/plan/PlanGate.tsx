import { safe } from '../../src/base/safe.ts';
import { count } from '../../src/words/local-time.ts';
import { widthOf } from '../../src/words/width.ts';
import { rowLine } from '../details/text-row-line.ts';
import { editorLines } from '../draw/editor-lines.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { bold, cursorMark, fillLine, fitLine, type Line, rowFor, span, spread } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { windowTop } from '../draw/window-top.ts';
import { readingOf } from '../reading.ts';
import { choiceKey, withKeys } from '../table.ts';
import { graphLines } from '../tasks/graph-lines.ts';
import { selectTask } from '../tasks/select-tasks.ts';
import { taskLines } from '../tasks/task-lines.ts';
import type { ViewState } from '../view.ts';
import {
  commentedTasks,
  fieldRows,
  type PlanBox,
  planBox,
  planChoices,
  planFiles,
  planOffer,
  planTitle,
  selectPlanDetails,
  selectPlanLines,
  selectPlanRows,
} from './plan-gate.ts';

/** The plan before its work begins: its tasks, all that it says about the one under the cursor, and the decision. */
export const PlanGate = ({ view, overlay, now, hints, columns, rows }: OverlayProps<'answer'>) => {
  const theme = useTheme();
  const box = planBox(view);
  const inner = box.width - 4;
  const focused = overlay.side === 'tasks';
  const list = listLines(view, box, { now, width: box.list, theme, focused, spinner: null });
  const details = detailLines(view, box, theme);
  const rule: Line = [span(theme.glyphs.rule.repeat(inner), 'furniture')];
  const body = box.beside
    ? Array.from(
        { length: box.height },
        (_, row): Line => [
          ...fillLine(list[row] ?? [], box.list, theme),
          { ...span(` ${theme.glyphs.bar} `, 'furniture'), target: null },
          ...fitLine(details[row] ?? [], box.details, theme),
        ],
      )
    : [...filled(list, box.listHeight), rule, ...filled(details, box.height)];
  const lines = [
    ...body,
    rule,
    ...optionLines(view, overlay, inner, theme),
    ...fieldLines(view, overlay, inner),
  ];
  return (
    <Modal
      tone="needs-you"
      title={planTitle(view)}
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={box.width}
    />
  );
};

const filled = (lines: readonly Line[], height: number): readonly Line[] =>
  Array.from({ length: height }, (_, row) => lines[row] ?? []);

const listLines = (
  view: ViewState,
  { listHeight, graph }: PlanBox,
  look: Omit<Parameters<typeof taskLines>[2], 'marked'>,
): readonly Line[] => {
  if (graph !== null) return graphLines(graph, { ...look, lines: selectPlanLines(view) });
  const rows = selectPlanRows(view);
  const marked = selectTask(view);
  const at = rows.findIndex((row) => row.kind === 'task' && row.id === marked);
  const top = windowTop(rows.length, at, listHeight);
  return taskLines(rows.slice(top, top + listHeight), rows, { ...look, marked });
};

const detailLines = (view: ViewState, { height }: PlanBox, theme: Theme): readonly Line[] => {
  const all = selectPlanDetails(view);
  const drawn = (rows: typeof all): readonly Line[] => rows.map((row) => rowLine(row, theme));
  if (all.length <= height) return drawn(all);
  const room = height - 1;
  const from = Math.min(readingOf(view.ui, 'details').top ?? 0, all.length - room);
  const below = all.length - from - room;
  const more = below > 0 ? `${count(below, 'more line')} · {answer.page-down}` : 'the end · {answer.page-up}';
  return [...drawn(all.slice(from, from + room)), [bold(withKeys(view, ` ${more}`), 'accent')]];
};

/** The options in one row each, and a file that answers already. */
const optionLines = (
  view: ViewState,
  overlay: OverlayProps<'answer'>['overlay'],
  width: number,
  theme: Theme,
): readonly Line[] => {
  const choices = planChoices(view);
  const focused = overlay.side !== 'tasks';
  const longest = Math.max(0, ...choices.map(({ id }) => widthOf(id)));
  const comments = commentedTasks(view).length;
  const options = choices.map(({ id, label, words }, index): Line => {
    const here = focused && index === overlay.cursor;
    const left: Line = [
      cursorMark(here, theme),
      span(`${choiceKey(view, index)} `, 'accent'),
      bold(id.padEnd(longest)),
      span(`  ${safe(label)}`),
    ];
    const sent = words === undefined || comments === 0 ? '' : `sends ${count(comments, 'comment')}`;
    return rowFor({ kind: 'item', item: index }, spread(left, [span(sent, 'needs-you')], width, theme));
  });
  const files = planFiles(view).map(
    (text): Line => [
      span(text, 'needs-you'),
      span(withKeys(view, ' {answer.close}, then {decide.open}'), 'secondary'),
    ],
  );
  const offer = planOffer(view).map((text): Line => [span(withKeys(view, ` ${text}`), 'secondary')]);
  return [...options, ...files, ...offer];
};

/** The field: a comment on the task under the cursor, or words about the whole plan. */
const fieldLines = (view: ViewState, { side, editor }: OverlayProps<'answer'>['overlay'], width: number) => {
  const label = side === 'tasks' ? `On ${selectTask(view) ?? 'the plan'}: ` : 'On the whole plan: ';
  const hint = editor.text === '' ? 'type a comment; revise sends it to the Planner' : '';
  const room = Math.max(8, width - widthOf(label));
  return editorLines(editor, room, fieldRows).map(
    (line): Line => [span(label), ...line, span(hint, 'secondary')],
  );
};
