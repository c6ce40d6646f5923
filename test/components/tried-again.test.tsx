import { expect, onTestFinished, test } from 'vitest';
import { executorOutcome } from '../helpers/outcomes.ts';
import { openScreen } from '../helpers/screen.tsx';
import { createStory, task } from '../helpers/story.ts';

test('a task whose agent failed and is tried again is not called running', async () => {
  const story = createStory()
    .begin()
    .tasks([task('deps')])
    .wave(1, ['deps'])
    .starts('deps');
  story.add({
    type: 'invocation.ended',
    invocation: 'Executor-2',
    outcome: executorOutcome('deps', 1),
  });
  story.add({
    type: 'retry.scheduled',
    retry: 'IMPLEMENT:deps',
    at_ms: story.now() + 60_000,
    tries: 1,
    reason: 'own ended with 1',
  });
  const screen = await openScreen({ story, columns: 120, rows: 36 });
  onTestFinished(screen.unmount);
  expect(
    screen
      .rows()
      .slice(4)
      .find((row) => row.includes(' deps')),
  ).toMatch(/↻ deps +its agent failed, tried again/);
});
