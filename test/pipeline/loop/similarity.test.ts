import { expect, test } from 'vitest';
import { comparedLength, saysTheSame } from '../../../src/pipeline/modes/loop/similarity.ts';

/** 1,000 letters without a pattern that shifting would hide. */
const text = Array.from({ length: 1_000 }, (_, index) =>
  String.fromCharCode(97 + ((index * index * 7 + index * 3) % 23)),
).join('');

/** The text with that many letters replaced by one that it does not hold, spread over it. */
const withChanges = (count: number): string => {
  const letters = [...text];
  for (let each = 0; each < count; each += 1) letters[each * 83 + 11] = 'z';
  return letters.join('');
};

test.each([
  ['nothing changed', text, text, true],
  ['10 of 1,000 characters changed', text, withChanges(10), true],
  ['11 of 1,000 characters changed', text, withChanges(11), false],
  ['one character inserted at the front', text, `z${text}`, true],
  ['only digits differ', 'took 12 ms, 345 files', 'took 7 ms, 98,765 files'.replace(',765', '765'), true],
  ['only what stands behind the first 1,000 characters differs', `${text}one`, `${text}another end`, true],
  ['two short words', 'OK', 'OK', true],
  ['two different short words', 'OK', 'KO', false],
  ['a half of it', text, text.slice(0, 500), false],
  ['both empty', '', '', false],
  ['both blank', ' \n', '\n\n', false],
  ['one empty', '', 'OK', false],
])('%s: %s', (_name, one, other, same) => {
  expect(saysTheSame(one, other)).toBe(same);
  expect(saysTheSame(other, one)).toBe(same);
});

/** Indel similarity by the textbook: twice the longest common subsequence over both lengths. */
const similarity = (one: string, other: string): number => {
  const row = Array<number>(other.length + 1).fill(0);
  for (const letter of one) {
    let diagonal = 0;
    for (let at = 1; at <= other.length; at += 1) {
      const above = row[at] ?? 0;
      row[at] = letter === other[at - 1] ? diagonal + 1 : Math.max(above, row[at - 1] ?? 0);
      diagonal = above;
    }
  }
  return (2 * (row[other.length] ?? 0)) / (one.length + other.length);
};

test('agrees with the textbook on texts around the threshold', () => {
  for (let changes = 0; changes <= 20; changes += 1) {
    const other = withChanges(changes).slice(changes % 3);
    expect(saysTheSame(text, other), `${changes} changes`).toBe(similarity(text, other) >= 0.99);
  }
});

test('compares whole characters', () => {
  expect(saysTheSame('😀'.repeat(comparedLength), '😀'.repeat(comparedLength + 50))).toBe(true);
});
