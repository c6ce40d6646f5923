import { playInto } from '../../../src/cli/launch/player.ts';
import { paneKeys } from '../pane-key.ts';
import { type Story, twoSideBySide } from '../story.ts';
import type { Scene } from './scene.ts';

export const steer = {
  type: 'STEER',
  target: 'Executor',
  task: 'english',
  message: 'use bar, not foo',
  from: 'kim@host',
  created_at: '2026-02-15T03:15:30Z',
} as const;
export const waiting = (): Story => twoSideBySide().pending('aaa1', steer);
export const handled = (): Story =>
  waiting()
    .claimed('aaa1', steer, 'Executor', 'Executor.3.5')
    .add({
      type: 'signal.delivered',
      id: 'aaa1',
      recipient: 'Executor-6',
      checkpoint: 'Executor.3.5',
      how: 'tree',
      broadcast: false,
    })
    .add({
      type: 'steer.decided',
      id: 'aaa1',
      invocation: 'Executor-6',
      task: 'english',
      verdict: 'adjust',
      evidence: 'no file was changed',
      action: 'goes on with bar',
    })
    .handled('aaa1', steer, 'Ralph-v2-Executor', 'adjust: goes on with bar');

/** Signals in full, the palette, a replay, and a filter of the events. */
export const lookingScenes: readonly Scene[] = [
  {
    name: 'signal-handled',
    story: handled,
    act: (screen) => screen.press('tab', 'tab', 'tab', 'j', 'enter'),
  },
  { name: 'signal-waiting', story: waiting, act: (screen) => screen.press('tab', 'tab', 'j', 'enter') },
  {
    name: 'palette',
    story: twoSideBySide,
    act: async (screen) => {
      await screen.press(':');
      await screen.type('sess');
    },
  },
  {
    name: 'replay',
    options: { connection: 'replay' },
    act: async (screen) => {
      playInto(screen.store, screen.clock, twoSideBySide().events, 1);
      await screen.settle();
      await screen.press('space', 'right', 'right', '+');
    },
  },
  {
    name: 'events-filtered',
    story: twoSideBySide,
    act: async (screen) => {
      await screen.press(...paneKeys('events'), 'f');
      await screen.type('command.st');
      await screen.press('enter');
    },
  },
];
