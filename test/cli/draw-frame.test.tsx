import xterm from '@xterm/headless';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import Output from '../../node_modules/ink/build/output.js';
import { pieceOf, rowOf } from '../../src/cli/terminal/frame-row.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';
import { draws } from '../helpers/test-form.ts';

/** What a terminal of this size shows of it: sign and style of each cell. */
const cellsOf = async (frame: string, columns: number, rows: number): Promise<readonly string[]> => {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  await new Promise<void>((resolve) => terminal.write(frame, resolve));
  const cells = Array.from({ length: rows * columns }, (_, index) => {
    const line = terminal.buffer.active.getLine(Math.floor(index / columns));
    const cell = line?.getCell(index % columns);
    if (!cell) throw new Error(`no cell ${index}`);
    const sign = cell.getWidth() === 0 ? '' : cell.getChars() || ' ';
    const styles = [cell.isBold(), cell.isDim(), cell.isInverse(), cell.isUnderline(), cell.isItalic()];
    return `${sign} ${cell.getFgColor()}/${cell.getBgColor()} ${styles.map(Number).join('')}`;
  });
  terminal.dispose();
  return cells;
};

describe('a frame has the cells that the renderer of Ink gives it', () => {
  const screens: TestScreen[] = [];
  afterEach(() => {
    for (const screen of screens.splice(0)) screen.unmount();
  });

  const crowded = () =>
    twoSideBySide()
      .prints('english', '\u001b[32m✓\u001b[39m in \u001b[1;38;2;9;99;199mcolours\u001b[0m of its own\n')
      .prints(
        'english',
        '進捗 e\u0301 \u{1F468}\u200d\u{1F469}\u200d\u{1F467} 「こんにちは」の代わりに\n'.repeat(40),
      );

  test.each([
    [24, 7],
    [60, 20],
    [120, 36],
    [200, 50],
  ])('at %d × %d, with and without something over the panes', async (columns, rows) => {
    const screen = await openScreen({ columns, rows, story: crowded(), theme: { colours: 'true' } });
    screens.push(screen);
    for (const key of ['tab', 'j', '?', 'escape', 's', 'escape', ':', 'escape', 'q']) {
      await screen.press(key);
      const { ink, ours } = screen.styled();
      expect(await cellsOf(ours, columns, rows), key).toEqual(await cellsOf(ink, columns, rows));
      // The same cells, other bytes: these are two renderers.
      expect(ours).not.toBe(ink);
    }
  });
});

describe('a row', () => {
  const signs = ['a', 'B', ' ', '─', 'é', 'e\u0301', '世', '\u{1F468}\u200d\u{1F469}\u200d\u{1F467}', '▌'];
  const styles = ['', '\u001b[1m', '\u001b[2;31m', '\u001b[38;2;1;2;3m', '\u001b[7m', '\u001b[0m'];
  const text = fc
    .array(fc.tuple(fc.constantFrom(...styles), fc.constantFrom(...signs)), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.map(([style, sign]) => style + sign).join(''));

  test('shows later pieces over earlier ones as the renderer of Ink does, halved wide characters included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ x: fc.nat(30), text }), { maxLength: 4 }), async (pieces) => {
        const ink = new Output({ width: 60, height: 1 });
        for (const { x, text: written } of pieces) ink.write(x, 0, written, { transformers: [] });
        const ours = rowOf(
          pieces.map(({ x, text: written }) => ({ x, piece: pieceOf(written, 60) })),
          60,
        );
        expect(await cellsOf(ours, 60, 1)).toEqual(await cellsOf(ink.get().output, 60, 1));
      }),
      draws(200),
    );
  });

  test('ends in the style of the terminal, whatever a piece left open', () => {
    const piece = pieceOf('\u001b[31mred', 9);
    expect(rowOf([{ x: 2, piece }], 9)).toBe('  \u001b[31mred\u001b[0m');
  });

  test('holds no control characters and no sequence but styles', () => {
    const piece = pieceOf('a\u001b]52;c;eA==\u0007b\u001b[2Jc\u009b1md\re\tf', 40);
    expect(piece.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  test('is never wider than the screen', () => {
    expect(rowOf([{ x: 0, piece: pieceOf('世世世', 9) }], 5)).toBe('世世');
    expect(pieceOf('世世世', 5)).toEqual({ text: '世世 ', width: 5 });
  });
});
