import { expect, test } from 'vitest';
import { asSentence } from '../../src/base/sentence.ts';

test.each([
  ['it is gone', 'it is gone.'],
  ['It is gone.', 'It is gone.'],
  ['It is gone.. \n', 'It is gone.'],
  ['Keep it?', 'Keep it?'],
  ['It waits …', 'It waits …'],
  ['', '.'],
])('%j becomes the sentence %j', (text, sentence) => {
  expect(asSentence(text)).toBe(sentence);
});
