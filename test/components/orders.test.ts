import { expect, test } from 'vitest';
import { commands } from '../../components/commands.ts';
import { createStore, type Store } from '../../components/create-store.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, task } from '../helpers/story.ts';

/** Details of a task whose agent took these orders, with the focus. */
const details = (...orders: readonly string[]): Store => {
  const story = createStory()
    .begin()
    .tasks([task('one')])
    .wave(1, ['one'])
    .starts('one', 1);
  for (const id of orders)
    story.add({
      type: 'signal.delivered',
      id,
      recipient: 'Executor~Executor-2',
      checkpoint: 'Executor.3.5',
      how: 'injected',
      message: { id, kind: 'STEER', text: `do ${id}` },
      broadcast: false,
    });
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(story.events);
  store.act({ type: 'selected-task', task: 'one' });
  return press(press(store, 'look.details'), 'look.details');
};

const press = (store: Store, id: string): Store => {
  const command = commands.find((each) => each.id === id);
  expect(command?.available(store.getState())).toBe(true);
  for (const effect of command?.run(store.getState()) ?? [])
    if (effect.kind === 'act') store.act(effect.action);
  return store;
};

const subject = (store: Store): unknown => {
  const top = store.getState().ui.overlays.at(-1);
  return top?.kind === 'confirm' ? top.subject : null;
};

test('x in Details asks about the newest order in force, and the arrows choose another', () => {
  const store = press(details('a', 'b', 'c'), 'steer.cancel');
  expect(subject(store)).toEqual({ kind: 'order', id: 'c' });
  press(store, 'confirm.other');
  expect(subject(store)).toEqual({ kind: 'order', id: 'b' });
  const [, yes] = commands.find(({ id }) => id === 'confirm.yes')?.run(store.getState()) ?? [];
  expect(yes).toMatchObject({ kind: 'perform', intent: { signal: { type: 'CANCEL', request: 'b' } } });
});

test('x in Details of a task without orders cancels the task', () => {
  expect(subject(press(details(), 'steer.cancel'))).toEqual({ kind: 'cancel', task: 'one' });
});
