import { withKeys } from '../../src/keymap/table.ts';
import { wrap } from '../../src/store/width.ts';
import { editorLines } from '../parts/editor-lines.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, bold, type Line, span } from '../parts/span.ts';

/** Asks before something that cannot be taken back; the gravest asks for a word. */
export const Confirm = ({ view, overlay, hints, columns, rows }: OverlayProps<'confirm'>) => {
  const width = Math.min(72, columns - 4);
  const field = editorLines(overlay.editor, 12, 1)[0] ?? [];
  const word: readonly Line[] =
    overlay.word === null
      ? []
      : [
          [
            span('Type '),
            bold(overlay.word, 'bad'),
            span(withKeys(view, ' and press {confirm.yes}: ')),
            ...field,
          ],
          blank,
        ];
  const lines: readonly Line[] = [
    blank,
    ...overlay.lines.flatMap((text) => wrap(text, width - 4)).map((text): Line => [span(text)]),
    blank,
    ...word,
  ];
  return (
    <Modal title={overlay.title} lines={lines} hints={hints} columns={columns} rows={rows} width={width} />
  );
};
