import { describe, expect, test } from 'vitest';
import { type KeyFlags, keysOf } from '../../components/keys/keys.ts';
import { noFlags } from '../helpers/no-flags.ts';

const names = (input: string, flags: Partial<KeyFlags> = {}): readonly string[] =>
  keysOf(input, { ...noFlags, ...flags }).map((key) => key.name);

describe('the keys in one input', () => {
  test('are counted one by one when several come as one string', () => {
    expect(names('jjs')).toEqual(['j', 'j', 's']);
    expect(names('ab\r')).toEqual(['a', 'b', 'enter']);
    expect(names('a\nb\t')).toEqual(['a', 'ctrl-j', 'b', 'tab']);
  });

  test('have names with their modifiers', () => {
    expect(names('', { return: true })).toEqual(['enter']);
    expect(names('', { return: true, meta: true })).toEqual(['alt-enter']);
    expect(names('', { tab: true, shift: true })).toEqual(['shift-tab']);
    expect(names('c', { ctrl: true })).toEqual(['ctrl-c']);
    expect(names('b', { meta: true })).toEqual(['alt-b']);
    expect(names('', { escape: true, meta: true })).toEqual(['escape']);
    expect(names('A', { shift: true })).toEqual(['A']);
    expect(names(' ')).toEqual(['space']);
  });

  test('carry their text whole, however many code points it has', () => {
    const family = '\u{1F468}\u200d\u{1F469}\u200d\u{1F467}';
    expect(keysOf(`${family}é`, noFlags).map((key) => key.text)).toEqual([family, 'é']);
  });

  test('are noFlags when a key goes up', () => {
    expect(names('a', { eventType: 'release' })).toEqual([]);
  });
});
