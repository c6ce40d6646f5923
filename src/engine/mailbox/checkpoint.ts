import type { Message } from '../../agents/port.ts';
import type { SessionState, SignalLife } from '../../pipeline/state.ts';
import type { CheckpointId } from '../../signals/checkpoints.ts';
import { isMessage } from '../../signals/kinds.ts';
import { manyPending } from '../../signals/mailbox/peek.ts';
import type { Consumer, Peeked, Routing } from '../../signals/mailbox.ts';
import { route, takenNow } from '../../signals/routing.ts';
import type { PendingSignal } from '../../signals/signal.ts';
import { type Core, handlingOf, orchestrator } from '../core.ts';
import { type Claims, isOver } from './claims.ts';
import type { Deliveries } from './deliveries.ts';
import { followGuidance } from './follow-guidance.ts';
import { guarded } from './guarded.ts';
import { claimedElsewhere, crowded } from './mailbox-problems.ts';
import { authorOf } from './reaction.ts';
import { routingContext } from './routing-context.ts';
import type { SessionSignals } from './session-signals.ts';

/**
 * A look into the mailbox on behalf of one consumer (seed 001, section 2; src/signals/README.md). Takes and acts
 * on signals for it or for the whole session. Leaves the rest, and records what each one waits for.
 */
export interface Checkpoints {
  /**
   * Returns the messages for the consumer. `announce`: commits `checkpoint.reached` before the look, so that a
   * person who sees it can still send a signal. Otherwise it is committed only when there is something to act on.
   */
  poll(consumer: Consumer, checkpoint: CheckpointId, announce: boolean): readonly Message[];
  /** Recovers claims of a dead owner. Takes `remote` ones only when a person agreed (rule 10), and otherwise reports them. */
  recover(takeOver: boolean): void;
}

interface CheckpointPorts {
  readonly core: Core;
  readonly claims: Claims;
  readonly deliveries: Deliveries;
  readonly orders: SessionSignals;
  /** Schedules another look soon: some names were left unread. */
  readonly again: () => void;
}

export const createCheckpoints = (ports: CheckpointPorts): Checkpoints => {
  const look: Look = { ...ports, room: Number.POSITIVE_INFINITY };
  const { core, claims, orders } = ports;
  return {
    poll: (consumer, checkpoint, announce) => {
      const place: Place = { consumer, checkpoint, reach: announcer(core, consumer, checkpoint) };
      if (announce) place.reach();
      if (!core.loop.isOpen()) return [];
      followGuidance(core);
      claims.retry();
      orders.retry();
      const peeked = core.mailbox.peek();
      guarded(core, () => tidy(look, peeked));
      if (peeked.claimed) guarded(core, () => recover(look, false));
      look.room =
        peeked.pending < manyPending ? Number.POSITIVE_INFINITY : manyPending - waitingIn(core.loop.state());
      return peeked.pendingSignals.flatMap(
        (pendingSignal) => guarded(core, () => consider(look, pendingSignal, place)) ?? [],
      );
    },
    recover: (takeOver) => {
      const left = recover(look, takeOver);
      if (left > 0) core.problem(claimedElsewhere(left));
    },
  };
};

interface Look extends CheckpointPorts {
  /** How many more waiting signals are recorded one by one. In a flood each would cost as much as all before it. */
  room: number;
}

/** The consumer that looks, and its checkpoint. */
interface Place {
  readonly consumer: Consumer;
  readonly checkpoint: CheckpointId;
  /** Announces the checkpoint once, before the first action. */
  readonly reach: () => void;
}

const announcer = (core: Core, consumer: Consumer, checkpoint: CheckpointId): (() => void) => {
  let announced = false;
  return () => {
    if (announced) return;
    announced = true;
    core.loop.commit({
      type: 'checkpoint.reached',
      agent: consumer.agent,
      checkpoint,
      invocation: consumer.agent === 'Orchestrator' ? null : consumer.invocation,
    });
  };
};

/** Routes one pending signal for the consumer and acts on it. */
const consider = (look: Look, pendingSignal: PendingSignal, place: Place): Message | null => {
  const { core, claims, deliveries } = look;
  const { loop, mailbox } = core;
  const { consumer, checkpoint, reach } = place;
  const life = loop.state().signals.get(pendingSignal.id);
  if (isOver(life)) {
    const claim = mailbox.claim(pendingSignal);
    if (typeof claim !== 'string') claims.archiveAgain(claim, life);
    return null;
  }
  // Its effect is already recorded, and a power loss restored its file. Only the archive is missing, even if no consumer would take it now.
  if (!isMessage(pendingSignal.signal.type) && core.ledger.caused(pendingSignal.id))
    return take(look, pendingSignal, place);
  const routing = route(pendingSignal, consumer, checkpoint, routingContext(loop.state()));
  switch (routing.kind) {
    case 'leave':
    case 'unproven':
      leave(look, pendingSignal, life, routing);
      return null;
    case 'take':
      reach();
      return take(look, pendingSignal, place);
    case 'share':
      reach();
      pending(core, pendingSignal, takenNow);
      return deliveries.share(pendingSignal, consumer, checkpoint);
    case 'archive':
      reach();
      archive(look, pendingSignal, place, routing);
      return null;
    case 'reject':
      pending(core, pendingSignal, takenNow);
      reject(core, pendingSignal, routing.reason);
      return null;
  }
};

/**
 * Records what the signal waits for, and that a message queues while the session is held. In a flood only the first files of nobody known are
 * asked about.
 */
const leave = (
  look: Look,
  pendingSignal: PendingSignal,
  life: SignalLife | undefined,
  routing: Extract<Routing, { kind: 'leave' | 'unproven' }>,
): void => {
  const { loop } = look.core;
  const endsHold = routing.kind === 'leave' && routing.endsHold === true;
  if (!life && look.room <= 0 && !endsHold) return;
  if (!life) look.room -= 1;
  pending(look.core, pendingSignal, routing.waitsFor, routing.kind === 'unproven');
  const { id } = pendingSignal;
  if (!loop.state().hold) return;
  if (isMessage(pendingSignal.signal.type) && !loop.state().signals.get(id)?.queued)
    loop.commit({ type: 'signal.queued', id, reason: routing.waitsFor });
  if (endsHold) loop.commit({ type: 'hold.ended', signal: id, by: authorOf(pendingSignal) });
};

const pending = ({ loop }: Core, pendingSignal: PendingSignal, waitsFor: string, asks = false): void => {
  const life = loop.state().signals.get(pendingSignal.id);
  if (life?.stage === 'pending' && life.waitsFor === waitsFor) return;
  if (life && life.stage !== 'pending') return;
  const { id, file, signal } = pendingSignal;
  loop.commit({
    type: 'signal.pending',
    pending: { id, file, signal },
    waits_for: waitsFor,
    ...(asks ? { unproven: true } : {}),
  });
};

/** Claims the signal for the consumer. Delivers a message, executes any other signal. */
const take = (
  { core, deliveries, orders }: Look,
  pendingSignal: PendingSignal,
  { consumer, checkpoint }: Place,
): Message | null => {
  const claim = core.mailbox.claim(pendingSignal);
  if (typeof claim === 'string') return null;
  pending(core, pendingSignal, takenNow);
  const ours = core.loop.commit({
    type: 'signal.claimed',
    id: claim.id,
    file: claim.file,
    signal: claim.signal,
    by: `Ralph-v2-${consumer.agent}`,
    checkpoint,
  });
  // The new owner of the session finds the claim and sees that we are gone.
  if (!ours) return null;
  if (isMessage(claim.signal.type)) return deliveries.deliver(claim, consumer, checkpoint);
  orders.act(claim, consumer, checkpoint);
  return null;
};

const archive = (
  { core, claims }: Look,
  pendingSignal: PendingSignal,
  { consumer, checkpoint }: Place,
  { action, outcome }: Extract<Routing, { kind: 'archive' }>,
): void => {
  const claim = core.mailbox.claim(pendingSignal);
  if (typeof claim === 'string') return;
  pending(core, pendingSignal, takenNow);
  claims.finish(claim, { ...handlingOf(core, consumer, checkpoint, action), outcome });
};

const reject = ({ loop, mailbox }: Core, { id, file }: PendingSignal, reason: string): void => {
  if (!loop.flush()) return;
  mailbox.reject(file, reason);
  loop.commit({ type: 'signal.rejected', id, file, reason });
};

const tidy = ({ core, again }: Look, peeked: Peeked): void => {
  if (peeked.problem) core.problem(peeked.problem);
  for (const { file, reason } of peeked.spoiled) {
    core.mailbox.reject(file, reason);
    core.loop.commit({ type: 'signal.rejected', id: null, file, reason });
  }
  if (peeked.pending >= manyPending) core.problem(crowded);
  if (peeked.more) again();
};

/** Takes over claims of dead owners. Returns the number of claims whose owners cannot be checked. */
const recover = ({ core, claims, deliveries, orders }: Look, takeOver: boolean): number => {
  const { loop, mailbox, ledger } = core;
  const { claims: taken, remote } = mailbox.recover({ takeOver, engines: ledger.engines() });
  for (const claim of taken) {
    // The claim may be on disk without its journal line.
    if (!loop.state().signals.has(claim.id)) pending(core, claim, takenNow);
    const life = loop.state().signals.get(claim.id);
    if (isOver(life)) claims.archiveAgain(claim, life);
    else if (isMessage(claim.signal.type)) deliveries.recovered(claim);
    else if (ledger.caused(claim.id)) orders.act(claim, orchestrator(core), 'Orchestrator.boundary');
    // It had no effect yet, and its claim may come from a withdrawal. It waits its turn like any other.
    else claims.putBack(claim);
  }
  return remote.length;
};

const waitingIn = ({ signals }: SessionState): number =>
  [...signals.values()].filter(({ stage }) => stage === 'pending').length;
