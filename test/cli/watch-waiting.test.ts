import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { selectSignal } from '../../components/mailbox/select-signal.ts';
import { selectSignals } from '../../components/mailbox/select-signals.ts';
import type { Connection } from '../../components/view.ts';
import { watchWaiting } from '../../src/cli/host/watch-waiting.ts';
import { createSessionMailbox } from '../../src/cli/session/publish.ts';
import { createWorld } from '../../src/cli/world.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const setUp = (connection: Connection) => {
  const clock = createManualClock();
  const world = { ...createWorld(), clock };
  const paths = sessionPaths(tempDir(), '260215-101500');
  mkdirSync(paths.directory, { recursive: true });
  const mailbox = createSessionMailbox({ XDG_STATE_HOME: tempDir() }, world, paths);
  if ('code' in mailbox) throw new Error(mailbox.what);
  const store = createStore({ clock, evolve, connection });
  store.load(createStory().begin().events);
  const stop = watchWaiting(world, paths, store);
  const send = (message: string): string => {
    const published = mailbox.publish({ type: 'INFO', target: 'ALL', message });
    if ('code' in published) throw new Error(published.what);
    return published.id;
  };
  const words = () => {
    const { inbox, processed } = selectSignals(store.getState());
    return [inbox, processed].map((rows) => rows.map(({ message, word }) => `${message}: ${word}`));
  };
  return { clock, mailbox, paths, send, stop, store, words };
};

test('what is sent to a session that nobody runs is in its Inbox, and gone from there when it is taken back', () => {
  const { clock, mailbox, send, stop, store, words } = setUp('stopped');
  expect(words()).toEqual([[], []]);
  const id = send('hello');
  clock.advance(1_000);
  expect(words()).toEqual([['hello: read when the session is resumed'], []]);
  mailbox.withdraw(id, 'kim@host');
  clock.advance(1_000);
  expect(words()).toEqual([[], ['hello: withdrawn by kim@host']]);
  const facts = selectSignal(store.getState(), id, { ms: clock.now(), offset: 0 });
  expect(facts.map(([, text]) => text)).toContainEqual(
    expect.stringMatching(/^\d\d:\d\d:\d\d withdrawn by kim@host$/),
  );
  expect(facts.flat().join()).not.toContain('journal');
  stop();
  expect(clock.armed()).toBe(0);
});

test('while a program runs the session only its journal tells of signals', () => {
  const { clock, send, store, words } = setUp('attached');
  send('hello');
  clock.advance(3_000);
  expect(words()).toEqual([[], []]);
  store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
  clock.advance(1_000);
  expect(words()[0]).toHaveLength(1);
});

test('feedback for the next iteration is seen where nobody runs the session, and when it is taken away', () => {
  const { clock, paths, store } = setUp('attached');
  const { feedbacks } = paths.iteration(2);
  mkdirSync(join(feedbacks, '20260215-102000'), { recursive: true });
  clock.advance(3_000);
  expect(store.getState().ui.feedbackFor).toBeNull();
  store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
  clock.advance(1_000);
  expect(store.getState().ui.feedbackFor).toBe(2);
  rmSync(feedbacks, { recursive: true });
  clock.advance(1_000);
  expect(store.getState().ui.feedbackFor).toBeNull();
});
