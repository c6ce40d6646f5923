import { safe } from '../../src/base/safe.ts';
import { formatTimeOfDay, type LocalTime } from '../../src/words/local-time.ts';
import { wrap } from '../../src/words/width.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { blank, cursorMark, type Line, rowFor, span } from '../draw/span.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { selectMove } from './select-move.ts';

/** Why a person is needed, where an issue may move, and who holds it. */
export const MoveIssue = ({ view, overlay, now, hints, columns, rows }: OverlayProps<'move-issue'>) => {
  const theme = useTheme();
  const width = Math.min(70, columns - 4);
  const question = selectMove(view, overlay);
  const held =
    question === null || question.lock === null
      ? []
      : wrap(
          `Held by ${question.lock.by}${sinceWords(question.lock.since, now)}. Moving the issue takes over its lock, and that session will stop working on it.`,
          width - 4,
        );
  const states = (question?.states ?? []).map((state, index): Line => {
    const here = index === overlay.cursor;
    return rowFor({ kind: 'item', item: index }, [
      cursorMark(here, theme),
      { text: state, bold: here, tone: state === 'Canceled' ? 'failed' : 'text' },
    ]);
  });
  const lines: readonly Line[] = [
    blank,
    ...wrap(question?.why ?? '', width - 4)
      .filter((text) => text !== '')
      .map((text): Line => [span(text, 'needs-you')]),
    [span(question === null ? missing(view) : `The issue is in ${question.from}.`, 'secondary')],
    ...held.map((text): Line => [span(text, 'needs-you')]),
    blank,
    ...states,
    blank,
  ];
  return (
    <Modal
      tone={held.length > 0 || (question?.why ?? '') !== '' ? 'needs-you' : 'accent'}
      title={`Move ${safe(overlay.issue)} to`}
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};

const sinceWords = (since: string, now: LocalTime): string =>
  since === '' ? '' : ` since ${formatTimeOfDay(Date.parse(since), now)}`;

const missing = ({ ui }: OverlayProps<'move-issue'>['view']): string =>
  ui.issues.board !== null
    ? 'The tracker no longer has this issue.'
    : (ui.issues.error ?? 'Reading the tracker…');
