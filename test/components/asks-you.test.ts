import { expect, test } from 'vitest';
import { retryable } from '../../components/compose/steerable.ts';
import { createStore } from '../../components/create-store.ts';
import { selectDetails } from '../../components/details/select-details.ts';
import { selectRoster } from '../../components/timeline/select-roster.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { waitingForReview } from '../helpers/scenes/changing.ts';
import { secondAttempt } from '../helpers/scenes/reading.ts';
import { type Story, twoSideBySide } from '../helpers/story.ts';

const asking = () => {
  const story = twoSideBySide();
  story.add({
    type: 'permission.asked',
    invocation: 'Executor-6',
    task: 'english',
    attempt: 1,
    request: 'permission:Executor-6:1',
    agent: 'gemini',
    kind: 'edit',
    title: 'Edit src/a.txt',
    command: null,
    directory: '/work/greetings',
    paths: ['src/a.txt'],
    diffs: [],
  });
  const asked = story.now();
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(story.events);
  store.act({ type: 'selected-task', task: 'english' });
  return { view: store.getState(), asked };
};

test('an agent that waits for a person is not called running, and its silence not counted', () => {
  const { view, asked } = asking();
  const roster = selectRoster(view, { ms: asked + 39_000, offset: 0 });
  expect(roster.map(({ id, stage, silent }) => [id, stage, silent])).toEqual([
    ['Executor-6', 'asks', 'asks you 0:39'],
    ['Executor-7', 'running', expect.stringContaining('silent')],
  ]);
});

test('its task is not called worked on where a person asks for a retry', () => {
  expect(retryable(asking().view)).toBe('english waits for you: {decide.open} opens what it asks');
});

test('the details of its task say so in its status', () => {
  const { view, asked } = asking();
  const details = selectDetails(view, { ms: asked + 39_000, offset: 0 });
  expect(details[1]).toEqual({ kind: 'asks', text: '? asks you 0:39' });
});

test('an attempt that a person reviews tells the wait, and its work by its own name', () => {
  const story = waitingForReview();
  const asked = story.now();
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(story.events);
  store.act({ type: 'selected-task', task: 'english' });
  const details = selectDetails(store.getState(), { ms: asked + 39_000, offset: 0 });
  expect(details.find(({ kind }) => kind === 'chosen')?.text).toMatch(/^2 asks you 0:39, worked \d:\d\d$/);
});

test('the words of a failed attempt were sent to the one that works or is reviewed, and are for the next one after it', () => {
  const sent = (story: Story): readonly string[] => {
    const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
    store.load(story.events);
    store.act({ type: 'selected-task', task: 'english' });
    const details = selectDetails(store.getState());
    const at = details.findIndex(({ kind, text }) => kind === 'item' && text === 'two are missing');
    return details.slice(at - 1, at + 1).map(({ text }) => text);
  };
  expect(sent(secondAttempt())).toEqual(['Sent to attempt 2', 'two are missing']);
  expect(sent(waitingForReview())).toEqual(['Sent to attempt 2', 'two are missing']);
  const again = waitingForReview().add({
    type: 'task.failed',
    task: 'english',
    attempt: 2,
    reason: 'too long',
    counts: true,
  });
  expect(sent(again)).toEqual(['For the next attempt', 'two are missing']);
});
