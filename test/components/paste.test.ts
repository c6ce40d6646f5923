import { describe, expect, test } from 'vitest';
import { keysOf } from '../../components/keys/keys.ts';
import { hasTail, isPasted, paste } from '../../components/keys/paste.ts';
import { inContext } from '../helpers/contexts.ts';
import { noFlags } from '../helpers/no-flags.ts';

const keys = (input: string) => keysOf(input, noFlags);

describe('several keys in one read', () => {
  const panes = inContext('main').getState();
  const field = inContext('compose').getState();

  test.each(['j', 'jk', 'q\r', 'jjjjjjjj', ':a', 'jjjk', 'gGjk'])(
    'over the panes %j is what was pressed',
    (input) => {
      expect(isPasted(panes, keys(input))).toBe(false);
    },
  );

  test.each(['pAq', 'sudo rm -rf /\r', ':abort', 'jjjq', 'q\rq'])('over the panes %j was pasted', (input) => {
    expect(isPasted(panes, keys(input))).toBe(true);
  });

  test('a key that is held is that key, however often it comes', () => {
    expect(isPasted(panes, keys('j'.repeat(1_000)))).toBe(false);
    expect(isPasted(field, keys('x'.repeat(1_000)))).toBe(false);
  });

  test('more of the same paste may follow, but not behind a line that may have been typed', () => {
    expect(hasTail(panes, keys('pAq'))).toBe(true);
    expect(hasTail(field, keys('one\rtwo'))).toBe(false);
    expect(hasTail(field, keys('one\r'.repeat(64)))).toBe(true);
  });

  test.each(['use bar', 'use bar\r', 'ok'])('in a field %j was typed', (input) => {
    expect(isPasted(field, keys(input))).toBe(false);
  });

  test.each(['one\rtwo', 'one\rtwo\r', '\rone', 'a\tb'])('in a field %j was pasted', (input) => {
    expect(isPasted(field, keys(input))).toBe(true);
  });
});

test('what is pasted is text where there is a field, and nowhere a key', () => {
  const text = 'pAq\rABORT\r';
  expect(paste(inContext('compose').getState(), text)).toMatchObject([{ action: { type: 'edited' } }]);
  for (const context of ['main', 'knowledge', 'quit', 'help', 'signal', 'trust', 'end'] as const)
    expect(paste(inContext(context).getState(), text)).toMatchObject([{ action: { type: 'noticed' } }]);
});
