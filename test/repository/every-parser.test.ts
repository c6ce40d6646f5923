import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdownLines } from '../../src/words/markdown-lines.ts';
import { anyBytes, repeated } from '../helpers/any-text.ts';
import { parsers, parseText, parseWith } from '../helpers/every-parser.ts';
import { processorTime, repeatedly } from '../helpers/processor-time.ts';
import { readSources } from '../helpers/source-tree.ts';
import { draws, isLongForm, sized } from '../helpers/test-form.ts';

const names = Object.keys(parsers);

test('every function that parses is known to these tests', () => {
  const exported = readSources()
    .filter(({ path }) => path.startsWith('src/') && !path.endsWith('.io.ts'))
    .flatMap(({ path }) => [...readFileSync(path, 'utf8').matchAll(/^export const (parse[A-Z]\w*) = /gm)])
    .map((match) => match[1] ?? '');
  expect(exported.length).toBeGreaterThan(25);
  expect(exported.filter((name) => !names.includes(name))).toEqual([]);
});

/** What brings a reader to where it looks closely. */
const beginnings = [
  '',
  '- [ ] a (',
  '## Dependencies\n- depends_on: a',
  '## Concurrency\n- a:',
  '| File |\n|---|\n| a',
  '## Cycle 1\n### Q-1\n',
];

/** `parseYaml` and `parseSignal` are looked at; these give their text to the same library and read the values. */
const wrapsYaml = new Set([
  'parseAck',
  'parseArchived',
  'parseConfig',
  'parseGuidance',
  'parseIteration',
  'parseMetadata',
  'parsePlan',
  'parseSkin',
  'parseRecipients',
]);

/** Readers of YAML: what begins a Markdown file leads them nowhere. The long form tries it all the same. */
const readsYaml = new Set(['parseYaml', 'parseSignal', 'parseScanFile', 'parseAcknowledged']);

/** The long form tries all of them. Each run of the short one draws another to try beside none. */
const beginningsFor = (name: string): readonly string[] => {
  if (isLongForm) return beginnings;
  const drawn = beginnings[1 + Math.floor(Math.random() * (beginnings.length - 1))] ?? '';
  return readsYaml.has(name) ? [''] : ['', drawn];
};

/** Half as much text as is looked at closely, and milliseconds in which it may be read without a closer look. */
const size = sized({ short: 4_000, long: 8_000 });
const noTime = sized({ short: 15, long: 30 });

/** What `Parsed` and `Checked` promise of their problems: sentences, each of one line. */
const problemsOf = (result: unknown): readonly unknown[] => {
  if (typeof result !== 'object' || result === null) return [];
  const { problems, faults } = { problems: undefined, faults: undefined, ...result };
  return [problems, faults].flatMap((list) => (Array.isArray(list) ? list : []));
};

describe.each(names)('%s', (name) => {
  test('takes any bytes, throws never, and says in sentences what is odd', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        for (const problem of problemsOf(parseWith(name, bytes)))
          expect(problem).toMatchObject({
            what: expect.stringMatching(/^\S.*/),
            code: expect.stringMatching(/^[a-z-]+$/),
          });
      }),
      draws(150),
    );
  });

  test.skipIf(wrapsYaml.has(name) || name === 'markdownLines')(
    'takes time that grows with the text and not faster, whatever is repeated in it',
    () => {
      const parseAll = (text: string) => () => void parseText(name, text);
      for (const beginning of beginningsFor(name))
        for (const piece of repeated) {
          const text = (length: number): string =>
            `${beginning}${piece.repeat(Math.ceil(length / piece.length))}!`;
          // Most are through in no time; only what is not has to prove that it is linear.
          const half = processorTime(parseAll(text(size)), 1);
          if (half < noTime) continue;
          // Twice as long when linear, four times when quadratic. What lies between is measured with care.
          if (processorTime(parseAll(text(2 * size)), 1) < half * 3 + 20) continue;
          const short = processorTime(repeatedly(8, parseAll(text(size / 4))), 1);
          const long = processorTime(parseAll(text(2 * size)), 2);
          // As much text in one piece as in eight: as long when linear, eight times as long when quadratic.
          expect(long, JSON.stringify([beginning, piece])).toBeLessThan(short * 4 + 40);
        }
    },
  );
});

test('a report as deep as it is long is shown, not the end of the screen', () => {
  for (const piece of ['> ', '- ', '1. ', '- > ', '[', '*a ', '![a](', '<b>'])
    expect(JSON.stringify(parseText('markdownLines', `${piece.repeat(12_000)}\n\nafter`))).toContain('after');
});

test('of a long report the beginning is read as markdown, for which the library may take its time, and the rest line by line', () => {
  const lines = markdownLines(`## Title\n\n${'_41\n'.repeat(250_000)}the end`);
  expect(lines[0]).toEqual({ kind: 'sub', text: 'Title' });
  expect(lines.at(-1)).toEqual({ kind: 'text', text: 'the end' });
  expect(lines.length).toBeGreaterThan(240_000);
});
