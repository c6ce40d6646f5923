import type { Cancel } from '../base/clock.ts';
import type { SignalLife } from '../pipeline/state.ts';
import type { Checkpoints } from './checkpoint.ts';
import { type Core, orchestrator } from './core.ts';
import type { Snapshots } from './snapshots.ts';

/**
 * Looks into the mailbox between checkpoints: session-level signals cannot wait for a 20-minute command (signals.md, Who checks where), and
 * viewers learn from the journal what lies there and what was taken back. A hint of the file system makes it look at once, the poll makes it sure.
 */
export interface Watch {
  start(): void;
  stop(): void;
  /** Looks now; inside a commit, as soon as that is done. */
  look(): void;
  /** What came of signals whose end this journal does not know: after a restart, and when one disappears. */
  reconcile(stages: ReadonlySet<SignalLife['stage']>): void;
}

const pendingOnly: ReadonlySet<SignalLife['stage']> = new Set<SignalLife['stage']>(['pending']);

/** What the archive of a signal that nobody read says. */
const undelivered = /^undelivered: /;

export const createWatch = (core: Core, checkpoints: Checkpoints, snapshots: Snapshots): Watch => {
  const { loop, mailbox, options } = core;
  let timer: Cancel | null = null;
  let soon: Cancel | null = null;
  let unwatch: (() => void) | null = null;

  const look = (): void => {
    const gate = loop.state().gate?.gate === 'knowledge';
    checkpoints.poll(orchestrator(core), gate ? 'Orchestrator.approval' : 'Orchestrator.watch', false);
    reconcile(pendingOnly);
  };

  const reconcile = (stages: ReadonlySet<SignalLife['stage']>): void => {
    const open = [...loop.state().signals.values()].filter(({ stage }) => stages.has(stage));
    if (open.length === 0) return;
    const peeked = mailbox.peek();
    if (peeked.more || peeked.problem) return;
    const present = new Set(peeked.letters.map(({ id }) => id));
    const missing = open.filter(({ id }) => !present.has(id));
    for (const life of missing) settle(life);
  };

  const settle = (life: SignalLife): void => {
    const { id, file, signal } = life;
    const entry = mailbox.find({ id, file });
    if (entry?.stage === 'pending' || entry?.stage === 'claimed') return;
    const handling = entry?.handling;
    if (!entry)
      loop.commit({ type: 'signal.withdrawn', id, file, signal, by: 'somebody who removed the file' });
    else if (entry.stage === 'rejected')
      loop.commit({ type: 'signal.rejected', id, file, reason: entry.error ?? 'rejected' });
    else if (!handling || handling.action_taken.startsWith('withdrawn'))
      loop.commit({ type: 'signal.withdrawn', id, file, signal, by: handling?.handled_by ?? 'somebody' });
    else if (undelivered.test(handling.action_taken))
      loop.commit({
        type: 'signal.undelivered',
        id,
        file,
        signal,
        reason: handling.action_taken.replace(undelivered, ''),
      });
    else
      loop.commit({
        type: 'signal.handled',
        id,
        file,
        signal,
        handled_by: handling.handled_by,
        checkpoint: handling.checkpoint,
        action_taken: handling.action_taken,
        invocation: handling.invocation,
      });
  };

  const tick = (): void => {
    timer = loop.later(loop.state().settings.signals.poll_interval, tick);
    look();
    snapshots.lookForEdits();
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
