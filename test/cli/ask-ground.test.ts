import { expect, test } from 'vitest';
import { askGround, wantsGround } from '../../src/cli/terminal/ask-ground.ts';
import { themeOfTerminal } from '../../src/cli/terminal/theme-of-terminal.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const esc = '\u001b';

/** What Ink gets of these reads, and the backgrounds that were answered. */
const read = (...chunks: readonly string[]) => {
  const grounds: string[] = [];
  const asked = askGround((ground) => void grounds.push(ground));
  return { left: chunks.map(asked.take), grounds };
};

test.each([
  [`${esc}]11;rgb:ffff/ffff/ffff${esc}\\`, 'light'],
  [`${esc}]11;rgb:fd/f6/e3\u0007`, 'light'],
  [`${esc}]11;rgba:0000/2b2b/3636/ffff${esc}\\`, 'dark'],
  [`${esc}]11;rgb:0/0/0\u0007`, 'dark'],
  [`${esc}]11;rgb:1e1e/1e1e/1e1e${esc}\\`, 'dark'],
])('the answer %j says %s, and none of it is a key', (answer, ground) => {
  expect(read(`j${answer}k`)).toEqual({ left: ['jk'], grounds: [ground] });
});

test('an answer in pieces over a slow line leaves no key of it, wherever it is cut', () => {
  const answer = `${esc}]11;rgb:ffff/ffff/ffff${esc}\\`;
  for (let cut = 2; cut < answer.length; cut += 1)
    expect(read(`a${answer.slice(0, cut)}`, `${answer.slice(cut)}b`)).toEqual({
      left: ['a', 'b'],
      grounds: ['light'],
    });
  // An Esc alone may be the key: it goes on at once, and what follows is the answer all the same.
  expect(read(esc, `${answer.slice(1)}b`)).toEqual({ left: [esc, 'b'], grounds: ['light'] });
});

test('keys pass unchanged without an answer, and an answer that says no colour leaves what was assumed', () => {
  const keys = ['j', `${esc}[A`, esc, `${esc}[<0;5;3M`, `${esc}[?2004;2$y`, ']11'];
  expect(read(...keys)).toEqual({ left: keys, grounds: [] });
  expect(read(`${esc}]11;unknown\u0007q`)).toEqual({ left: ['q'], grounds: [] });
});

test('the answer counts after the preferences and before the variables of the terminal', () => {
  const disk = createSimulatedDisk();
  const background = (theme: string, env: Record<string, string>, ground: 'light' | 'dark' | null) =>
    themeOfTerminal({ env, ascii: false }, { theme, ascii: false }, disk, ground).background;
  expect(background('auto', {}, 'light')).toBe('light');
  expect(background('auto', { COLORFGBG: '0;15' }, 'dark')).toBe('dark');
  expect(background('dark', {}, 'light')).toBe('dark');
  expect(background('auto', { COLORFGBG: '0;15' }, null)).toBe('light');
  expect(background('auto', {}, null)).toBe('dark');
  const guessed = (theme: string, env: Record<string, string>, ground: 'light' | null) =>
    themeOfTerminal({ env, ascii: false }, { theme, ascii: false }, disk, ground).isGuess ?? false;
  expect(guessed('auto', {}, null)).toBe(true);
  for (const told of [{ COLORFGBG: '15;0' }, { COLORFGBG: '0;15' }, { TERM: 'linux' }])
    expect(guessed('auto', told, null)).toBe(false);
  expect(guessed('auto', {}, 'light')).toBe(false);
  expect(guessed('dark', {}, null)).toBe(false);
});

test('a terminal is asked only where the answer changes colours', () => {
  expect(wantsGround({ TERM: 'xterm-256color' }, 'auto')).toBe(true);
  for (const theme of ['none', 'light', 'dark']) expect(wantsGround({ TERM: 'xterm' }, theme)).toBe(false);
  expect(wantsGround({ TERM: 'xterm', NO_COLOR: '1' }, 'auto')).toBe(false);
  expect(wantsGround({ TERM: 'linux' }, 'auto')).toBe(false);
});
