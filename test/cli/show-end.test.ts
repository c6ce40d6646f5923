import { expect, test } from 'vitest';
import { showEnd } from '../../src/cli/screen/show-end.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createStore } from '../../src/store/create-store.ts';
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
  showEnd(store);
  return store.getState().ui.overlays.map(({ kind }) => kind);
};

test('the end of the session replaces a queue in which nothing waits any more', () => {
  expect(storeWith(false)).toEqual(['end']);
  expect(storeWith(true)).toEqual(['needs-you']);
});
