import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameWriter } from '../../src/cli/terminal/write-frame.ts';
import { draws } from '../helpers/test-form.ts';

const [columns, rows] = [24, 6];

const drawnBy = async (bytes: readonly string[]): Promise<readonly string[]> => {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  for (const text of bytes) await new Promise<void>((resolve) => terminal.write(text, resolve));
  const buffer = terminal.buffer.active;
  return Array.from({ length: rows }, (_, y) => {
    const line = buffer.getLine(y);
    return Array.from({ length: columns }, (_, x) => {
      const cell = line?.getCell(x);
      const chars = cell?.getChars() || (cell?.getWidth() === 0 ? '' : ' ');
      return `${chars}${cell?.getFgColor()}${cell?.getBgColor()}${cell?.isBold()}${cell?.isInverse()}`;
    }).join('|');
  });
};

const createScreen = () => {
  const bytes: string[] = [];
  return { bytes, stream: { columns, rows, write: (text: string) => bytes.push(text) } };
};

const styles = ['', '\u001b[31m', '\u001b[1m\u001b[32m', '\u001b[7m', '\u001b[48;2;1;2;3m'];
const piece = fc
  .tuple(fc.constantFrom(...styles), fc.constantFrom('a', 'bc', ' ', '   ', '世', '─', '👍', 'e\u0301'))
  .map(([style, text]) => (style === '' ? text : `${style}${text}\u001b[0m`));
const row = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('').trimEnd());
const frame = fc.array(row, { minLength: rows, maxLength: rows }).map((lines) => lines.join('\n'));

test('after any frames the screen shows the last one, as if it had been written whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 5 }), async (frames) => {
      const { bytes, stream } = createScreen();
      const write = createFrameWriter(stream);
      for (const each of frames) write(each);
      const last = frames.at(-1)?.replaceAll('\n', '\r\n') ?? '';
      expect(await drawnBy(bytes)).toEqual(await drawnBy([last]));
    }),
    draws(150),
  );
});

test('a clock that ticks costs its cells, and an unchanged frame nothing', () => {
  const { bytes, stream } = createScreen();
  const write = createFrameWriter(stream);
  const at = (time: string) => ['header', `time ${time} left`, '', '', '', ''].join('\n');
  write(at('0:41'));
  expect([write.willRender(at('0:41')), write(at('0:41'))]).toEqual([false, false]);
  write(at('0:42'));
  expect(bytes.slice(1)).toEqual(['\u001b[2;9H2']);
});

test('after another size, and after another program had the terminal, the whole frame is written', () => {
  const { bytes, stream } = createScreen();
  const write = createFrameWriter(stream);
  const frame = ['a', 'b', 'c', 'd', 'e', 'f'].join('\n');
  write(frame);
  write.clear();
  write.done();
  write(frame);
  Object.assign(stream, { columns: 30 });
  expect(write.willRender(frame)).toBe(true);
  write(frame);
  expect(bytes.filter((text) => text.includes('\u001b[H'))).toHaveLength(4);
  expect(bytes.at(-1)).toContain('\u001b[H\u001b[Ja');
});
