import { expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, task } from '../helpers/story.ts';

const storeWith = (question: boolean) => {
  const story = createStory()
    .begin()
    .tasks([task('one')])
    .wave(1, ['one'])
    .starts('one');
  if (question)
    story.add({
      type: 'question.asked',
      kind: 'ask',
      request: 'ask:one:1',
      text: 'Which?',
      options: [],
      invocation: null,
    });
  const store = createStore({ clock: createManualClock({ now: story.now() }), evolve, connection: 'live' });
  store.load(story.events);
  store.act({ type: 'overlay-opened', overlay: { kind: 'needs-you', cursor: 0 } });
  store.act({ type: 'end-shown' });
  return { store, overlays: () => store.getState().ui.overlays.map(({ kind }) => kind) };
};

test('the end of the session replaces a queue in which nothing waits any more', () => {
  expect(storeWith(false).overlays()).toEqual(['end']);
});

test('the end of the session is seen once what is in use is closed', () => {
  const { overlays, store } = storeWith(true);
  expect(overlays()).toEqual(['end', 'needs-you']);
  store.act({ type: 'overlay-closed' });
  expect(overlays()).toEqual(['end']);
});
