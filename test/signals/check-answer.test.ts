import { expect, test } from 'vitest';
import { conflictOptions } from '../../src/pipeline/changes/merging.ts';
import { reviewOptions } from '../../src/pipeline/changes/person-review.ts';
import { type Answerable, checkAnswer } from '../../src/signals/check-answer.ts';
import { plainOptions, questionKindSchema, questionKinds } from '../../src/signals/question-kinds.ts';

const conflict: Answerable = { request: 'merge:a:1:1', kind: 'merge', options: conflictOptions('/trees/a') };
const review: Answerable = { request: 'review:a:1', kind: 'review', options: reviewOptions(false) };
const asked: Answerable = { request: 'ask:a:1', kind: 'ask', options: plainOptions(['80', '8080']) };
const plan: Answerable = {
  request: 'plan',
  kind: 'plan',
  options: [
    { id: 'approve', label: '' },
    { id: 'revise', label: '', words: 'must' },
    { id: 'replace', label: '', words: 'file' },
  ],
};

test('merge, the option of another question, is refused at a plain conflict with the options that it takes', () => {
  const refusal =
    '"merge:a:1:1" has no option "merge": it takes session, task, edited, again or drop; a message goes with again';
  expect(checkAnswer(conflict, { option: 'merge' })).toBe(refusal);
  expect(checkAnswer(conflict, { message: 'merge' })).toBe(refusal);
});

test.each([
  [review, 'acept'],
  [conflict, 'againn'],
  [plan, 'aprove'],
])('a typing error at $request decides nothing', (question, typed) => {
  expect(checkAnswer(question, { message: typed })).toContain(`has no option "${typed}"`);
  expect(checkAnswer(question, { option: typed })).toContain(`has no option "${typed}"`);
});

test('the id of an option counts in any case, as the option or as the words typed', () => {
  for (const answer of [{ option: 'accept' }, { message: ' Accept ' }, { option: 'ACCEPT' }])
    expect(checkAnswer(review, answer)).toEqual({ option: 'accept', words: '' });
});

test('the verdicts on a plan have names for people, and their ids stay accepted', () => {
  const review: Answerable = {
    request: 'plan:review-1',
    kind: 'plan-review',
    options: [
      { id: 'approve', label: '' },
      { id: 'minor', label: '', words: 'must' },
      { id: 'major', label: '', words: 'must' },
    ],
  };
  const message = 'name it part';
  for (const option of ['amend', 'Amend', 'minor'])
    expect(checkAnswer(review, { option, message })).toEqual({ option: 'minor', words: message });
  expect(checkAnswer(review, { option: 'redo', message })).toEqual({ option: 'major', words: message });
  expect(checkAnswer(review, { message: 'redo' })).toBe(
    '"plan:review-1" takes redo with your words as the message',
  );
  expect(checkAnswer(review, { option: 'accept' })).toBe(
    '"plan:review-1" has no option "accept": it takes approve, amend or redo; a message goes with amend or redo',
  );
  expect(checkAnswer({ ...review, kind: 'ask' }, { option: 'amend' })).toContain('has no option "amend"');
});

test('words go with the options that take them, and are refused with any other', () => {
  expect(checkAnswer(review, { option: 'reject', message: 'too long' })).toEqual({
    option: 'reject',
    words: 'too long',
  });
  expect(checkAnswer(review, { option: 'reject' })).toEqual({ option: 'reject', words: '' });
  expect(checkAnswer(review, { option: 'accept', message: 'but rename it' })).toBe(
    '"review:a:1" takes accept without a message; nothing was decided',
  );
  expect(checkAnswer(plan, { option: 'revise' })).toBe('"plan" takes revise with your words as the message');
  expect(checkAnswer(plan, { message: 'revise' })).toBe('"plan" takes revise with your words as the message');
  expect(checkAnswer(plan, { option: 'replace' })).toContain('with the whole text as the message');
});

test('an agent’s own question takes any words, and its options', () => {
  expect(checkAnswer(asked, { message: 'neither: 443' })).toEqual({ option: null, words: 'neither: 443' });
  expect(checkAnswer(asked, { message: '8080' })).toEqual({ option: '8080', words: '' });
  expect(checkAnswer(asked, { option: '443' })).toBe('"ask:a:1" has no option "443": it takes 80 or 8080');
  expect(checkAnswer({ ...asked, options: [] }, { message: '  ' })).toContain('has no option ""');
});

test('programs answer nothing but an agent’s question, and no other kind takes bare words', () => {
  for (const kind of questionKindSchema.options) {
    const { onlyPerson, takesWords } = questionKinds[kind];
    expect({ kind, onlyPerson, takesWords }).toEqual({
      kind,
      onlyPerson: kind !== 'ask',
      takesWords: kind === 'ask',
    });
  }
});
