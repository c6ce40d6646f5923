import { act, type Command } from '../command.ts';
import type { InLines } from '../in-lines.ts';
import type { ViewState } from '../view.ts';
import { fastest, type Seek, slowest } from './replay.ts';

const playsThrough: InLines = { instead: '`ralph-tui replay ID --speed N` plays from start to end' };

const seeking = (
  id: string,
  keys: readonly string[],
  description: string,
  wanted: Seek,
  footer: number,
): Command => ({
  id: `replay.${id}`,
  context: 'replay',
  keys,
  label: description,
  description,
  group: 'Look',
  inLines: playsThrough,
  footer,
  available: (view) => playable(view),
  run: () => [act({ type: 'replayed', change: { wanted } })],
});

const speeding = (id: string, keys: readonly string[], factor: number): Command => ({
  id: `replay.${id}`,
  context: 'replay',
  keys,
  label: id,
  description: `play ${id} (×${slowest} to ×${fastest})`,
  group: 'Look',
  inLines: playsThrough,
  footer: 2,
  available: (view) => {
    const able = playable(view);
    const speed = (view.replay?.speed ?? 1) * factor;
    if (able !== true) return able;
    return speed >= slowest && speed <= fastest
      ? true
      : `×${view.replay?.speed} is the ${factor > 1 ? 'fastest' : 'slowest'}`;
  },
  run: (view) => [act({ type: 'replayed', change: { speed: (view.replay?.speed ?? 1) * factor } })],
});

/** Keys of `ralph-tui replay`. They take precedence over those of the panes. */
export const replayCommands: readonly Command[] = [
  {
    id: 'replay.pause',
    context: 'replay',
    keys: ['space', 'p'],
    label: (view) => (view.replay?.paused ? 'play' : 'pause'),
    description: 'pause or continue the replay',
    group: 'Look',
    inLines: playsThrough,
    footer: 1,
    available: (view) => playable(view),
    run: (view) => [act({ type: 'replayed', change: { paused: !view.replay?.paused } })],
  },
  speeding('faster', ['+', '='], 2),
  speeding('slower', ['-'], 0.5),
  seeking('back', ['left'], 'back 10 s', { by: 'time', ms: -10_000 }, 3),
  seeking('forward', ['right'], 'forward 10 s', { by: 'time', ms: 10_000 }, 3),
  seeking('previous-state', ['{'], 'previous state', { by: 'state', way: -1 }, 4),
  seeking('next-state', ['}'], 'next state', { by: 'state', way: 1 }, 4),
];

const playable = (view: ViewState): true | string =>
  view.replay === null ? 'Only in a replay: ralph-tui replay ID' : true;
