import { expect, test } from 'vitest';
import { planFacts } from '../../components/plan/plan-facts.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { initialState } from '../../src/pipeline/initial.ts';
import { planRequest } from '../../src/pipeline/questions/open-questions.ts';
import { formatAbout, formatBetween } from '../../src/words/local-time.ts';
import { createStory, task } from '../helpers/story.ts';

test.each([
  [0, '5 s'],
  [14_000, '15 s'],
  [33_000, '30 s'],
  [88_000, '90 s'],
  [91_000, '90 s'],
  [106_000, '2 min'],
  [140_000, '2 min 30 s'],
  [290_000, '5 min'],
  [12.4 * 60_000, '12 min'],
  [95 * 60_000, '1 h 40 min'],
  [121 * 60_000, '2 h'],
])('%d ms are about %s', (ms, words) => {
  expect(formatAbout(ms)).toBe(words);
});

test.each([
  [4 * 60_000, 9.2 * 60_000, '4 to 9 min'],
  [2.5 * 60_000, 7 * 60_000, '2 to 7 min'],
  [50_000, 3 * 60_000, '50 s to 3 min'],
  [12_000, 24_000, '10 to 25 s'],
  [70 * 60_000, 3 * 3_600_000, '70 min to 3 h'],
  [2 * 3_600_000, 5 * 3_600_000, '2 to 5 h'],
  [11_000, 12_000, 'about 10 s'],
])('from %d to %d ms are %s', (least, most, words) => {
  expect(formatBetween(least, most)).toBe(words);
});

test('what is said differs from what was found by a fifth at most, but in the last seconds', () => {
  for (let ms = 13_000; ms < 100 * 60_000; ms += 250) {
    const [, hours = '0', minutes = '0', seconds = '0'] =
      /^(?:(\d+) h ?)?(?:(\d+) min ?)?(?:(\d+) s)?$/.exec(formatAbout(ms)) ?? [];
    const said = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
    expect(Math.abs(said - ms) / ms, `${formatAbout(ms)} for ${ms} ms`).toBeLessThan(0.2);
  }
});

test('the plan gate says how many tasks wait for each other, and about how long they take and what they cost', () => {
  const story = createStory()
    .begin()
    .tasks([task('a'), task('b', ['a']), task('c', ['b'])]);
  const state = story.events.reduce((before, event) => evolve(before, event), initialState());
  const question = {
    request: planRequest,
    kind: 'plan',
    text: 'Approve?',
    options: [],
    agent: null,
    task: null,
    attempt: null,
    invocation: null,
    since: state.at,
  } as const;
  expect(planFacts(state, question)).toBe('3 tasks · all one after another');
  const usual = { tasks: 8, ms: 600_000, cost: { amount: 0.5, currency: 'USD' } };
  expect(planFacts({ ...state, earlier: { tasks: {}, usual } }, question)).toEqual(
    expect.stringMatching(/^3 tasks · all one after another · 1\d min to 1 h (?:\d+ min )?· about \$1\.50$/),
  );
});
