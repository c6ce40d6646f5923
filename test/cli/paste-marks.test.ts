import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askPasteMarks } from '../../src/cli/terminal/paste-marks.ts';
import { createManualClock } from '../helpers/manual-clock.ts';

const ask = (env: Readonly<Record<string, string>> = { TERM: 'xterm-256color' }) => {
  const written: string[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stdout = { write: (text: string) => written.push(text) > 0 };
  const clock = createManualClock();
  // The asking uses these members of a terminal.
  const asked = askPasteMarks({ stdin, stdout, env } as never, clock);
  return { ...asked, clock, stdin, written };
};

test.each([
  ['\u001b[?2004;1$y', true],
  ['\u001b[?2004;2$y', true],
  ['\u001b[?2004;0$y', false],
  ['\u001b[?2004;4$y', false],
])('the answer %j counts as %s', (answer, marks) => {
  const asked = ask();
  asked.see(answer);
  expect(asked.marks.isMarking()).toBe(marks);
});

test('the answer may come in pieces, among keys', () => {
  const asked = ask();
  for (const chunk of ['j\u001b[?20', '04;', '2$yk']) asked.see(chunk);
  expect(asked.marks.isMarking()).toBe(true);
});

test('without an answer nobody knows, until a marked paste arrives', () => {
  const asked = ask();
  asked.see('jjj');
  expect(asked.marks.isMarking()).toBe(false);
  asked.marks.sawMarked();
  expect(asked.marks.isMarking()).toBe(true);
});

test('a screen that closes at once reads the answer that is on its way, and leaves none to the shell', async () => {
  const asked = ask();
  const answered = asked.answered();
  asked.stdin.write('\u001b[?2004;2$y');
  await answered;
  expect(asked.stdin.read()).toBeNull();
  expect(asked.stdin.listenerCount('data')).toBe(0);
});

test('a terminal that has no answer holds up the end for half a second from the start on, and later not at all', async () => {
  const asked = ask();
  asked.clock.advance(400);
  let over = false;
  const answered = asked.answered().then(() => {
    over = true;
  });
  await asked.clock.advanceAsync(99);
  expect(over).toBe(false);
  await asked.clock.advanceAsync(1);
  await answered;
  await asked.answered();
});

test('a console that is known to mark no pastes is not asked', async () => {
  const asked = ask({ TERM: 'linux' });
  expect(asked.written).toEqual([]);
  await asked.answered();
});
