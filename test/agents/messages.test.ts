import { expect, test } from 'vitest';
import { infoText, steerText } from '../../src/agents/roles/messages.ts';

const said = (count: number, text: string) =>
  Array.from(
    { length: count },
    (_, index) => ({ id: String(index), kind: 'INFO', text: `${index} ${text}` }) as const,
  );

test('what was said is one line each, STEER apart from the rest', () => {
  const messages = [...said(2, 'two\nlines'), { id: 's', kind: 'STEER', text: 'left' } as const];
  expect(infoText(messages)).toBe('0 two lines\n1 two lines');
  expect(steerText(messages)).toBe('left');
});

test('more than a variable takes is cut to the newest, and that is said', () => {
  const text = infoText(said(30, 'ü'.repeat(7_500)));
  const [first, ...rest] = text.split('\n');
  expect(first).toMatch(/^\(the 24 oldest messages are left out here/);
  expect(rest.map((line) => line.slice(0, 2))).toEqual(['24', '25', '26', '27', '28', '29']);
  expect(new TextEncoder().encode(text).length).toBeLessThan(128 * 1024 - 'RALPH_INFO='.length);
});

test('one message that alone is more than that is left out like others', () => {
  expect(infoText(said(1, 'x'.repeat(200_000)))).toMatch(/^\(the oldest message is left out here[^\n]*\)$/);
});
