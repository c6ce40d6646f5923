import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFault } from '../../src/base/fault.ts';
import { editYaml } from '../../src/tasks/yaml-edit.ts';
import { parseYaml } from '../../src/tasks/yaml-text.ts';
import { processorTime } from '../helpers/processor-time.ts';
import { draws } from '../helpers/test-form.ts';

/** Value and sentences; fails when it hangs: the worst of these texts cost minutes where they are parsed. */
const check = (text: string) => {
  const parse = () => parseYaml(text, 'x.yaml');
  expect(processorTime(() => void parse(), 1)).toBeLessThan(5_000);
  const { value, problems } = parse();
  return { value: value.value, sentences: problems.map(formatFault) };
};

describe('YAML from outside', () => {
  it.each([
    [
      'an alias bomb',
      `a: &a [x]\n${'bcdefgh'
        .split('')
        .map((key) => `${key}: [*a, *a]`)
        .join('\n')}`,
      /:1: an anchor \(&a\) is not allowed/,
    ],
    ['64 KiB of anchors', '- &a\n'.repeat(13_000), /:1: an anchor/],
    ['20,000 nested brackets', '['.repeat(20_000), /:1: nested more than 32 levels deep/],
    ['20,000 nested lists', '- '.repeat(20_000), /:1: nested more than 32 levels deep/],
    [
      'deep indentation',
      Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}k:`).join('\n'),
      /:33: nested more than 32/,
    ],
    ['a megabyte', `a: ${'x'.repeat(1_000_000)}`, /longer than 262144 characters/],
  ])('is refused as a whole with one sentence: %s', (_, text, sentence) => {
    const { value, sentences } = check(text);
    expect(value).toBe(null);
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toMatch(sentence);
  });

  it('reads 32 levels and not 33', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(check(nested(32)).sentences).toEqual([]);
    expect(check(nested(33)).sentences).toHaveLength(1);
  });

  it('keeps the first of two equal keys, and the first of two documents, and says so', () => {
    expect(check('type: A\ntype: B')).toEqual({
      value: { type: 'A' },
      sentences: ['x.yaml:2: the key type appears twice'],
    });
    expect(check('a: 1\n---\nb: 2').value).toEqual({ a: 1 });
    expect(check('a: 1\n---\nb: 2').sentences[0]).toMatch(/more than one YAML document/);
  });

  it('leaves timestamps texts and old truth words words, whatever a directive says', () => {
    expect(check('%YAML 1.1\n---\nat: 2026-02-15\nok: yes').value).toEqual({ at: '2026-02-15', ok: 'yes' });
  });

  it('drops __proto__ and pollutes nothing', () => {
    const { value, sentences } = check('a: {"__proto__": {x: 1}}');
    expect(JSON.stringify(value)).toBe('{"a":{}}');
    expect(sentences).toHaveLength(1);
    expect(Reflect.get({}, 'x')).toBe(undefined);
  });

  it('never throws, whatever the text, and never takes long', () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '\n',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '|',
      '>',
      '#',
      '&',
      '*',
      '!',
      '%',
      '---',
      '? ',
      ',',
      '\t',
      '  ',
      '\r\n',
      '\u0000',
      '\ud800',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece, { maxLength: 60 }).map((it) => it.join('')),
        ),
        (text) => {
          check(text);
        },
      ),
      draws(1_000),
    );
  });
});

describe('editing YAML', () => {
  it('keeps comments, order, quotes and unknown keys', () => {
    const text =
      '# head\nversion: 7    # a counter\nmine: "x"\n\norchestrator:\n  state: PLANNING # where\n  theirs: 1\n# tail\n';
    expect(
      editYaml(text, { version: 8, orchestrator: { state: 'BATCHING', paused: null }, gone: undefined }),
    ).toBe(
      '# head\nversion: 8 # a counter\nmine: "x"\n\norchestrator:\n  state: BATCHING # where\n  theirs: 1\n  paused: null\n\n# tail\n',
    );
  });

  it('says afterwards what it was told to say, whatever stood there', () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string(), { maxLength: 3 }),
    );
    const map = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), value, { maxKeys: 5 });
    fc.assert(
      fc.property(
        fc.oneof(
          map.map((it) => JSON.stringify(it)),
          map.map((it) => editYaml('', it)),
          fc.string(),
        ),
        map,
        (text, changes) => {
          expect(parseYaml(editYaml(text, changes), '').value.value ?? {}).toMatchObject(changes);
        },
      ),
    );
  });
});
