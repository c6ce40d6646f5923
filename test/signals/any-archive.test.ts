import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatArchived, parseArchived, parseSignal } from '../../src/signals/envelope.ts';
import { anyText } from '../helpers/any-text.ts';
import { handling } from '../helpers/mailbox.ts';
import { draws } from '../helpers/test-form.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

it.each([
  [
    'comments, odd spaces and quotes',
    "# mine\ntype:   INFO   # now\nmessage: 'a'\nlist: [1,2,  3]\nx:\n- a\n-   b\n...\n",
  ],
  ['no end mark', 'type: INFO\nmessage: m\n'],
  ['no line break at its end', 'type: INFO\nmessage: m'],
  ['a comment at its end', 'type: INFO\nmessage: m\n# the end\n'],
  ['line breaks of Windows', 'type: INFO\r\nmessage: m\r\n...\r\n'],
  ['a long line', `type: INFO\nmessage: ${'word '.repeat(400)}\n...\n`],
  ['an unknown key', 'type: INFO\nmessage: m\nmine: {deep: [1, {a: b}]}\n...\n'],
])('an archived signal with %s holds its text byte for byte', (_, text) => {
  const archived = formatArchived('abc', encode(text), handling('told'));
  expect(archived.startsWith(text.replace(/\.\.\.\r?\n$/, ''))).toBe(true);
  expect(archived.endsWith(/\.\.\.\r?\n$/.exec(text)?.[0] ?? '\n')).toBe(true);
  expect(parseArchived('a.yaml', encode(archived))).toMatchObject({
    value: {
      signal: parseSignal('a.yaml', encode(text)).value,
      handling: { id: 'abc', action_taken: 'told' },
    },
    problems: [],
  });
});

it.each([
  ['a forged handling', 'type: INFO\nmessage: m\nhandling_metadata: {id: x}\n'],
  ['JSON', '{"type": "INFO", "message": "m"}\n'],
  ['an indented map', '  type: INFO\n  message: m\n'],
  ['an open block of text', 'type: INFO\nmessage: |+\n  m'],
])('an archived signal with %s says the same', (_, text) => {
  const { signal, handling: found } = parseArchived(
    'a.yaml',
    encode(formatArchived('abc', encode(text), handling('told'))),
  ).value;
  expect(signal).toEqual(parseSignal('a.yaml', encode(text)).value);
  expect(found?.id).toBe('abc');
});

it('whatever a signal holds, its archive says the same, with what was done', () => {
  fc.assert(
    fc.property(anyText, (rest) => {
      const bytes = encode(`type: INFO\nmessage: m\n${rest}`);
      const { value } = parseSignal('a.yaml', bytes);
      if (value === null) return;
      const archived = parseArchived('a.yaml', encode(formatArchived('abc', bytes, handling('told')))).value;
      expect(archived.signal).toEqual(value);
      expect(archived.handling).toEqual({ id: 'abc', ...handling('told') });
    }),
    draws(3_000),
  );
});
