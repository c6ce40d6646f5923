import { expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { isDecision, whyNotCounted } from '../../src/cli/serve/why-not-counted.ts';
import type { EventBody } from '../../src/pipeline/event.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import type { Signal } from '../../src/signals/signal.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory } from '../helpers/story.ts';

const answer: Signal = { type: 'ANSWER', target: 'ALL', request: 'q1', message: '80' };
const asked: EventBody = {
  type: 'question.asked',
  kind: 'ask',
  request: 'q1',
  text: 'Which port?',
  options: [],
  invocation: null,
};
const settled = (signal: string): EventBody => ({
  type: 'question.answered',
  request: 'q1',
  answer: '80',
  by: 'Tablet',
  signal,
});

/** A session with an open question, as `serve` follows it. */
const openSession = () => {
  const clock = createManualClock();
  const story = createStory().begin().add(asked);
  const followers = new Set<() => void>();
  const feed = {
    seen: () => {
      const store = createStore({ clock, evolve, connection: 'replay' });
      store.load(story.events);
      return { events: story.events, view: store.getState() };
    },
    follow: (changed: () => void) => {
      followers.add(changed);
      return () => void followers.delete(changed);
    },
  };
  const happens = (...bodies: readonly EventBody[]): void => {
    for (const body of bodies) story.add(body);
    for (const changed of followers) changed();
  };
  return { clock, story, feed, happens, followers };
};

test('an answer that was read first counts', async () => {
  const { clock, story, feed, happens } = openSession();
  const why = whyNotCounted(clock, feed, 'ours');
  story.handled('ours', answer, 'Orchestrator', 'answered');
  happens(settled('ours'));
  expect(await why).toBeNull();
});

test('an answer that another one was faster than is told so, in the words of the reader', async () => {
  const { clock, story, feed, happens, followers } = openSession();
  happens(settled('theirs'));
  const why = whyNotCounted(clock, feed, 'ours');
  story.handled('ours', answer, 'Orchestrator', 'already answered by Tablet');
  happens();
  expect(await why).toBe('already answered by Tablet');
  expect(followers.size).toBe(0);
});

test('an answer that nobody reads is waited for a second, and said to be sent', async () => {
  const { clock, feed, followers } = openSession();
  const why = whyNotCounted(clock, feed, 'ours');
  await clock.advanceAsync(1_000);
  expect(await why).toBeNull();
  expect(followers.size).toBe(0);
});

test('only signals of which the first decides are waited for', () => {
  const types = ['ANSWER', 'APPROVE', 'SKIP', 'PAUSE', 'STEER', 'RETRY'] as const;
  expect(types.map((type) => isDecision({ type }))).toEqual([true, true, true, false, false, false]);
});
