import { expect, test } from 'vitest';
import { lastWords } from '../../src/agents/backends/last-words.ts';

test.each([
  ['', ''],
  ['\n \n', ''],
  ['one\ntwo\n\n', 'two'],
  ['TypeError: no id\n    at agent.js:12\n    at async main (agent.js:40)\n', 'TypeError: no id'],
  ['panic: nil map\n\tmain.go:12 +0x1d\n', 'panic: nil map'],
  ['    at agent.js:12\n', '    at agent.js:12'],
])('of %j the line to quote is %j', (text, line) => {
  expect(lastWords(text)).toBe(line);
});
