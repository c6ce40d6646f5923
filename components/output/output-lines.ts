import { count, formatElapsed, formatSince, formatWait, type LocalTime } from '../../src/words/local-time.ts';
import { exitWords } from '../../src/words/work-words.ts';
import { markdownLine, markdownLook } from '../draw/markdown-line.ts';
import type { Tone } from '../draw/palettes.ts';
import { styledSpans } from '../draw/sgr.ts';
import { bold, cursorMark, fitLine, type Line, span, spread } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { highlighted, wrapLine, wrapWords } from '../draw/wrap-line.ts';
import { withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import type { OutputLine, OutputLog } from './output-line.ts';
import { saidRows } from './said-rows.ts';
import type { OutputRow } from './select-output.ts';

interface Look {
  readonly view: ViewState;
  readonly now: LocalTime;
  readonly width: number;
  /** Rows of the pane. An agent's paragraph is shown whole as long as it fits. */
  readonly room: number;
  readonly theme: Theme;
  readonly log: OutputLog | null;
  readonly wanted: string;
  readonly at: boolean;
  /** The last line, which may still grow, and is followed: its end is shown when it is too long. */
  readonly newest: boolean;
  /** No engine runs the session, so an open command was cut off. */
  readonly stopped: boolean;
  /** Calls that wait for a person, by their line, and since when. */
  readonly asking: ReadonlyMap<number, string>;
}

interface CommandLook extends Look {
  readonly asks: string | undefined;
}

const noteTones: { readonly [tone in Extract<OutputLine, { kind: 'note' }>['tone']]: Tone } = {
  plain: 'text',
  good: 'done',
  bad: 'failed',
  steer: 'held',
};

/** Maximum of rows for one line. A longer one says so. */
const mostRows = 12;

/** The lines of one row of the output. */
export const drawRow = ({ no, line, folded, open }: OutputRow, look: Look): readonly Line[] => {
  const { theme, wanted } = look;
  const mark = cursorMark(look.at, theme);
  switch (line.kind) {
    case 'text': {
      const said = look.log === null ? null : saidRows(look.log, no, look.width - 3, markdownLook(theme));
      if (said !== null)
        return limited(
          said.map(({ spans }) => highlighted(markdownLine(spans), wanted)),
          [mark, span('  ')],
          look,
          Math.max(mostRows, look.room - 1),
        );
      const styled = highlighted(styledSpans(line.text, line.styles, theme), wanted);
      return wrapped(styled, [mark, span('  ')], look);
    }
    case 'gap':
      return [[mark, span(withKeys(look.view, `  ${line.text} · {read.raw} shows them`), 'secondary')]];
    case 'note':
      return limited(
        wrapWords(
          highlighted([span(textOfNote(line, look.view), noteTones[line.tone])], wanted),
          look.width - 3,
        ),
        [mark, span('· ', noteTones[line.tone])],
        look,
      );
    case 'command':
      return [
        commandLine(line, folded, mark, { ...look, asks: look.asking.get(no) }),
        ...(open ? editLines(line, look) : []),
      ];
  }
};

/** A thought is one line, or whole while thoughts are unfolded. */
const textOfNote = (line: Extract<OutputLine, { kind: 'note' }>, { ui }: ViewState): string =>
  ui.log.thoughts ? (line.thought ?? line.text) : line.text;

const wrapped = (text: Line, lead: Line, look: Look): readonly Line[] =>
  limited(wrapLine(text, look.width - 3), lead, look);

const limited = (
  rows: readonly Line[],
  lead: Line,
  { view, newest }: Look,
  most = mostRows,
): readonly Line[] => {
  const cut = Math.max(0, rows.length - most);
  const left = newest ? rows.slice(0, cut) : rows.slice(most);
  const kept = newest ? rows.slice(cut) : rows.slice(0, most);
  // The background of the cursor is under all rows of the line.
  const ground = lead[0]?.row;
  const under = { ...span('   '), ...(ground === undefined ? {} : { row: ground }) };
  const shown = kept.map(
    (row, index): Line => [...(index === 0 && !(newest && cut > 0) ? lead : [under]), ...row],
  );
  if (cut === 0) return shown;
  const characters = count(
    left.flat().reduce((sum, piece) => sum + piece.text.length, 0),
    'more character',
  );
  const where = newest ? `${characters} before this` : `${characters} on this line`;
  const words = span(withKeys(view, `… ${where} · {look.open-in-editor} opens the log`), 'secondary');
  return newest ? [[...lead, words], ...shown] : [...shown, [under, words]];
};

const commandLine = (
  line: Extract<OutputLine, { kind: 'command' }>,
  folded: string,
  mark: Line[number],
  look: CommandLook,
): Line => {
  const { theme, width, wanted } = look;
  const purpose = purposeWords[line.purpose];
  const left: Line = [
    mark,
    span(`${signOf(line, folded, theme)} `, 'accent'),
    span(purpose, 'secondary'),
    ...highlighted([bold(line.text)], wanted),
  ];
  const lines = folded === '' ? [] : [span(`${folded} `, 'secondary')];
  return spread(left, [...lines, ...commandEnd(line, look)], width, theme);
};

/** The first changed lines below the call, each in one row. */
const editLines = (
  { diff }: Extract<OutputLine, { kind: 'command' }>,
  { theme, width, wanted, view }: Look,
): readonly Line[] => {
  const bar = span(`   ${theme.glyphs.bar} `, 'furniture');
  const lines = (diff?.lines ?? []).map((text): Line => {
    const tone = text.startsWith('+') ? 'done' : text.startsWith('-') ? 'failed' : 'secondary';
    return fitLine([bar, ...highlighted([span(text.replaceAll('\t', '  '), tone)], wanted)], width, theme);
  });
  const more = `${count(diff?.more ?? 0, 'more line')} · {look.changes} shows all`;
  return diff === undefined || diff.more === 0
    ? lines
    : [...lines, [bar, span(withKeys(view, more), 'secondary')]];
};

/** Only a command has a prompt: an edit is not typed into a shell. */
const signOf = (
  { purpose }: Extract<OutputLine, { kind: 'command' }>,
  folded: string,
  { glyphs }: Theme,
): string => (folded !== '' ? glyphs.folded : purpose === 'tool' ? glyphs.call : glyphs.prompt);

const purposeWords: Readonly<Record<Extract<OutputLine, { kind: 'command' }>['purpose'], string>> = {
  run: '',
  verify: 'verify ',
  on_steer: 'steered ',
  setup: 'set up ',
  execute: '',
  tool: '',
};

const commandEnd = (
  line: Extract<OutputLine, { kind: 'command' }>,
  { now, theme, stopped, asks }: Pick<CommandLook, 'now' | 'theme' | 'stopped' | 'asks'>,
): Line => {
  const { end } = line;
  if (end === null && asks !== undefined && !stopped)
    return [bold(`${theme.looks.asks.glyph} asks you ${formatWait(asks, now)} `, theme.looks.asks.tone)];
  if (end === null)
    return stopped
      ? [span(`${theme.glyphs.no} cut off `, 'failed')]
      : [span(`${theme.glyphs.run} ${formatSince(line.since, now)} `, 'accent')];
  const took = end.durationMs === null ? ' ' : ` ${formatElapsed(end.durationMs)} `;
  return end.ok
    ? [span(theme.glyphs.yes, 'done'), span(took, 'secondary')]
    : [span(`${theme.glyphs.no} ${exitWords(end.exit)}`, 'failed'), span(took, 'secondary')];
};
