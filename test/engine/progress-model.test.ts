import { expect, test } from 'vitest';
import { createProgressModel } from '../../src/engine/snapshots/progress-model.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, task } from '../helpers/story.ts';

test('only the line of a task that changed is made anew, also when the task is held or goes on', () => {
  const modelOf = createProgressModel(createManualClock());
  const story = createStory()
    .begin()
    .tasks([task('a'), task('b')])
    .wave(1, ['a', 'b']);
  const lines = () => modelOf(evolveAll(null, story.events), []).implementation;
  const state = evolveAll(null, story.starts('a').events);
  const before = modelOf(state, []).implementation;
  expect(modelOf(state, []).implementation.map((line, index) => line === before[index])).toEqual([
    true,
    true,
  ]);
  const [{ invocation } = { invocation: '' }] = story.events
    .filter((event) => event.type === 'invocation.started')
    .slice(-1);
  expect(lines()[0]).toMatchObject({ id: 'a', status: 'running', notes: [] });
  story.add({ type: 'invocation.paused', invocation, continuation: null });
  const held = modelOf(evolveAll(state, story.events.slice(-1)), []).implementation;
  expect(held[0]?.notes).toEqual(['Paused by signal.']);
  expect(held[1]).toBe(before[1]);
  story.add({ type: 'invocation.resumed', invocation, messages: [] });
  expect(lines()[0]?.notes).toEqual([]);
});
