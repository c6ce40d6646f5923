import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkBoxes, withTicks } from '../../src/tasks/check-boxes.ts';
import { processorTime } from '../helpers/processor-time.ts';
import { draws } from '../helpers/test-form.ts';

const openAndDone = (text: string): string =>
  checkBoxes(text)
    .map(({ done, text: words }) => `${done ? 'done' : 'open'} ${words}`.trim())
    .join('\n');

describe('a box that is not plainly ticked is open', () => {
  test.each([
    '- [ ] a',
    '- [] a',
    '- [  ] a',
    '- [~] a',
    '- [-] a',
    '- [/] a',
    '- [>] a',
    '- [?] a',
    '- [P] a',
    '- [F] a',
    '- [х] a', // a Cyrillic letter
    '- [ ]a',
    '-   [ ] a',
    '-\t[ ] a',
    '* [ ] a',
    '• [ ] a',
    '1. [ ] a',
    '12) [ ] a',
    '(1) [ ] a',
    'b. [ ] a',
    '1.2. [ ] a',
    '- - [ ] a',
    '> - [ ] a',
    '        - [ ] a',
    '[ ] a',
    '- \\[ \\] a',
    '- **[ ]** a',
    '- ☐ a',
    '☐ a',
    '- ☒ a',
    '- ⬜ a',
    '### [ ] a',
    '| [ ] a',
    '| [ ] | a',
    '- a [ ]',
    '## a [~]',
  ])('%s', (text) => {
    expect(checkBoxes(text)).toMatchObject([{ done: false }]);
  });

  test.each(['- [x] a', '* [X] a', '3. [ x ] a', '- [✓] a', '- [✔️] a', '☑ a', '- ✅ a', '| [x] |'])(
    '%s is ticked',
    (text) => {
      expect(checkBoxes(text)).toMatchObject([{ done: true }]);
    },
  );

  test.each([
    '- [a](b.md)',
    '- [x](b.md)',
    '- [x][ref]',
    '[x]: https://example.invalid',
    '- [1] Smith 2020',
    '- [^1]: a note',
    '- [api] add a route',
    '[…] and so on',
    '- `[ ]` not started',
    'an array[ ] of words',
    '- a',
  ])('%s is no box', (text) => {
    expect(checkBoxes(text)).toEqual([]);
  });
});

describe('an example is no box', () => {
  const fenced = (...lines: readonly string[]): string => openAndDone(lines.join('\n'));

  it('in a fence of any length, in a list, in a quote, or in a comment', () => {
    expect(fenced('- [ ] a', '````md', '```', '- [ ] no', '```', '````', '- [x] b')).toBe('open a\ndone b');
    expect(fenced('~~~', '- [ ] no', '```', '~~~', '1. [ ] a')).toBe('open a');
    expect(fenced('- [ ] a', '  ```', '  - [ ] no', '  ```', '  - [ ] b')).toBe('open a\nopen b');
    expect(fenced('- ```', '  - [ ] no', '  ```', '- [ ] b')).toBe('open b');
    expect(fenced('> ```', '> - [ ] no', '> ```', '> - [ ] b')).toBe('open b');
    expect(fenced('<!--', '- [ ] no', '-->', '- [ ] b', '<!--', '- [ ] c')).toBe('open b\nopen c');
  });

  it('but the fence ends with its list item or its quote', () => {
    expect(fenced('- [ ] a', '  ```', '  - [ ] no', '- [ ] b', '```sh', 'x', '```')).toBe('open a\nopen b');
    expect(fenced('> ```', '> - [ ] no', '- [ ] b')).toBe('open b');
  });

  it('and behind a fence that is never closed it is doubtful', () => {
    expect(checkBoxes('- [x] a\n```\n- [x] b\n')).toMatchObject([{ doubtful: false }, { doubtful: true }]);
  });
});

it('a tick replaces the mark alone, and an open box of any kind keeps its own', () => {
  const text = '- [~] a\r\n> 1. [x] b\r\n☐ c\n- **[ ]** d ⬜\n';
  expect(withTicks(text, () => true)).toBe('- [x] a\r\n> 1. [x] b\r\n☑ c\n- **[x]** d ⬜\n');
  expect(withTicks(text, () => false)).toBe('- [~] a\r\n> 1. [ ] b\r\n☐ c\n- **[ ]** d ⬜\n');
});

it('ticking every box of any text leaves none open and every other byte', () => {
  const parts = [
    '- ',
    '1. ',
    '[ ]',
    '[x]',
    '[~]',
    '☐',
    '☑',
    ' a',
    '\n',
    '```\n',
    '> ',
    '\t',
    '|',
    '<!--',
    '-->',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 24 }), (signs) => {
      const text = signs.join('');
      const ticked = withTicks(text, () => true);
      expect(checkBoxes(ticked).filter(({ done }) => !done)).toEqual([]);
      const rest = (of: string): string =>
        checkBoxes(of).reduceRight(
          (left, { at, mark }) => left.slice(0, at) + left.slice(at + mark.length),
          of,
        );
      expect(rest(ticked)).toBe(rest(text));
    }),
    draws(300),
  );
});

it('reads a line of any length in time that grows with it alone', () => {
  const parts = ['- ', '1. ', '[', '[ ]', '| [ ] ', '> ', ' ', '```\n', '<!--', '**'];
  const readAll = (): void => parts.forEach((part) => void checkBoxes(part.repeat(40_000)));
  expect(processorTime(readAll, 1)).toBeLessThan(10_000);
});
