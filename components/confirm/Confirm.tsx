import { wrap } from '../../src/words/width.ts';
import { editorLines } from '../draw/editor-lines.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { blank, bold, type Line, span } from '../draw/span.ts';
import type { ConfirmSubject } from '../overlay.ts';
import { withKeys } from '../table.ts';
import { selectConfirm } from './select-confirm.ts';

/** Asks before something that cannot be undone. The gravest commands require a typed word. */
export const Confirm = ({ view, overlay, hints, columns, rows }: OverlayProps<'confirm'>) => {
  const width = Math.min(72, columns - 4);
  const question = selectConfirm(view, overlay.subject);
  if (typeof question === 'string') return null;
  const field = editorLines(overlay.editor, 12, 1)[0] ?? [];
  const word: readonly Line[] =
    question.word === null
      ? []
      : [
          [
            span('Type '),
            bold(question.word, 'failed'),
            span(withKeys(view, ' and press {confirm.yes}: ')),
            ...field,
          ],
          blank,
        ];
  const lines: readonly Line[] = [
    blank,
    ...question.lines
      .flatMap((text) => wrap(withKeys(view, text), width - 4))
      .map((text): Line => [span(text)]),
    blank,
    ...word,
  ];
  return (
    <Modal
      tone={destroys.includes(overlay.subject.kind) ? 'failed' : 'accent'}
      title={question.title}
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};

/** What takes something away that does not come back by itself. */
const destroys: readonly ConfirmSubject['kind'][] = ['cancel', 'abort', 'take-back'];
