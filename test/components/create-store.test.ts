import { describe, expect, test } from 'vitest';
import { createStore, type Store } from '../../components/create-store.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.ts';
import { taskOf } from '../helpers/role-port.ts';
import { createStory, twoSideBySide } from '../helpers/story.ts';

const opened = (): { readonly store: Store; readonly clock: ManualClock; readonly heard: () => number } => {
  const clock = createManualClock();
  const store = createStore({ clock, evolve, connection: 'live' });
  let heard = 0;
  store.subscribe(() => {
    heard += 1;
  });
  return { store, clock, heard: () => heard };
};

describe('the store', () => {
  test('a stream is told at 10 Hz: the first event at once, the rest together', () => {
    const { store, clock, heard } = opened();
    for (const event of twoSideBySide().events) store.dispatch(event);
    expect(heard()).toBe(1);
    clock.advance(99);
    expect(heard()).toBe(1);
    clock.advance(1);
    expect(heard()).toBe(2);
    expect(store.getState().session?.tasks.size).toBe(8);
  });

  test('a key is told at once, and takes with it what the stream had waiting', () => {
    const { store, clock, heard } = opened();
    for (const event of twoSideBySide().events) store.dispatch(event);
    store.act({ type: 'zoomed' });
    expect(heard()).toBe(2);
    expect(clock.armed()).toBe(0);
  });

  test('with nothing to tell there is no timer', () => {
    const { store, clock } = opened();
    for (const event of twoSideBySide().events) store.dispatch(event);
    clock.advance(1_000);
    expect(clock.armed()).toBe(0);
  });

  test('a journal read at once gives the view that the same events gave one by one', () => {
    const one = opened();
    const all = opened();
    const { events } = twoSideBySide();
    for (const event of events) one.store.dispatch(event);
    all.store.load(events);
    const { output: _, attempts, timeline, rates, ...live } = one.store.getState();
    const { output: __, attempts: again, timeline: drawn, rates: counted, ...read } = all.store.getState();
    expect(read).toEqual(live);
    expect({ ...drawn, take: null }).toEqual({ ...timeline, take: null });
    const now = Date.parse(live.session?.at ?? '');
    for (const id of live.session?.invocations.keys() ?? [])
      expect(counted.of(id, now, 12)).toEqual(rates.of(id, now, 12));
    for (const id of live.session?.tasks.keys() ?? []) expect(again.of(id)).toEqual(attempts.of(id));
    expect([...all.store.getState().output.logs]).toEqual([...one.store.getState().output.logs]);
  });

  test('lines of output leave the session and its selectors alone', () => {
    const { store } = opened();
    const story = twoSideBySide();
    store.load(story.events);
    const { session, events } = store.getState();
    const last = story.prints('english', 'more\n').events.at(-1);
    if (last) store.dispatch(last);
    expect(store.getState().session).toBe(session);
    expect(store.getState().events).toBe(events);
  });

  test('without a selection the output follows one task until it ends, and does not hop between two', () => {
    const { store } = opened();
    const story = twoSideBySide();
    store.load(story.events);
    expect(store.getState().ui.followed).toBe('english');
    const before = story.events.length;
    story.commandEnds('vietnamese').command('vietnamese', 'npm test', 1);
    for (const event of story.events.slice(before)) store.dispatch(event);
    expect(store.getState().ui.followed).toBe('english');
  });

  test('after the followed task the work that is nearest in the list is followed, so that the list moves little', () => {
    const { store } = opened();
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const story = createStory()
      .begin()
      .tasks(ids.map((id) => taskOf({ id })))
      .wave(1, ids)
      .starts('c')
      .starts('a');
    store.load(story.events);
    expect(store.getState().ui.followed).toBe('c');
    const before = story.events.length;
    story.starts('f').starts('d').qualifies('c');
    for (const event of story.events.slice(before)) store.dispatch(event);
    expect(store.getState().ui.followed).toBe('d');
  });
});

test('a notice gives its place back to the keys after a while, and a newer one starts anew', () => {
  const { store, clock } = opened();
  const say = (text: string): void => store.act({ type: 'noticed', notice: { text, tone: 'info' } });
  say('one');
  clock.advance(3_000);
  say('two');
  clock.advance(3_000);
  expect(store.getState().notice?.text).toBe('two');
  clock.advance(1_000);
  expect(store.getState().notice).toBe(null);
  expect(clock.armed()).toBe(0);
});
