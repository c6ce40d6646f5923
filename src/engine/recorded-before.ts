import type { Effect } from '../pipeline/effect.ts';
import type { EventType } from '../pipeline/event.ts';

/**
 * How safely the reason of an effect is recorded before the effect runs. Timers are invisible outside. Later
 * snapshots and the archiving of undeliverable messages flush by themselves. A power loss also ends a started agent,
 * so the operating system suffices; the flush follows within 100 ms. Every other change outside is permanent.
 */
export const recordedBefore = (effect: Effect): 'nowhere' | 'written' | 'flushed' => {
  if (effect.type === 'arm-timer' || effect.type === 'disarm-timer') return 'nowhere';
  if (effect.type === 'write-snapshots' && !effect.now) return 'nowhere';
  if (effect.type === 'sweep-signals' && effect.why === 'task-settled') return 'nowhere';
  return effect.type === 'invoke-agent' ? 'written' : 'flushed';
};

/** Facts that a person may act on from another program at once: it must find them in the journal when an observer has printed them. */
export const waitsForPerson: ReadonlySet<EventType> = new Set<EventType>([
  'gate.opened',
  'question.asked',
  'hold.begun',
]);
