import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainMatter } from '../../src/issues/trackers/plain-matter.ts';
import { parseFrontMatter } from '../../src/tasks/front-matter.ts';
import { draws } from '../helpers/test-form.ts';

const piece = fc.constantFrom(
  'title',
  'state',
  'a',
  '1',
  '07',
  '0x1f',
  '1e3',
  ': ',
  ':',
  ' ',
  '  ',
  '\n',
  '\n---\n',
  '---',
  '[',
  ']',
  ', ',
  ',',
  '"',
  "'",
  '#',
  ' #',
  'true',
  'null',
  'No',
  '~',
  '&x',
  '*x',
  '!t',
  '- ',
  '{}',
  '|',
  '>',
  '%',
  '@',
  '__proto__',
  'é',
  '\t',
  '.',
  'word and word',
);

it('reads simple front matter as the YAML library does, and leaves everything else to it', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), fc.boolean(), (pieces, isWhole) => {
      const inner = pieces.join('');
      const text = isWhole ? `---\ntitle: ${inner}\n---\nbody` : `---\n${inner}\n---\nbody`;
      const plain = plainMatter(text);
      if (plain === null) return;
      const { value, problems } = parseFrontMatter(text, 'a.md');
      expect({ data: plain.data, body: plain.body }).toEqual({ data: value.data, body: value.body });
      expect(problems).toEqual([]);
    }),
    draws(5_000),
  );
});

it('reads what this program writes itself', () => {
  const text =
    '---\ntitle: Greet (all)\nstate: in-review\nestimate: S\nlabels: [a, b c]\nblockedBy: [1, x-2]\nempty: []\nnone:\n---\n\nText\n---\n';
  expect(plainMatter(text)).toEqual({
    data: {
      title: 'Greet (all)',
      state: 'in-review',
      estimate: 'S',
      labels: ['a', 'b c'],
      blockedBy: [1, 'x-2'],
      empty: [],
      none: null,
    },
    body: '\nText\n---\n',
  });
});
