import { footerHints, type Hint, shownNotice, withKeys } from '../../src/keymap/table.ts';
import type { ViewState } from '../../src/store/view.ts';
import { Lines } from '../parts/Lines.tsx';
import { bold, fitLine, type Line, span, spread, widthOfLine } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

interface FooterProps {
  readonly view: ViewState;
  readonly columns: number;
}

/** The last line: the keys that have an effect now, never cut in half. Before them, for a while, the last sent signal or why a key did nothing. */
export const Footer = ({ view, columns }: FooterProps) => {
  const theme = useTheme();
  const notice = shownNotice(view);
  // An overlay shows its keys in its own last line.
  const hints = view.ui.overlays.length > 0 ? [] : footerHints(view);
  const said = notice === null ? [] : [span(` ${withKeys(view, notice.text)} `, noticeTones[notice.tone])];
  const keys = hintLine(hints, columns - widthOfLine(said) - said.length);
  // Keys give way to a message that disappears soon. One that stays leaves help and quit their place.
  const crowded = widthOfLine(said) + widthOfLine(keys) + 1 > columns;
  const line: Line =
    notice === null
      ? keys
      : crowded && (notice.besideKeys || notice.stays)
        ? [...fitLine(said, columns - widthOfLine(keys), theme), ...keys]
        : spread(said, crowded ? [] : keys, columns, theme);
  return <Lines lines={[line]} width={columns} height={1} />;
};

const noticeTones = { info: 'held', good: 'done', bad: 'failed' } as const;

/** As many hints as fit, the most important first. Help and quit always fit. */
export const hintLine = (hints: readonly Hint[], width: number): Line => {
  const kept = hints.filter(({ id }) => always.includes(id));
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
