import { safe, safeBlock } from '../../src/base/safe.ts';
import { planRequest, selectRequest } from '../../src/store/signals/select-request.ts';
import { wrap } from '../../src/store/text/width.ts';
import { editorLines } from '../parts/editor-lines.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, type Line, rowFor, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

/** Rows of the answer in sight. A rejection may hold a comment a line. */
const mostFieldRows = 6;

/** An agent's question, or the gate of the plan: choose an option or type an answer. */
export const Answer = ({ view, overlay, hints, columns, rows }: OverlayProps<'answer'>) => {
  const theme = useTheme();
  const width = Math.min(80, columns - 4);
  const question = selectRequest(view.session, overlay.request);
  const typed = overlay.editor.text !== '';
  const options = (question?.options ?? []).map((option, index): Line => {
    const here = index === overlay.cursor && !typed;
    return rowFor({ kind: 'item', item: index }, [
      span(here ? theme.glyphs.cursor : ' ', 'accent'),
      { text: safe(option), bold: here, tone: typed ? 'quiet' : 'plain' },
    ]);
  });
  const field = editorLines(overlay.editor, width - 13, mostFieldRows);
  const lines: readonly Line[] = [
    blank,
    ...wrap(safeBlock(question?.text ?? 'This question is settled.'), width - 4).map(
      (line): Line => [span(line)],
    ),
    blank,
    ...options,
    ...(options.length > 0 ? [blank] : []),
    ...field.map((line, index): Line => [span(index === 0 ? 'Or type: ' : '         ', 'quiet'), ...line]),
    blank,
  ];
  return (
    <Modal
      title={overlay.request === planRequest ? 'The plan waits for you' : 'A question for you'}
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};
