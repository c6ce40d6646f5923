import { Box } from 'ink';
import { selectShownTasks } from '../../src/store/select-shown-tasks.ts';
import { hintLine } from '../layout/Footer.tsx';
import { editorLines } from '../parts/editor-lines.ts';
import { Lines } from '../parts/Lines.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { bold, fillLine, type Line, span, widthOfLine } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

const labels = { search: 'Search the log', filter: 'Show tasks with', events: 'Show events with' } as const;

/** One line in the place of the footer: what to look for. What it finds shows above while one types. */
export const Prompt = ({ view, overlay, hints, columns, rows }: OverlayProps<'prompt'>) => {
  const theme = useTheme();
  const label = labels[overlay.what];
  const { narrowed } = selectShownTasks(view);
  const found = overlay.what === 'filter' && narrowed !== '' ? ` ${narrowed.split(' · ').at(-1)} ` : '';
  const keys = hintLine(hints, 44);
  const lead: Line = [bold(` ${label}: `, 'accent')];
  const room = Math.max(8, columns - widthOfLine(lead) - found.length - widthOfLine(keys) - 1);
  const field = fillLine(editorLines(overlay.editor, room, 1)[0] ?? [], room, theme);
  const line = fillLine([...lead, ...field, span(found, 'quiet'), ...keys], columns, theme);
  return (
    <Box position="absolute" left={0} top={rows - 1}>
      <Lines lines={[line]} width={columns} height={1} level="over" />
    </Box>
  );
};
