import { expect, test } from 'vitest';
import { reasonsFor, rowsOfSession } from '../../src/cli/report/task-rows.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { createStory, type Story, task } from '../helpers/story.ts';

const stateOf = (story: Story): SessionState => {
  const state = story.events.reduce<SessionState | null>(evolve, null);
  if (state === null) throw new Error('an empty story');
  return state;
};
const why = (story: Story, id: string): readonly string[] => {
  const rows = rowsOfSession(stateOf(story));
  return rows.filter((row) => row.id === id).flatMap((row) => reasonsFor(row, rows, stateOf(story).session));
};

test('why an unreachable task does not run: that it is unreachable, behind what, and the retry that helps', () => {
  const story = createStory()
    .begin()
    .tasks([task('broken'), task('after', ['broken']), task('last', ['after'])])
    .wave(1, ['broken']);
  for (const attempt of [1, 2, 3]) story.starts('broken', attempt).fails('broken', 'no');
  for (const id of ['after', 'last'])
    expect(why(story, id)).toEqual([
      'unreachable: blocked by broken, failed',
      '`ralph-tui retry broken --session 260215-101500` lets it run',
    ]);
  expect(rowsOfSession(stateOf(story)).map((row) => row.retry)).toEqual([['broken'], ['broken'], ['broken']]);
  expect(why(story, 'broken')).toEqual(['no', '`ralph-tui retry broken --session 260215-101500` reopens it']);
});

test('of a task that is tried again by itself no retry is spoken of, nor where none helps', () => {
  const again = createStory()
    .begin()
    .tasks([task('broken'), task('round', ['round'])])
    .wave(1, ['broken'])
    .starts('broken')
    .fails('broken', 'no');
  expect(why(again, 'broken')).toEqual(['no']);
  expect(why(again, 'round')).toEqual(['unreachable: in a cycle: round → round']);
});

test('a task that a question is asked about waits for the answer, and for nothing else', () => {
  const story = createStory()
    .begin()
    .tasks([task('a'), task('b')])
    .wave(1, ['a', 'b']);
  story.add({
    type: 'question.asked',
    request: 'run:a:1',
    kind: 'verify',
    task: 'a',
    attempt: 1,
    text: 'May this command run?',
    options: [{ id: 'run', label: '' }],
    invocation: null,
  });
  expect(why(story, 'a')).toEqual([
    'it waits for your answer: `ralph-tui answer run:a:1 run --session 260215-101500`',
  ]);
  expect(why(story, 'b')).toEqual(['nothing blocks it: it starts when a slot is free']);
});
