import { expect, test } from 'vitest';
import { createEditor } from '../../components/keys/line-editor.ts';
import { draftedAnswer, selectChoices } from '../../components/question/select-question.ts';
import { reviewOptions } from '../../src/pipeline/changes/person-review.ts';
import { type OpenQuestion, planRequest } from '../../src/pipeline/questions/open-questions.ts';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { questionWords, shortQuestion } from '../../src/words/question-words.ts';

const review: OpenQuestion = {
  request: 'review:a:1',
  kind: 'review',
  text: 'Accept a?',
  options: reviewOptions(false),
  since: '',
  task: 'a',
  agent: null,
};
const asked: OpenQuestion = {
  ...review,
  request: 'ask:a:1',
  kind: 'ask',
  text: 'Which port?',
  options: plainOptions(['80', '8080']),
  agent: 'gemini',
};
const draft = (question: OpenQuestion, typed: string, cursor = 0) =>
  draftedAnswer(question, { cursor, editor: createEditor(typed) });

test('Enter after a typing error chooses the option that takes words, and only a second one sends them', () => {
  expect(draft(review, 'acept')).toEqual({ kind: 'choose', cursor: 1, name: 'reject' });
  expect(draft(review, 'acept', 1)).toEqual({ kind: 'answer', option: 'reject', message: 'acept' });
  expect(draft(review, 'accept', 1)).toEqual({ kind: 'answer', option: 'accept' });
  expect(draft(review, '')).toEqual({ kind: 'answer', option: 'accept' });
});

test('the name of a choice that takes words chooses it, and is no message', () => {
  const plan: OpenQuestion = {
    ...review,
    kind: 'plan-review',
    options: [
      { id: 'approve', label: '' },
      { id: 'minor', label: '', words: 'must' },
      { id: 'major', label: '', words: 'must' },
    ],
  };
  const redo = { kind: 'choose', cursor: 2, name: 'redo', isNamed: true };
  expect(draft(plan, 'redo')).toEqual(redo);
  expect(draft(plan, 'redo', 1)).toEqual(redo);
  expect(draft(plan, 'Major', 1)).toEqual(redo);
  expect(draft(plan, 'redo', 2)).toEqual({
    kind: 'not-yet',
    why: 'Type the message that goes with redo first',
  });
  expect(draft(plan, 'redo the second phase', 1)).toEqual({
    kind: 'answer',
    option: 'minor',
    message: 'redo the second phase',
  });
  expect(draft(review, 'reject')).toEqual({ kind: 'choose', cursor: 1, name: 'reject', isNamed: true });
  expect(draft(review, 'reject', 1)).toEqual({ kind: 'answer', option: 'reject' });
});

test('words alone answer an agent, whatever is chosen', () => {
  expect(draft(asked, 'neither', 1)).toEqual({ kind: 'answer', message: 'neither' });
  expect(draft(asked, '', 1)).toEqual({ kind: 'answer', option: '8080' });
  expect(draft({ ...asked, options: [] }, '')).toEqual({ kind: 'not-yet', why: 'Type an answer first' });
});

test('a question without an option for words names what to do, and one whose message is a file is no row', () => {
  const both = { ...review, kind: 'changes' as const, options: plainOptions(['keep', 'merge']) };
  expect(draft(both, 'merg')).toEqual({
    kind: 'not-yet',
    why: 'This question takes no text: choose one of its options',
  });
  const plan: OpenQuestion = {
    ...review,
    request: planRequest,
    kind: 'plan',
    options: [
      { id: 'revise', label: '', words: 'must' },
      { id: 'replace', label: '', words: 'file' },
    ],
  };
  expect(selectChoices(plan).map(({ id }) => id)).toEqual(['revise']);
  expect(draft(plan, '')).toEqual({ kind: 'not-yet', why: 'Type the message that goes with revise first' });
});

test('an agent’s question names its task and its agent', () => {
  expect(questionWords(asked)).toBe('a (gemini) asks: Which port?');
  expect(questionWords({ ...asked, agent: null })).toBe('a asks: Which port?');
  expect(questionWords(review)).toBe('Accept a?');
});

test('a question in short leaves out what explains it, but not the field of a form', () => {
  const form = 'Which language should the docs use? · Words per page';
  expect(shortQuestion(form)).toBe(form);
  expect(shortQuestion(`${form} · "x" does not fit: it is no number`)).toBe(form);
  expect(shortQuestion('Accept a? It changes b.')).toBe('Accept a?');
});
