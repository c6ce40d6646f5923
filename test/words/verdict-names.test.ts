import { expect, test } from 'vitest';
import type { Signal } from '../../src/signals/signal.ts';
import { signalWords } from '../../src/words/signal-words.ts';
import { unprovenQuestion } from '../../src/words/unproven.ts';

const answer = (request: string): Signal => ({
  type: 'ANSWER',
  target: 'ALL',
  request,
  option: 'minor',
  message: 'name it part',
});

test('an answer to the review of a plan is called as on the screen; the same id of another question stays', () => {
  expect(signalWords(answer('plan:review-1'))).toBe('amend: name it part');
  expect(unprovenQuestion(answer('plan:review-1'))).toBe(
    'A file answers plan:review-1 with "amend": did you send it?',
  );
  expect(signalWords(answer('ask:a:1'))).toBe('minor: name it part');
  expect(unprovenQuestion(answer('ask:a:1'))).toContain('with "minor"');
});
