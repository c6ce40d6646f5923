import type { InvocationId } from '../../agents/port.ts';
import { formatTimestamp } from '../../base/clock.ts';
import { actionTaken } from '../../signals/action-taken.ts';
import type { CheckpointId } from '../../signals/checkpoints.ts';
import type { Broadcast, Claim, Consumer, Recipient } from '../../signals/mailbox.ts';
import type { PendingSignal } from '../../signals/signal.ts';
import { type Core, handlingOf, orchestrator, recipientOf } from '../core.ts';
import type { Backlog } from './backlog.ts';
import { type Claims, isOver } from './claims.ts';
import { doneFor } from './done-for.ts';

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

interface State {
  readonly core: Core;
  readonly claims: Claims;
  /** Ids that are frozen and not archived. Filled by `recover`, so that a checkpoint without broadcasts costs nothing. */
  readonly open: Set<string>;
  /** The parts that are taken and not yet acknowledged on disk. */
  readonly taken: Set<string>;
}

export const createBroadcasts = (core: Core, claims: Claims, backlog: Backlog): Broadcasts => {
  const { mailbox, options } = core;
  const state: State = { core, claims, open: new Set(), taken: new Set() };
  return {
    part: (pendingSignal, consumer) => {
      if (state.taken.has(partOf(pendingSignal.id, consumer))) return null;
      const cast = mailbox.broadcast(pendingSignal.id) ?? mailbox.freeze(pendingSignal, recipientsNow(core));
      state.open.add(pendingSignal.id);
      const mine = cast.recipients.find((recipient) => isUs(recipient, consumer));
      return mine?.state === 'waiting' ? { agent: mine.agent, invocation: mine.invocation } : null;
    },
    acknowledge: (id, { agent, invocation }, checkpoint, action) => {
      const at = formatTimestamp(options.clock);
      const part = partOf(id, { agent, invocation });
      state.taken.add(part);
      backlog.add(() => {
        state.taken.delete(part);
        mailbox.acknowledge(id, { agent, invocation, action, at, checkpoint });
        complete(state, id);
      });
    },
    strike: (invocation) => strikeWhere(state, (recipient) => recipient.invocation === invocation),
    strikeAll: () => strikeWhere(state, () => true),
    isFrozen: (id) => mailbox.broadcast(id) !== null,
    recovered: (claim) => {
      const cast = mailbox.broadcast(claim.id);
      if (!cast || isAwaited(cast)) claims.putBack(claim);
      else archive(state, claim, cast);
    },
    recover: () => {
      for (const { id } of mailbox.broadcasts()) state.open.add(id);
      const living = new Set(recipientsNow(core).map(recipientOf));
      strikeWhere(
        state,
        (recipient) => recipient.agent !== 'Orchestrator' && !living.has(recipientOf(recipient)),
      );
    },
  };
};

const recipientsNow = ({ epoch, loop }: Core): readonly Recipient[] => [
  { agent: 'Orchestrator', invocation: String(epoch) },
  ...[...loop.state().invocations.values()]
    .filter(({ stage }) => stage === 'running' || stage === 'paused')
    .map(({ id, role }) => ({ agent: role, invocation: id })),
];

const isUs = (recipient: Recipient, consumer: Consumer): boolean =>
  recipient.agent === consumer.agent &&
  // The orchestrator stays the same recipient across epochs.
  (recipient.agent === 'Orchestrator' || recipient.invocation === consumer.invocation);

/** Names one reader's part of a message. The orchestrator stays the same reader across epochs. */
export const partOf = (
  id: string,
  { agent, invocation }: { readonly agent: Recipient['agent'] | null; readonly invocation: string },
): string => `${id} ${agent === 'Orchestrator' ? agent : invocation}`;

const strikeWhere = (state: State, ended: (recipient: Recipient) => boolean): void => {
  const { mailbox } = state.core;
  for (const id of [...state.open]) {
    const cast = mailbox.broadcast(id);
    for (const { agent, invocation, state: stage } of cast?.recipients ?? [])
      if (cast && stage === 'waiting' && ended({ agent, invocation }))
        leave(state, cast, { agent, invocation });
    complete(state, id);
  }
};

/** Ends the part of a recipient that takes nothing any more. A dead engine may have left what it took unacknowledged: the journal knows. */
const leave = ({ core, taken }: State, { pendingSignal }: Broadcast, recipient: Recipient): void => {
  const { mailbox, options } = core;
  const { id } = pendingSignal;
  if (taken.has(partOf(id, recipient))) return;
  const action = doneFor(core, pendingSignal, recipientOf(recipient));
  if (action === null) mailbox.strike(id, recipient);
  else
    mailbox.acknowledge(id, {
      ...recipient,
      action,
      at: formatTimestamp(options.clock),
      checkpoint: 'Orchestrator.boundary',
    });
};

const isAwaited = ({ recipients }: Broadcast): boolean => recipients.some(({ state }) => state === 'waiting');

/** Archives a broadcast for which nobody is waited any more. */
const complete = (state: State, id: string): void => {
  const { mailbox } = state.core;
  const cast = mailbox.broadcast(id);
  if (!cast) {
    state.open.delete(id);
    return;
  }
  if (isAwaited(cast)) return;
  const claim = mailbox.claim(cast.pendingSignal);
  if (claim === 'changed') return;
  state.open.delete(id);
  if (claim !== 'lost') archive(state, claim, cast);
};

const archive = ({ core, claims }: State, claim: Claim, { recipients }: Broadcast): void => {
  const life = core.loop.state().signals.get(claim.id);
  // A power loss can take the mark that says it is archived.
  if (isOver(life)) {
    claims.archiveAgain(claim, life);
    return;
  }
  const parts = recipients.map(
    (each) =>
      `${recipientOf(each)}: ${each.state === 'ended' ? actionTaken.ended : (each.action ?? 'taken')}`,
  );
  const acks = recipients.filter(({ state }) => state === 'acked').map(recipientOf);
  const handling = handlingOf(core, orchestrator(core), 'Orchestrator.boundary', parts.join(' · '), acks);
  if (acks.length > 0) claims.finish(claim, handling);
  else
    claims.finish(claim, {
      ...handling,
      outcome: 'undelivered',
      action_taken: 'every recipient ended before reading it',
    });
};
