import { expect, test } from 'vitest';
import { releaseAroundTasks, releaseMemory } from '../../src/cli/host/keep-memory-small.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { initialState } from '../../src/pipeline/initial.ts';
import { createStory, task } from '../helpers/story.ts';

test('memory is released when the first wave is chosen, and before the tasks are reviewed as a whole', () => {
  const { events } = createStory()
    .begin()
    .tasks([task('a'), task('b', ['a'])])
    .wave(1, ['a'])
    .wave(2, ['b'])
    .state('SESSION_REVIEW')
    .state('KNOWLEDGE_EXTRACTION');
  const observers = new Set<(event: Event, state: ReturnType<typeof initialState>) => void>();
  const released: Event[] = [];
  let last: Event | undefined;
  releaseAroundTasks(
    {
      subscribe: (observer) => {
        observers.add(observer);
        return () => observers.delete(observer);
      },
    },
    () => {
      if (last) released.push(last);
    },
  );
  for (const event of events) {
    last = event;
    for (const observer of observers) observer(event, initialState());
  }
  expect(released).toMatchObject([
    { type: 'wave.chosen', wave: 1 },
    { type: 'state.entered', state: 'SESSION_REVIEW' },
  ]);
});

test('what was read and is not needed any more is collected', async () => {
  const read = new WeakRef(Array.from({ length: 1_000 }, (_, index) => ({ index })));
  expect(read.deref()).toHaveLength(1_000);
  // A WeakRef holds what it gave until the end of the turn.
  await new Promise(setImmediate);
  releaseMemory();
  expect(read.deref()).toBeUndefined();
});
