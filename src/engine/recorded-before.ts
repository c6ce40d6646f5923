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

/**
 * Facts by which a command of another program is accepted or refused. A reader of the screen or the log may give that command
 * immediately, so the fact must be in the journal before an observer prints it.
 */
export const decidesCommands: ReadonlySet<EventType> = new Set<EventType>([
  'gate.opened',
  'gate.decided',
  'question.asked',
  'question.answered',
  'hold.begun',
  'hold.ended',
  'state.entered',
  'tasks.defined',
  'task.started',
  'task.submitted',
  'task.qualified',
  'task.failed',
  'task.escalated',
  'task.cancelled',
  'task.reset',
  'task.released',
  'task.replaced',
  'changes.undone',
  'changes.redone',
  'session.stopped',
]);
