import type { Cancel } from '../../base/clock.ts';
import type { SignalLife } from '../../pipeline/state.ts';
import { type Core, orchestrator } from '../core.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import { archivedAs } from './archived-as.ts';
import type { Checkpoints } from './checkpoint.ts';

/**
 * Looks into the mailbox between checkpoints: session-level signals cannot wait for a 20-minute command (src/signals/README.md, Checkpoints).
 * Viewers learn from the journal about pending and withdrawn signals. A hint of the file system makes it fast, the poll makes it sure.
 */
export interface Watch {
  start(): void;
  stop(): void;
  /** Looks now, or right after the current commit. */
  look(): void;
  /** Records the outcome of signals that were handled elsewhere: after a restart, and when a file disappears. */
  reconcile(): void;
}

/** A power loss may bring the file of a signal back that was claimed or delivered: it can be taken back again. */
const unsettled: ReadonlySet<SignalLife['stage']> = new Set<SignalLife['stage']>([
  'pending',
  'claimed',
  'delivered',
]);

/** `notice` runs after each look and notifies working agents of waiting mail. */
export const createWatch = (
  core: Core,
  checkpoints: Checkpoints,
  snapshots: Snapshots,
  notice: () => void,
): Watch => {
  const { loop, mailbox, options } = core;
  let timer: Cancel | null = null;
  let soon: Cancel | null = null;
  let unwatch: (() => void) | null = null;

  const look = (): void => {
    const gate = loop.state().gate?.gate === 'knowledge';
    checkpoints.poll(orchestrator(core), gate ? 'Orchestrator.approval' : 'Orchestrator.watch', false);
    reconcile();
    notice();
  };

  const reconcile = (): void => {
    const open = [...loop.state().signals.values()].filter(({ stage }) => unsettled.has(stage));
    if (open.length === 0) return;
    const peeked = mailbox.peek();
    if (peeked.more || peeked.problem) return;
    const present = new Set(peeked.pendingSignals.map(({ id }) => id));
    // Thousands may be held for an agent that works: where they are is asked once, not for each.
    const held = mailbox.held();
    const missing = open.filter(({ id }) => !present.has(id) && !held.has(id));
    for (const life of missing) settle(life);
  };

  const settle = (life: SignalLife): void => {
    const { id, file, signal } = life;
    const entry = mailbox.find({ id, file });
    if (entry?.stage === 'pending' || entry?.stage === 'claimed') return;
    const handling = entry?.handling;
    if (!entry)
      loop.commit({ type: 'signal.withdrawn', id, file, signal, by: 'someone who removed the file' });
    else if (entry.stage === 'rejected')
      loop.commit({ type: 'signal.rejected', id, file, reason: entry.error ?? 'rejected' });
    else if (!handling) loop.commit({ type: 'signal.withdrawn', id, file, signal, by: 'someone' });
    else loop.commit(archivedAs({ id, file, signal }, handling));
  };

  const tick = (): void => {
    timer = loop.later(loop.state().settings.signals.poll_interval, tick);
    look();
    snapshots.lookForEdits();
    core.shadow.grow();
  };

  const hint = (): void => {
    soon ??= loop.later(0, () => {
      soon = null;
      look();
    });
  };

  return {
    start: () => {
      tick();
      unwatch = options.watchMailbox?.(`${options.paths.signals}/inputs`, hint) ?? null;
    },
    stop: () => {
      timer?.();
      soon?.();
      unwatch?.();
      timer = soon = unwatch = null;
    },
    look: hint,
    reconcile,
  };
};
