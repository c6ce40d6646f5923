import { expect, test } from 'vitest';
import { buildModel } from '../../src/page/model/build-model.ts';
import type { PageModel } from '../../src/page/model/page-model.ts';
import { renderPage } from '../../src/page/render/page.tsx';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { createStory, type Story, task } from '../helpers/story.ts';

const working = (): Story =>
  createStory()
    .begin()
    .tasks([task('schema'), task('pages')])
    .wave(1, ['schema'])
    .starts('schema');

const asking = (): Story =>
  working().add({
    type: 'question.asked',
    kind: 'ask',
    request: 'q1',
    text: 'Which port?',
    options: [{ id: 'usual', label: '8080' }],
    invocation: null,
  });

const judging = (): Story =>
  working().add({
    type: 'question.asked',
    kind: 'plan-review',
    request: 'plan:review-1',
    text: 'Approve the plan for issue 1?',
    options: [
      { id: 'minor', label: 'the work begins, with your message', words: 'must' },
      { id: 'major', label: 'a new plan, with your message', words: 'must' },
    ],
    invocation: null,
  });

const modelOf = ({ events }: Story): PageModel => {
  const state = evolveAll(null, events);
  return buildModel({
    ...{ events, state, isRun: true, now: Date.parse(state.at), offset: 0, changes: null, removed: [] },
    ...{ diffs: new Map(), outputs: new Map(), reports: new Map(), lessons: new Map() },
    ...{ sentence: () => null, full: false, structure: false },
  });
};

test('the page of a session that runs says what waits for a person, and what can be answered', () => {
  const model = modelOf(asking());
  expect(model.now).toMatch(/^Waiting for you: Which port\?/);
  expect(model.needs).toMatchObject([{ kind: 'question', text: 'Which port?', options: ['usual: 8080'] }]);
  expect(renderPage(model, 'test')).toContain('<h2 id="needs">Needs you</h2>');
});

test('the page calls the verdicts on a plan, and a sent one, as the screen does', () => {
  const sent = judging().pending('aaa1', {
    type: 'ANSWER',
    target: 'ALL',
    request: 'plan:review-1',
    option: 'minor',
  });
  const { needs, steering } = modelOf(sent);
  expect(needs).toMatchObject([
    { options: ['amend: the work begins, with your message', 'redo: a new plan, with your message'] },
  ]);
  expect(steering).toMatchObject([{ kind: 'ANSWER', text: 'amend' }]);
});

test('the page of a session in which nothing waits has no such part', () => {
  expect(renderPage(modelOf(working()), 'test')).not.toContain('Needs you');
});

test('tokens that no agent reported are not zero', () => {
  const row = { name: 'coder', costs: [{ amount: 0.42, currency: 'USD' }], uncounted: 0 };
  const pageWith = (tokensIn: number): string =>
    renderPage(
      { ...modelOf(working()), costs: { agents: [{ ...row, tokensIn, tokensOut: 0 }], tasks: [] } },
      'test',
    );
  const amounts = (page: string): readonly string[] =>
    [...page.matchAll(/<td class="amount">(.*?)<\/td>/g)].map(([, text = '']) => text);
  expect(amounts(pageWith(0)).slice(1)).toEqual(['–', '–']);
  expect(amounts(pageWith(900)).slice(1)).toEqual(['900', '0']);
});
