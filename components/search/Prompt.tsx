import { Box } from 'ink';
import { safe } from '../../src/base/safe.ts';
import { truncateMiddle } from '../../src/words/width.ts';
import { editorLines } from '../draw/editor-lines.ts';
import { hintLine } from '../draw/Footer.tsx';
import { Lines } from '../draw/Lines.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { bold, fillLine, type Line, span, widthOfLine } from '../draw/span.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { paneNamed } from '../panes.ts';
import { tasksWith } from '../tasks/select-shown-tasks.ts';
import type { ViewState } from '../view.ts';

/** What the field is for. */
const labelOf = (overlay: OverlayProps<'prompt'>['overlay'], columns: number, ellipsis: string): string => {
  switch (overlay.what) {
    case 'search':
      return overlay.pane === 'changes' ? 'Search the changes' : 'Search the log';
    case 'find':
      return 'Find a task';
    case 'trust':
      return 'Search what would run';
    case 'filter':
      return paneNamed(overlay.pane).filter?.label ?? '';
    case 'comment':
      return truncateMiddle(`${safe(overlay.file)}:${overlay.line}`, Math.floor(columns / 3), ellipsis);
  }
};

const foundTasks = (view: ViewState, text: string): string =>
  text === '' ? '' : `${tasksWith(view, text).length} found`;

/** One line in place of the footer, for the words of a search, a filter or a comment. Matches show above during typing. */
export const Prompt = ({ view, overlay, hints, columns, rows }: OverlayProps<'prompt'>) => {
  const theme = useTheme();
  const filter = overlay.what === 'filter' ? paneNamed(overlay.pane).filter : null;
  const label = labelOf(overlay, columns, theme.glyphs.ellipsis);
  const count = overlay.what === 'find' ? foundTasks(view, overlay.editor.text) : (filter?.found(view) ?? '');
  const found = count === '' ? '' : ` ${count} `;
  const keys = hintLine(hints, 44);
  const lead: Line = [bold(` ${label}: `, 'accent')];
  const room = Math.max(8, columns - widthOfLine(lead) - found.length - widthOfLine(keys) - 1);
  const field = fillLine(editorLines(overlay.editor, room, 1)[0] ?? [], room, theme);
  const line = fillLine([...lead, ...field, span(found, 'secondary'), ...keys], columns, theme);
  return (
    <Box position="absolute" left={0} top={rows - 1}>
      <Lines lines={[line]} width={columns} height={1} level="over" />
    </Box>
  );
};
