import { expect, test } from 'vitest';
import { releaseAfterPlanning, releaseMemory } from '../../src/cli/host/keep-memory-small.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { initialState } from '../../src/pipeline/initial.ts';
import { createStory, task } from '../helpers/story.ts';

test('memory of planning is released once, when the first wave is chosen', () => {
  const { events } = createStory()
    .begin()
    .tasks([task('a'), task('b', ['a'])])
    .wave(1, ['a'])
    .wave(2, ['b']);
  const observers = new Set<(event: Event, state: ReturnType<typeof initialState>) => void>();
  releaseAfterPlanning({
    subscribe: (observer) => {
      observers.add(observer);
      return () => observers.delete(observer);
    },
  });
  const told: string[] = [];
  for (const event of events)
    for (const observer of observers) {
      told.push(event.type);
      observer(event, initialState());
    }
  expect(told.filter((type) => type === 'wave.chosen')).toHaveLength(1);
  expect(told.at(-1)).toBe('wave.chosen');
});

test('what was read and is not needed any more is collected', async () => {
  const read = new WeakRef(Array.from({ length: 1_000 }, (_, index) => ({ index })));
  expect(read.deref()).toHaveLength(1_000);
  // A WeakRef holds what it gave until the end of the turn.
  await new Promise(setImmediate);
  releaseMemory();
  expect(read.deref()).toBeUndefined();
});
