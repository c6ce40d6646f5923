import { memoise } from '../../src/base/memoise.ts';
import { type StyledText, styledLines } from '../../src/words/styled-text.ts';
import { Lines } from '../draw/Lines.tsx';
import { styledSpans } from '../draw/sgr.ts';
import { bold, type Line, span } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { highlighted, wrapLine } from '../draw/wrap-line.ts';
import type { PaneProps } from '../pane/pane-props.ts';
import type { LogPage } from '../ports/viewer-port.ts';
import { withKeys } from '../table.ts';
import { selectOutputSubject } from './select-output.ts';
import { selectSearchWords } from './select-search.ts';

/** The log file as written. Only the visible part is read. */
export const LogFile = ({ view, width, height }: PaneProps) => {
  const theme = useTheme();
  const { ref, title } = selectOutputSubject(view);
  const { page: read, pageTop, search } = view.ui.log;
  const known = read !== null && read.ref.subject === ref?.subject && read.ref.attempt === ref.attempt;
  const page = known ? read.page : null;
  if (page === null) {
    const text = known || ref === null ? `There is no log file for ${title || 'this'}.` : 'Reading the log…';
    return <Lines lines={[[span(` ${text}`, 'secondary')]]} width={width} height={height} />;
  }
  const room = Math.max(1, height - 1);
  const wanted = search?.text.toLowerCase() ?? '';
  const draw = (line: StyledText): readonly Line[] => drawLine(line, wanted, width, theme);
  const styled = styledPage(page);
  const found = pageTop === null ? -1 : page.lines.findIndex((line) => line.at >= pageTop);
  const from = found < 0 ? Math.max(0, page.lines.length - room) : found;
  const drawn = styled.slice(from, from + room).flatMap(draw);
  const lines = pageTop === null ? drawn.slice(-room) : drawn.slice(0, room);
  const fill = Array.from({ length: room - lines.length }, (): Line => []);
  const first = page.lines[from]?.at ?? page.to;
  return (
    <Lines
      lines={[
        ...lines,
        ...fill,
        placeLine(pageTop, first, page.size, {
          search: selectSearchWords(view),
          // A search may have jumped here by itself: then the way back matters more than the way on.
          keys: withKeys(view, search === null ? ' · {move.last} to follow ↓' : ' · {read.raw} blocks'),
        }),
      ]}
      width={width}
      height={height}
    />
  );
};

/** A page is bounded. It is styled again only when it changes. */
const styledPage = memoise((page: LogPage) => styledLines(page.lines.map(({ text }) => text)));

const drawLine = (
  { text, styles }: StyledText,
  wanted: string,
  width: number,
  theme: Theme,
): readonly Line[] => {
  const spans = highlighted(styledSpans(text, styles, theme), wanted);
  return wrapLine(spans, width - 2).map((row): Line => [span(' '), ...row]);
};

const placeLine = (
  top: number | null,
  first: number,
  size: number,
  { search, keys }: { readonly search: string; readonly keys: string },
): Line => [
  bold(search === '' ? '' : ` ${search} ·`, 'held'),
  bold(
    top === null
      ? ` following the log file (${bytes(size)})`
      : ` at ${Math.floor((first / Math.max(1, size)) * 100)}% of the log (${bytes(size)})${keys}`,
    'accent',
  ),
];

const bytes = (size: number): string => {
  if (size < 1_000) return `${size} bytes`;
  return size < 1_000_000 ? `${(size / 1_000).toFixed(1)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
};
