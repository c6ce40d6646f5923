import { wizardRoom, wizardWidth } from '../../src/store/overlays/select-wizard.ts';
import {
  isSetupWords,
  type SetupOverlay,
  setupItems,
  setupPlace,
  setupProblem,
  setupQuestion,
  setupSummary,
} from '../../src/store/overlays/setup.ts';
import { windowTop } from '../../src/store/text/window-top.ts';
import { wrap } from '../../src/words/width.ts';
import { editorLines } from '../parts/editor-lines.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, cursorMark, type Line, rowFor, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme } from '../theme.ts';

/** The questions of `init`, one a step, and what they will write. */
export const Setup = ({ overlay, hints, columns, rows }: OverlayProps<'setup'>) => {
  const theme = useTheme();
  const width = wizardWidth(columns);
  const lines: readonly Line[] = [
    ...bodyOf(overlay, width - 4, wizardRoom(rows), theme),
    blank,
    [span(setupPlace(overlay), 'secondary')],
  ];
  return (
    <Modal
      title={setupQuestion(overlay)?.question ?? 'Write this?'}
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};

const bodyOf = (overlay: SetupOverlay, inner: number, room: number, theme: Theme): readonly Line[] => {
  const question = setupQuestion(overlay);
  if (question === null)
    return setupSummary(overlay, inner)
      .slice(0, room)
      .map((text): Line => [span(text, text.startsWith(' ') ? 'text' : 'accent')]);
  const problem = setupProblem(overlay);
  if (isSetupWords(overlay))
    return [
      ...wrap(question.help, inner).map((text): Line => [span(text, 'secondary')]),
      blank,
      ...editorLines(overlay.editor, inner, 2),
      // Enter does nothing until it is right.
      ...(problem === null ? [] : wrap(problem, inner)).map((text): Line => [span(text, 'failed')]),
    ];
  const items = setupItems(overlay);
  const top = windowTop(items.length, overlay.cursor, room);
  const rows = items.slice(top, top + room).map((item, index): Line => {
    const here = top + index === overlay.cursor;
    return rowFor({ kind: 'item', item: top + index }, [
      cursorMark(here, theme),
      { text: item.label, bold: here },
    ]);
  });
  const detail = wrap(items[overlay.cursor]?.detail ?? '', inner - 1).slice(0, 3);
  return [...rows, blank, ...detail.map((text): Line => [span(` ${text}`, 'secondary')])];
};
