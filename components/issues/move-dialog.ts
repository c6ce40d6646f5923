import { safe } from '../../src/base/safe.ts';
import { formatTimeOfDay, type LocalTime } from '../../src/words/local-time.ts';
import { wrap } from '../../src/words/width.ts';
import { closing } from '../dialog/closing.ts';
import type { MenuDialog } from '../dialog/dialog.ts';
import { blank, type Line, span } from '../draw/span.ts';
import type { MoveIssueOverlay } from '../overlay.ts';
import type { ViewState } from '../view.ts';
import { selectMove } from './select-move.ts';

/** Why a person is needed, where an issue may move, and who holds it. */
export const moveIssueDialog: MenuDialog<MoveIssueOverlay> = {
  moves: 'cursor',
  widest: () => 70,
  tone: (view, shown) => {
    const question = selectMove(view, shown);
    return question !== null && (question.lock !== null || question.why !== '') ? 'needs-you' : 'accent';
  },
  title: (_view, { issue }) => `Move ${safe(issue)} to`,
  above: (view, shown, { width, now }) => {
    const question = selectMove(view, shown);
    const asking = (text: string): readonly Line[] =>
      wrap(text, width).flatMap((row): readonly Line[] => (row === '' ? [] : [[span(row, 'needs-you')]]));
    return [
      blank,
      ...asking(question?.why ?? ''),
      [span(question === null ? missing(view) : `The issue is in ${question.from}.`, 'secondary')],
      ...(question === null || question.lock === null ? [] : asking(heldWords(question.lock, now))),
      blank,
    ];
  },
  items: (view, shown) =>
    (selectMove(view, shown)?.states ?? []).map((state) => (here) => [
      [{ text: state, bold: here, tone: state === 'Canceled' ? 'failed' : 'text' }],
    ]),
  below: () => [blank],
  commands: [closing('move-issue', ['escape', 'q', 'ctrl-c'])],
};

const heldWords = (
  { by, since }: { readonly by: string; readonly since: string },
  now: LocalTime,
): string => {
  const from = since === '' ? '' : ` since ${formatTimeOfDay(Date.parse(since), now)}`;
  return `Held by ${by}${from}. Moving the issue takes over its lock, and that session will stop working on it.`;
};

const missing = ({ ui }: ViewState): string =>
  ui.issues.board !== null
    ? 'The tracker no longer has this issue.'
    : (ui.issues.error ?? 'Reading the tracker…');
