import type { InvocationId } from '../../agents/port.ts';
import { formatTimestamp } from '../../base/clock.ts';
import type { CheckpointId } from '../../signals/checkpoints.ts';
import type { Broadcast, Claim, Consumer, Recipient } from '../../signals/mailbox.ts';
import type { PendingSignal } from '../../signals/signal.ts';
import { type Core, handlingOf, orchestrator, recipientOf } from '../core.ts';
import { type Claims, isOver } from './claims.ts';

/**
 * INFO and STEER to ALL (src/signals/README.md, rule 8). The list of recipients is frozen at first sight,
 * and each takes the message once. The orchestrator archives it when all have taken it.
 */
export interface Broadcasts {
  /** The consumer's own part while it waits; null when it has none. Freezes the recipients at first sight. */
  part(pendingSignal: PendingSignal, consumer: Consumer): Recipient | null;
  acknowledge(id: string, recipient: Recipient, checkpoint: CheckpointId, action: string): void;
  /** Strikes an invocation that can take nothing any more. */
  strike(invocation: InvocationId): void;
  /** Strikes all recipients, because the session ends. */
  strikeAll(): void;
  isFrozen(id: string): boolean;
  recovered(claim: Claim): void;
  /** After a restart: strikes dead recipients and archives complete broadcasts. */
  recover(): void;
}

export const createBroadcasts = (core: Core, claims: Claims): Broadcasts => {
  const { mailbox, loop } = core;
  /** Ids that are frozen and not archived. Filled by `recover`, so that a checkpoint without broadcasts costs nothing. */
  const open = new Set<string>();

  const isUs = (recipient: Recipient, consumer: Consumer): boolean =>
    recipient.agent === consumer.agent &&
    // The orchestrator stays the same recipient across epochs.
    (recipient.agent === 'Orchestrator' || recipient.invocation === consumer.invocation);

  const archive = (claim: Claim, cast: Broadcast): void => {
    const life = loop.state().signals.get(claim.id);
    // A power loss can take the mark that says it is archived.
    if (isOver(life)) {
      claims.archiveAgain(claim, life);
      return;
    }
    const parts = cast.recipients.map(
      (each) =>
        `${recipientOf(each)}: ${each.state === 'ended' ? 'ended before it read this' : (each.action ?? 'taken')}`,
    );
    const acks = cast.recipients.filter(({ state }) => state === 'acked').map(recipientOf);
    const handling = handlingOf(core, orchestrator(core), 'Orchestrator.boundary', parts.join(' · '), acks);
    if (acks.length > 0) claims.finish(claim, handling);
    else
      claims.finish(claim, {
        ...handling,
        outcome: 'undelivered',
        action_taken: 'every recipient ended first',
      });
  };

  const complete = (id: string): void => {
    const cast = mailbox.broadcast(id);
    if (!cast) {
      open.delete(id);
      return;
    }
    if (cast.recipients.some(({ state }) => state === 'waiting')) return;
    const claim = mailbox.claim(cast.pendingSignal);
    if (claim === 'changed') return;
    open.delete(id);
    if (claim !== 'lost') archive(claim, cast);
  };

  const strikeWhere = (ended: (recipient: Recipient) => boolean): void => {
    for (const id of [...open]) {
      for (const { agent, invocation, state } of mailbox.broadcast(id)?.recipients ?? [])
        if (state === 'waiting' && ended({ agent, invocation })) mailbox.strike(id, { agent, invocation });
      complete(id);
    }
  };

  const recipientsNow = (): readonly Recipient[] => [
    { agent: 'Orchestrator', invocation: String(core.epoch) },
    ...[...loop.state().invocations.values()]
      .filter(({ stage }) => stage === 'running' || stage === 'paused')
      .map(({ id, role }) => ({ agent: role, invocation: id })),
  ];

  return {
    part: (pendingSignal, consumer) => {
      const cast = mailbox.broadcast(pendingSignal.id) ?? mailbox.freeze(pendingSignal, recipientsNow());
      open.add(pendingSignal.id);
      const mine = cast.recipients.find((recipient) => isUs(recipient, consumer));
      return mine?.state === 'waiting' ? { agent: mine.agent, invocation: mine.invocation } : null;
    },
    acknowledge: (id, { agent, invocation }, checkpoint, action) => {
      if (!loop.flush()) return;
      mailbox.acknowledge(id, {
        agent,
        invocation,
        action,
        at: formatTimestamp(core.options.clock),
        checkpoint,
      });
      complete(id);
    },
    strike: (invocation) => strikeWhere((recipient) => recipient.invocation === invocation),
    strikeAll: () => strikeWhere(() => true),
    isFrozen: (id) => mailbox.broadcast(id) !== null,
    recovered: (claim) => {
      const cast = mailbox.broadcast(claim.id);
      if (!cast || cast.recipients.some(({ state }) => state === 'waiting')) claims.putBack(claim);
      else archive(claim, cast);
    },
    recover: () => {
      for (const { id } of mailbox.broadcasts()) open.add(id);
      const living = new Set(recipientsNow().map(recipientOf));
      strikeWhere((recipient) => recipient.agent !== 'Orchestrator' && !living.has(recipientOf(recipient)));
    },
  };
};
