import { expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { selectMissed } from '../../components/frame/select-missed.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { type Story, twoSideBySide } from '../helpers/story.ts';

const missed = (story: Story, seen: number): string | null => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  store.load(story.events);
  return selectMissed(store.getState(), story.events, seen);
};

test('what was done, what failed and what waits since the last look is counted', () => {
  const story = twoSideBySide();
  const seen = story.events.length;
  story.commandEnds('english', false, 1).fails('english', 'a test failed');
  story.commandEnds('vietnamese').qualifies('vietnamese');
  story.add({
    type: 'question.asked',
    kind: 'ask',
    request: 'q1',
    text: 'Which?',
    options: [],
    invocation: null,
  });
  expect(missed(story, seen)).toBe('Since you left: 1 done, 1 failed, 1 waiting for you');
});

test('a task that failed and passed since is done once', () => {
  const story = twoSideBySide();
  const seen = story.events.length;
  story
    .commandEnds('english', false, 1)
    .fails('english', 'a test failed')
    .starts('english', 2)
    .qualifies('english');
  expect(missed(story, seen)).toBe('Since you left: 1 done');
});

test('what was on the screen already is no news', () => {
  const story = twoSideBySide().commandEnds('vietnamese').qualifies('vietnamese');
  story.add({
    type: 'question.asked',
    kind: 'ask',
    request: 'q1',
    text: 'Which?',
    options: [],
    invocation: null,
  });
  expect(missed(story, story.events.length)).toBeNull();
});
