import type { Brief } from '../../agents/port.ts';
import type { WaitingMail } from '../../agents/waiting-mail.ts';
import type { CheckpointId } from '../../signals/checkpoints.ts';
import { isMessage } from '../../signals/kinds.ts';
import type { Consumer } from '../../signals/mailbox.ts';
import { route } from '../../signals/routing.ts';
import { type Core, recipientOf } from '../core.ts';
import { routingContext } from '../mailbox/routing-context.ts';
import type { Active } from './active.ts';

/** Notifies agents that accept messages while they work of waiting mail. They take it at their next boundary. */
export const noticeMail = (core: Core, actives: Iterable<Active>): void => {
  for (const active of actives) {
    const { worker, boundary, brief } = active;
    if (!worker?.notice || boundary === null || active.stop !== null || active.over) continue;
    const mail = waitingMail(core, consumerOf(brief), boundary);
    if (mail) worker.notice(mail);
  }
};

/** An invocation as a consumer of the mailbox. */
export const consumerOf = (brief: Brief): Consumer => ({
  agent: brief.role,
  invocation: brief.invocation,
  task: brief.task?.id ?? null,
  worker: brief.worker ?? null,
});

/** The mail that waits for this consumer, without taking it. `null` when there is none. During a hold none is taken, and the worker hears of the hold. */
const waitingMail = (core: Core, consumer: Consumer, checkpoint: CheckpointId): WaitingMail | null => {
  const state = core.loop.state();
  if (state.hold) return { steer: false, now: false, held: state.hold.since };
  const context = routingContext(state);
  const found = core.mailbox.peek().pendingSignals.filter((pendingSignal) => {
    const { type } = pendingSignal.signal;
    const life = state.signals.get(pendingSignal.id);
    if (!isMessage(type)) return false;
    const { kind } = route(pendingSignal, consumer, checkpoint, context);
    // A broadcast stays until all recipients have taken their part, so this consumer may have one left.
    return kind === 'take' || (kind === 'share' && !life?.recipients.has(recipientOf(consumer)));
  });
  if (found.length === 0) return null;
  const steers = found.filter(({ signal }) => signal.type === 'STEER');
  return { steer: steers.length > 0, now: steers.some(({ signal }) => signal.now === true) };
};
