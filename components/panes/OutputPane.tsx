import { formatElapsed, formatSince, type Moment } from '../../src/store/moment.ts';
import type { OutputLine } from '../../src/store/output-book.ts';
import { selectOutputWindow } from '../../src/store/select-output.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { bold, type Line, span, spread } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme, Tone } from '../theme.ts';

/** What the attempt printed: one line per command with its end, its output below. Stays where one reads; at the end it follows. */
export const OutputPane = ({ view, now, width, height }: PaneProps) => {
  const theme = useTheme();
  // Away from the end one row is kept for "N new lines".
  const away = view.ui.outputTop !== null;
  const shown = selectOutputWindow(view, Math.max(1, height - (away ? 1 : 0)));
  const lines = shown.lines.map((line) => outputLine(line, now, width, theme));
  if (lines.length === 0) {
    const subject = shown.title === '' ? 'Nothing has run yet.' : `${shown.title} has printed nothing yet.`;
    return <Lines lines={[[span(` ${subject}`, 'quiet')]]} width={width} height={height} />;
  }
  const rest: readonly Line[] = away ? [[bold(` ${shown.below} more below · G follows ↓`, 'accent')]] : [];
  return <Lines lines={[...lines, ...rest]} width={width} height={height} />;
};

const noteTones: { readonly [tone in Extract<OutputLine, { kind: 'note' }>['tone']]: Tone } = {
  plain: 'quiet',
  good: 'good',
  bad: 'bad',
  steer: 'warn',
};

const outputLine = (line: OutputLine, now: Moment, width: number, theme: Theme): Line => {
  switch (line.kind) {
    case 'text':
      return [span(`   ${line.text}`)];
    case 'note':
      return [span(` · ${line.text}`, noteTones[line.tone])];
    case 'command': {
      const purpose = line.purpose === 'run' ? '' : line.purpose === 'verify' ? 'verify ' : 'steered ';
      const left: Line = [
        span(` ${theme.glyphs.prompt} `, 'accent'),
        span(purpose, 'quiet'),
        bold(line.text),
      ];
      return spread(left, commandEnd(line, now, theme), width, theme);
    }
  }
};

const commandEnd = (line: Extract<OutputLine, { kind: 'command' }>, now: Moment, theme: Theme): Line => {
  const { end } = line;
  if (end === null) return [span(`${theme.glyphs.run} ${formatSince(line.since, now)} `, 'accent')];
  const took = ` ${formatElapsed(end.durationMs)} `;
  return end.ok
    ? [span(theme.glyphs.yes, 'good'), span(took, 'quiet')]
    : [span(`${theme.glyphs.no} ${end.exit}`, 'bad'), span(took, 'quiet')];
};
