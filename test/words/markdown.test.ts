import { describe, expect, test } from 'vitest';
import { noBlock, readSourceLine } from '../../src/words/markdown/block-reading.ts';
import { blockRows } from '../../src/words/markdown/block-rows.ts';
import { documentRows } from '../../src/words/markdown/document-rows.ts';
import type { MarkdownLook } from '../../src/words/markdown/look.ts';
import type { MarkdownRow } from '../../src/words/markdown/markdown-line.ts';
import { widthOf } from '../../src/words/width.ts';
import { processorTime, repeatedly } from '../helpers/processor-time.ts';

const look: MarkdownLook = {
  ...{ bullet: '•', bar: '│', rule: '─', cross: '┼', opens: '┌', closes: '└' },
  ...{ boxes: ['☑', '☐'], ticks: false },
};
const textsOf = (rows: readonly MarkdownRow[]): readonly string[] =>
  rows.map(({ spans }) =>
    spans
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
const document = (markdown: string, width = 40): readonly string[] =>
  textsOf(documentRows(markdown, width, look));
const block = (markdown: string, width = 40): readonly string[] =>
  textsOf(blockRows(markdown.split('\n'), width, look, true));

describe('Markdown of an agent', () => {
  test('is wrapped at words, and the rows of an item stand below its words', () => {
    expect(document('- The store tells each listener once, also when it leaves meanwhile.', 30)).toEqual([
      '• The store tells each',
      '  listener once, also when it',
      '  leaves meanwhile.',
    ]);
  });

  test('shows nested lists, tasks and numbers by their depth', () => {
    const list = '9. Read\n10. Write\n    - [x] tests\n    - [ ] code\n      - deep';
    expect(block(list)).toEqual([' 9. Read', '10. Write', '    ☑ tests', '    ☐ code', '      • deep']);
  });

  test('draws a table in columns as wide as its texts, aligned as it says', () => {
    expect(block('| Row | ms |\n| --- | ---: |\n| key to screen | 4 |\n| `idle` | 12 |')).toEqual([
      'Row           │ ms',
      '──────────────┼───',
      'key to screen │  4',
      'idle          │ 12',
    ]);
  });

  test('wraps the cells of a table that is too wide, and names the columns where there is no room for any', () => {
    const table = '| Criterion | Finding |\n| --- | --- |\n| polite | says please and thank you |';
    expect(block(table, 25)).toEqual([
      'Criterion │ Finding',
      '──────────┼──────────────',
      'polite    │ says please',
      '          │ and thank you',
    ]);
    expect(document(table, 12).join(' ')).toContain('Finding: says please');
  });

  test('frames code, keeps its columns, and breaks it only at the edge', () => {
    expect(document('```ts\nconst  a = 1;\n\nif (a)  return;\n```', 14)).toEqual([
      '┌─ ts',
      '│ const  a = 1',
      '│ ;',
      '│',
      '│ if (a)  retu',
      '│ rn;',
      '└─',
    ]);
  });

  test('shows the text of a link and its address, and an address alone once', () => {
    expect(document('See [the issue](https://x.org/7) or https://x.org', 80)).toEqual([
      'See the issue (https://x.org/7) or https://x.org',
    ]);
  });

  test('marks quotes with a bar, also in a quote', () => {
    expect(block('> one\n> > two')).toEqual(['│ one', '│ │ two']);
  });

  test('names the meaning of each piece', () => {
    const [row] = documentRows('a **b _c_** `d` ~~e~~', 40, look);
    expect(row?.spans).toEqual([
      { text: 'a ' },
      { text: 'b ', strong: true },
      { text: 'c', strong: true, emphasis: true },
      { text: ' ' },
      { text: 'd', role: 'code' },
      { text: ' ' },
      { text: 'e', struck: true },
    ]);
  });

  test('keeps the backticks where nothing else sets code apart', () => {
    expect(textsOf(documentRows('run `npm test`', 40, { ...look, ticks: true }))).toEqual(['run `npm test`']);
  });

  test.each([
    ['HTML', '<details><summary>more</summary>'],
    ['a definition', '[docs]: https://x.org/docs'],
    ['an HTML entity', 'a &lt;b&gt; &amp;'],
  ])('leaves no content out: %s', (_, text) => {
    expect(block(text)).toEqual([text]);
  });

  test('wraps wide characters by cells, without blanks between them', () => {
    const rows = document('存储库会通知每个监听器一次，即使它在此期间离开', 12);
    expect(rows.join('')).toBe('存储库会通知每个监听器一次，即使它在此期间离开');
    for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(12);
  });

  test('takes out controls, escape sequences and marks that turn the writing', () => {
    const [row = ''] = document('a \u001b[31mred\u001b[0m \u202eback\u202c [x](javascript:\u0007y)', 80);
    expect(row).toBe('a red back x (javascript:y)');
  });

  test('joins the lines of a paragraph in a document and keeps them in what an agent says', () => {
    expect(document('one\ntwo', 40)).toEqual(['one two']);
    expect(block('one\ntwo', 40)).toEqual(['one', 'two']);
  });
});

/** Rows of each source line after the first `length` characters, as the Output pane reads a stream. */
const streamed = (text: string, length: number, width: number): readonly (readonly string[])[] => {
  const lines = text.slice(0, length).split('\n');
  let reading = noBlock;
  const read = lines.map((line, no) => {
    const { line: said, after } = readSourceLine(reading, line, no);
    reading = after;
    return said;
  });
  return lines.map((_, no) => {
    const { kind, block: first } = read[no] ?? { kind: 'words', block: no };
    if (kind !== 'words') return [kind];
    const until = read.findIndex((each, at) => at > no && (each.block !== first || each.kind !== 'words'));
    const texts = lines.slice(first, until < 0 ? lines.length : until);
    const rows = blockRows(texts, width, look, true).filter(({ source }) => source === no - first);
    return textsOf(rows);
  });
};

describe('Markdown that still arrives', () => {
  const text =
    '# Plan\nRead **the store** and\nits `listeners`.\n\n- one\n  - [ ] two\n\n```ts\nconst a = 1;\n\n- no list\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n> said\n\nend';

  test('never moves the lines above: each keeps its number of rows from its end on', () => {
    const lines = text.split('\n');
    const whole = streamed(text, text.length, 60);
    let end = 0;
    lines.forEach((line, no) => {
      end += line.length + 1;
      for (let length = end; length <= text.length; length += 1)
        expect(streamed(text, length, 60)[no]?.length, `${line} at ${length}`).toBe(whole[no]?.length);
    });
  });

  test('shows an unfinished fence as code, with what looks like a list in it', () => {
    expect(streamed(text, text.indexOf('- no list') + 9, 60).at(-1)).toEqual(['code']);
  });
});

describe('Much Markdown', () => {
  test('takes time in proportion to its length: 10,000 lines and a megabyte', () => {
    const part = Array.from({ length: 20 }, (_, at) => `- item **${at}** with \`code\` and words\n`).join('');
    const read = (copies: number) => (): void =>
      void documentRows(`${part}\n## More\n\n`.repeat(copies), 80, look);
    const short = processorTime(repeatedly(10, read(43)), 1);
    expect(processorTime(read(430))).toBeLessThan(4 * short);
    expect(documentRows(`${'word '.repeat(100)}\n\n`.repeat(2_000), 80, look).length).toBeGreaterThan(10_000);
  });

  test.each([
    ['quotes', '> '.repeat(100_000)],
    ['stars', '*a '.repeat(100_000)],
    ['brackets', '['.repeat(100_000)],
    ['underscores', '_a_b'.repeat(50_000)],
    ['nested lists', Array.from({ length: 4_000 }, (_, at) => `${'  '.repeat(at % 40)}- a`).join('\n')],
  ])('ends with hostile %s, without losing them', (_, text) => {
    const letters = textsOf(documentRows(text, 80, look))
      .join('')
      .replace(/[^a[*>]/g, '');
    expect(letters.length).toBeGreaterThan(1_000);
  });
});
