import { expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { selectAttempts } from '../../components/details/select-attempts.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { exportsOf, writeSession } from '../helpers/page-session.ts';
import { createStory, type Story, task } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const working = (): Story =>
  createStory()
    .begin()
    .tasks([task('schema'), task('pages')])
    .wave(1, ['schema'])
    .starts('schema')
    .command('schema', 'npm run schema');

const aborted = (): Story =>
  working().state('COMPLETE').add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'aborted',
    reason: 'aborted',
    exit_code: 130,
  });

const pageOf = async ({ events }: Story) => {
  const workspace = tempDir();
  writeSession(workspace, events);
  const { model } = await exportsOf(workspace);
  return {
    words: model.tasks.map(({ word }) => word),
    attempts: model.tasks[0]?.attempts.map(({ outcome }) => outcome),
    bar: model.timeline.lanes.flatMap(({ bars }) => bars).find(({ task: id }) => id === 'schema')?.end,
  };
};

test('the page of a session whose program was killed shows no work under way', async () => {
  expect(await pageOf(working())).toEqual({
    words: ['cut off, attempt 2 next', expect.any(String)],
    attempts: ['interrupted'],
    bar: 'stopped',
  });
});

test('the page of an aborted session tells the task that was begun from the one that was not', async () => {
  expect(await pageOf(aborted())).toEqual({
    words: ['stopped during attempt 1', 'not started'],
    attempts: ['interrupted'],
    bar: 'stopped',
  });
});

test('an attempt of a session that goes on is running', () => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(working().events);
  expect(selectAttempts(store.getState(), 'schema').map(({ outcome }) => outcome)).toEqual(['running']);
});
