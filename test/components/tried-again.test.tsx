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
    reason: 'own exited with code 1',
  });
  const screen = await openScreen({ story, columns: 120, rows: 36 });
  onTestFinished(screen.unmount);
  expect(
    screen
      .rows()
      .slice(4)
      .find((row) => row.includes('↻ deps')),
  ).toMatch(/↻ deps +agent failed; will retry/);
});

test('a task that is tried again has not failed: no failure is counted, and none is in the bar', async () => {
  const story = createStory()
    .begin()
    .tasks([task('deps')])
    .wave(1, ['deps'])
    .starts('deps')
    .fails('deps', 'no');
  const screen = await openScreen({ story, columns: 120, rows: 36 });
  onTestFinished(screen.unmount);
  expect(screen.rows()[3]).toContain('0 of 1 done');
  expect(screen.rows()[3]).not.toContain('failed');
  expect(screen.rows()[0]).toContain('▱▱▱▱▱▱▱▱▱▱ 0/1');
});

test('a task of a session that stopped by an error is not called running', async () => {
  const story = createStory()
    .begin()
    .tasks([task('deps')])
    .wave(1, ['deps'])
    .starts('deps')
    .add({
      type: 'session.stopped',
      session_id: 's',
      status: 'blocked',
      reason: 'coder is not logged in',
      exit_code: 1,
    });
  const screen = await openScreen({ story, connection: 'stopped', columns: 120, rows: 36 });
  onTestFinished(screen.unmount);
  const row = screen
    .rows()
    .slice(4)
    .find((each) => each.includes('↻ deps'));
  expect(row).toMatch(/↻ deps +cut off, attempt 2 next/);
});
