import { Box } from 'ink';
import { widthOf, wrap } from '../../src/words/width.ts';
import { keyLabel } from '../keys/key-label.ts';
import { footerHints, type Hint, shownNotice, withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import { fieldNotice } from './field-notice.ts';
import { Lines } from './Lines.tsx';
import { bold, fillLine, type Line, span, spread, widthOfLine } from './span.ts';
import type { Theme } from './theme.ts';
import { useTheme } from './theme-context.tsx';

interface FooterProps {
  readonly view: ViewState;
  readonly columns: number;
}

/**
 * The last line: the keys that have an effect now, never cut in half. They keep their places while the last sent signal, or why a key did nothing, stands
 * behind them for a while. A long answer to a key takes their place, and begins in the lines above (`NoticeStart`); any other long sentence stands above them.
 */
export const Footer = ({ view, columns }: FooterProps) => {
  const theme = useTheme();
  return <Lines lines={[footerOf(view, columns, theme).last]} width={columns} height={1} />;
};

/** The lines of a long notice above the last one, over the panes: a key and its verb, or a command to copy, must not be cut. */
export const NoticeStart = ({ view, columns, rows }: FooterProps & { readonly rows: number }) => {
  const theme = useTheme();
  const { above } = footerOf(view, columns, theme);
  if (above.length === 0) return null;
  return (
    <Box position="absolute" left={0} top={rows - 1 - above.length}>
      <Lines
        lines={above.map((line) => fillLine(line, columns, theme))}
        width={columns}
        height={above.length}
        level="over"
      />
    </Box>
  );
};

/** Lines of a notice above the last one; fewer below an overlay, whose keys stay in sight. A longer notice loses its middle. */
const mostAbove = { overScreen: 3, overOverlay: 1 };

interface FooterLines {
  readonly above: readonly Line[];
  readonly last: Line;
}

const footerOf = (view: ViewState, columns: number, theme: Theme): FooterLines => {
  const notice = fieldNotice(view, columns) === null ? shownNotice(view) : null;
  // An overlay shows its keys in its own last line.
  const hints = view.ui.overlays.length > 0 ? [] : footerHints(view);
  if (notice === null) return { above: [], last: hintLine(hints, columns) };
  const text = withKeys(view, notice.text);
  const said = (part: string): Line => [span(` ${part} `, noticeTones[notice.tone])];
  const keys = hintLine(hints, columns - widthOf(text) - 3);
  if (widthOf(text) + 3 + widthOfLine(keys) <= columns)
    return { above: [], last: keys.length === 0 ? said(text) : spread(keys, said(text), columns, theme) };
  const whole = wrap(text, columns - 2);
  const start = whole.slice(0, -1);
  const most = view.ui.overlays.length > 0 ? mostAbove.overOverlay : mostAbove.overScreen;
  const shown = start.slice(0, most);
  const isCut = shown.length < start.length;
  const above = shown.map((part, at) =>
    said(isCut && at === most - 1 ? `${part} ${theme.glyphs.ellipsis}` : part),
  );
  const end = said(whole.at(-1) ?? '');
  // Keys give way only to the answer to a key, which disappears soon.
  const isAnswer = !(notice.besideKeys || notice.stays);
  return isAnswer || hints.length === 0
    ? { above, last: end }
    : { above: [...above, end], last: hintLine(hints, columns) };
};

const noticeTones = { info: 'held', good: 'done', bad: 'failed' } as const;

/** As many hints as fit, the most important first. Help and quit always fit, and where there is neither, Esc. */
export const hintLine = (hints: readonly Hint[], width: number): Line => {
  const ways = hints.filter(({ id }) => always.includes(id));
  const kept = ways.length > 0 ? ways : hints.filter(({ key }) => key === keyLabel('escape'));
  const reserved = kept.reduce((sum, hint) => sum + widthOfLine(draw(hint)), 0);
  let room = width - reserved;
  const shown = hints.filter((hint) => {
    if (kept.includes(hint)) return true;
    room -= widthOfLine(draw(hint));
    return room >= 0;
  });
  return shown.flatMap(draw);
};

const always: readonly string[] = ['look.help', 'leave.quit', 'end.quit'];

const draw = ({ id, key, label, ofPane }: Hint): Line => {
  const target = { kind: 'command', id } as const;
  return [
    { ...bold(` ${key}`, 'accent'), target },
    { ...span(` ${label} `, ofPane === true ? 'text' : 'secondary'), target },
  ];
};
