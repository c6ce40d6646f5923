import type { Message } from '../agents/port.ts';
import { type Fault, FaultError } from '../base/fault.ts';
import type { SessionState } from '../pipeline/state.ts';
import { type CheckpointId, checkpointOf } from '../signals/checkpoints.ts';
import type { Consumer, Peeked, Routing } from '../signals/mailbox.ts';
import { manyPending, mostPending } from '../signals/peek.ts';
import { route } from '../signals/routing.ts';
import type { Letter } from '../signals/signal.ts';
import { authorOf } from './act.ts';
import { type Claims, isOver } from './claims.ts';
import { type Core, handlingOf, orchestrator } from './core.ts';
import type { Deliveries } from './deliveries.ts';
import type { Orders } from './orders.ts';
import { routingContext } from './routing-context.ts';

/**
 * A look into the mailbox on behalf of one consumer (seed 001, section 2; signals.md): whatever is for it, or for the session as a whole, is taken
 * and acted on; the rest is left for whom it is for, and said to wait for them.
 */
export interface Checkpoints {
  /**
   * What the consumer is told. `announce`: `checkpoint.reached` is committed before the look, so that whoever sees it can still drop a signal;
   * quietly, it is committed only when there is something to act on.
   */
  poll(consumer: Consumer, checkpoint: CheckpointId, announce: boolean): readonly Message[];
  /** Claims that a dead owner left; `remote` ones only when a person said so (rule 10), otherwise it is said that they are there. */
  recover(takeOver: boolean): void;
}

export interface CheckpointPorts {
  readonly core: Core;
  readonly claims: Claims;
  readonly deliveries: Deliveries;
  readonly orders: Orders;
  /** Look again soon: names were left unread. */
  readonly again: () => void;
}

export const createCheckpoints = (ports: CheckpointPorts): Checkpoints => {
  const { core, claims, deliveries, orders } = ports;
  const { loop, mailbox } = core;
  /** How many more waiting signals become known one by one: in a flood each of them would cost as much as all before it. */
  let room = Number.POSITIVE_INFINITY;

  const pending = (letter: Letter, waitsFor: string): void => {
    const life = loop.state().signals.get(letter.id);
    if (life?.stage === 'pending' && life.waitsFor === waitsFor) return;
    if (life && life.stage !== 'pending') return;
    loop.commit({ type: 'signal.pending', letter: plain(letter), waits_for: waitsFor });
  };

  const queue = (letter: Letter, reason: string): void => {
    if (!isMessage(letter) || !loop.state().hold) return;
    if (!loop.state().signals.get(letter.id)?.queued)
      loop.commit({ type: 'signal.queued', id: letter.id, reason });
  };

  const take = (letter: Letter, consumer: Consumer, checkpoint: CheckpointId): Message | null => {
    const claim = mailbox.claim(letter);
    if (typeof claim === 'string') return null;
    pending(letter, checkpointOf(checkpoint).where);
    const by = `Ralph-v2-${consumer.agent}`;
    const ours = loop.commit({
      type: 'signal.claimed',
      id: claim.id,
      file: claim.file,
      signal: claim.signal,
      by,
      checkpoint,
    });
    // Whoever runs the session now finds the claim, and knows that we are gone.
    if (!ours) return null;
    if (isMessage(claim)) return deliveries.deliver(claim, consumer, checkpoint);
    orders.act(claim, consumer, checkpoint);
    return null;
  };

  const archive = (
    letter: Letter,
    consumer: Consumer,
    checkpoint: CheckpointId,
    { action, undelivered }: Extract<Routing, { kind: 'archive' }>,
  ): void => {
    const claim = mailbox.claim(letter);
    if (typeof claim === 'string') return;
    pending(letter, checkpointOf(checkpoint).where);
    const end = undelivered ? claims.undelivered : claims.finish;
    end(claim, handlingOf(core, consumer, checkpoint, action));
  };

  /** What one letter comes to for this consumer. `reach` announces the checkpoint before anything is acted on. */
  const consider = (
    letter: Letter,
    consumer: Consumer,
    checkpoint: CheckpointId,
    reach: () => void,
  ): Message | null => {
    const life = loop.state().signals.get(letter.id);
    if (isOver(life)) {
      const claim = mailbox.claim(letter);
      if (typeof claim !== 'string') claims.bury(claim, life);
      return null;
    }
    // What it asked for is done, and a power loss put its file back: only its archive is missing, also when nobody would take it now.
    if (!isMessage(letter) && core.ledger.caused(letter.id)) return take(letter, consumer, checkpoint);
    const routing = route(letter, consumer, checkpoint, routingContext(loop.state()));
    switch (routing.kind) {
      case 'leave':
        if (!life && room <= 0 && !routing.endsHold) return null;
        if (!life) room -= 1;
        pending(letter, routing.waitsFor);
        queue(letter, routing.waitsFor);
        if (routing.endsHold && loop.state().hold)
          loop.commit({ type: 'hold.ended', signal: letter.id, by: authorOf(letter) });
        return null;
      case 'take':
      case 'share':
        reach();
        if (routing.kind === 'take') return take(letter, consumer, checkpoint);
        pending(letter, checkpointOf(checkpoint).where);
        return deliveries.share(letter, consumer, checkpoint);
      case 'archive':
        reach();
        archive(letter, consumer, checkpoint, routing);
        return null;
      case 'reject':
        pending(letter, checkpointOf(checkpoint).where);
        if (!loop.flush()) return null;
        mailbox.reject(letter.file, routing.reason);
        loop.commit({
          type: 'signal.rejected',
          id: letter.id,
          file: letter.file,
          reason: routing.reason,
        });
        return null;
    }
  };

  /** A mailbox that fails for one signal is a problem to show; the signal stays where it is and the others go on. */
  const guarded = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      core.problem(error.fault);
      return null;
    }
  };

  const tidy = (peeked: Peeked): void => {
    if (peeked.problem) core.problem(peeked.problem);
    for (const { file, reason } of peeked.spoiled) {
      mailbox.reject(file, reason);
      loop.commit({ type: 'signal.rejected', id: null, file, reason });
    }
    if (peeked.pending >= manyPending) core.problem(crowded);
    if (peeked.more) ports.again();
  };

  /** How many claims are left to owners that nobody can judge. */
  const recover = (takeOver: boolean): number => {
    const { claims: taken, remote } = mailbox.recover({ takeOver, engines: core.ledger.engines() });
    for (const claim of taken) {
      // Its claim may have come to the disk, and the line that tells of it not.
      if (!loop.state().signals.has(claim.id)) pending(claim, checkpointOf('Orchestrator.boundary').where);
      const life = loop.state().signals.get(claim.id);
      if (isOver(life)) claims.bury(claim, life);
      else if (isMessage(claim)) deliveries.recovered(claim);
      else if (core.ledger.caused(claim.id)) orders.act(claim, orchestrator(core), 'Orchestrator.boundary');
      // Nothing came of it yet, and whoever claimed it may have wanted to take it back: it waits for its time like any other.
      else claims.putBack(claim);
    }
    return remote.length;
  };

  return {
    poll: (consumer, checkpoint, announce) => {
      let announced = false;
      const reach = (): void => {
        if (announced) return;
        announced = true;
        loop.commit({
          type: 'checkpoint.reached',
          agent: consumer.agent,
          checkpoint,
          invocation: consumer.agent === 'Orchestrator' ? null : consumer.invocation,
        });
      };
      if (announce) reach();
      if (!loop.isOpen()) return [];
      claims.retry();
      orders.retry();
      const peeked = mailbox.peek();
      guarded(() => tidy(peeked));
      if (peeked.claimed) guarded(() => recover(false));
      room = peeked.pending < manyPending ? Number.POSITIVE_INFINITY : manyPending - waitingIn(loop.state());
      return peeked.letters.flatMap(
        (letter) => guarded(() => consider(letter, consumer, checkpoint, reach)) ?? [],
      );
    },
    recover: (takeOver) => {
      const left = recover(takeOver);
      if (left > 0) core.problem(claimedElsewhere(left));
    },
  };
};

const waitingIn = ({ signals }: SessionState): number =>
  [...signals.values()].filter(({ stage }) => stage === 'pending').length;

/** Said because a person should know that something floods the mailbox (rule 12). */
const crowded: Fault = {
  code: 'mailbox-crowded',
  what: `${manyPending} signals and more are pending; from ${mostPending} on new ones are refused`,
  where: 'signals/inputs',
  mend: 'find out what writes them, or withdraw them',
};

/** Said at the start: a command that another machine still works on has its claim for a moment only, and otherwise nobody would ever take it. */
const claimedElsewhere = (count: number): Fault => ({
  code: 'claims-remote',
  what: `${count === 1 ? 'a signal is' : `${count} signals are`} claimed by a program of another boot, container or machine, and nothing here can tell whether that still runs`,
  where: 'signals/claimed',
  mend: 'stop the session and resume it with --take-over when it does not',
});

const isMessage = (letter: Letter): boolean =>
  letter.signal.type === 'INFO' || letter.signal.type === 'STEER';

const plain = ({ id, file, signal }: Letter): Letter => ({ id, file, signal });
