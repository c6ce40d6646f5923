import headless from '@xterm/headless';

/** Colours that the terminal chooses: its ground, its plain text and the sixteen of the palette. */
export interface Ground {
  readonly background: string;
  readonly foreground: string;
  readonly palette: readonly string[];
}

const cellWidth = 8.4;
const lineHeight = 18;
const padding = 14;

/** What a terminal of this size shows after these bytes, as one SVG text per run of equal style; readable without a font of ours. */
export const frameToSvg = async (
  bytes: string,
  size: { readonly columns: number; readonly rows: number },
  ground: Ground,
): Promise<string> => {
  const emulator = new headless.Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true });
  await new Promise<void>((resolve) => emulator.write(bytes, resolve));
  const width = size.columns * cellWidth + 2 * padding;
  const height = size.rows * lineHeight + 2 * padding;
  const lines = Array.from({ length: size.rows }, (_, row) => rowToSvg(emulator, row, size.columns, ground));
  emulator.dispose();
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="The screen of ralph-tui while three agents work">`,
    `<rect width="100%" height="100%" rx="8" fill="${ground.background}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${ground.foreground}" xml:space="preserve">`,
    ...lines.filter((line) => line !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};

interface Run {
  readonly from: number;
  readonly text: string;
  readonly cells: number;
  readonly style: string;
  readonly ground: string | null;
}

const rowToSvg = (emulator: headless.Terminal, row: number, columns: number, ground: Ground): string => {
  const y = padding + (row + 1) * lineHeight - 4;
  return runsOf(emulator, row, columns, ground)
    .flatMap((run) => [
      ...(run.ground === null
        ? []
        : [
            `<rect x="${x(run.from)}" y="${y - lineHeight + 4}" width="${(run.cells * cellWidth).toFixed(1)}" height="${lineHeight}" fill="${run.ground}"/>`,
          ]),
      ...(run.text.trim() === ''
        ? []
        : [
            `<text x="${x(run.from)}" y="${y}" textLength="${(run.cells * cellWidth).toFixed(1)}"${run.style}>${escapeXml(run.text)}</text>`,
          ]),
    ])
    .join('\n');
};

const x = (column: number): string => (padding + column * cellWidth).toFixed(1);

const runsOf = (
  emulator: headless.Terminal,
  row: number,
  columns: number,
  ground: Ground,
): readonly Run[] => {
  const line = emulator.buffer.active.getLine(emulator.buffer.active.baseY + row);
  const runs: Run[] = [];
  for (let column = 0; column < columns; column += 1) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const isInverse = cell.isInverse() !== 0;
    const ink = cell.isFgRGB()
      ? hex(cell.getFgColor())
      : cell.isFgPalette()
        ? (ground.palette[cell.getFgColor()] ?? ground.foreground)
        : ground.foreground;
    const paper = cell.isBgRGB()
      ? hex(cell.getBgColor())
      : cell.isBgPalette()
        ? (ground.palette[cell.getBgColor()] ?? ground.background)
        : ground.background;
    const fill = isInverse ? paper : ink;
    const style = [
      fill === ground.foreground ? '' : ` fill="${fill}"`,
      cell.isBold() ? ' font-weight="bold"' : '',
      cell.isDim() ? ' opacity="0.65"' : '',
      cell.isItalic() ? ' font-style="italic"' : '',
      cell.isUnderline() ? ' text-decoration="underline"' : '',
    ].join('');
    const under = isInverse ? ink : paper;
    const behind = under === ground.background ? null : under;
    const text = cell.getChars() === '' ? ' ' : cell.getChars();
    const last = runs.at(-1);
    if (last !== undefined && last.style === style && last.ground === behind)
      runs[runs.length - 1] = { ...last, text: last.text + text, cells: last.cells + cell.getWidth() };
    else runs.push({ from: column, text, cells: cell.getWidth(), style, ground: behind });
  }
  return runs;
};

const hex = (color: number): string => `#${color.toString(16).padStart(6, '0')}`;

/** Blanks that no browser joins: the length of a text counts all of them. */
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0');
