import { carries, type MessageWay } from '../../agents/agent-facts.ts';
import { messageOf } from '../../agents/message-of.ts';
import type { InvocationId, Message } from '../../agents/port.ts';
import type { RoleFact } from '../../agents/role-fact.ts';
import type { EventOf } from '../../pipeline/event.ts';
import { actionKind, actionTaken } from '../../signals/action-taken.ts';
import { type CheckpointId, checkpointOf } from '../../signals/checkpoints.ts';
import type { Claim, Consumer } from '../../signals/mailbox.ts';
import type { PendingSignal } from '../../signals/signal.ts';
import { type Decided, formatDecision } from '../../signals/steer-decision.ts';
import { type Core, handlingOf, orchestrator, recipientOf } from '../core.ts';
import { type Broadcasts, partOf } from './broadcasts.ts';
import type { Claims } from './claims.ts';
import { doneFor, keptAsGuidance } from './done-for.ts';
import { unanswered } from './ledger.ts';

/**
 * INFO and STEER on their way into an invocation (src/signals/README.md, rules 7 to 9 and 16), the same for every backend. Nothing is handled before the worker says that a
 * prompt, a command or a request of a model carried it; a STEER also needs its decision. What an invocation did not carry returns to the mailbox when it
 * ends, for the next one, and is undelivered at the session's end.
 */
export interface Deliveries {
  /** Delivers a claimed message. Returns the message for the invocation, or null for the orchestrator, which keeps it as guidance. */
  deliver(claim: Claim, consumer: Consumer, checkpoint: CheckpointId): Message | null;
  /** The consumer's part of a message to ALL. */
  share(pendingSignal: PendingSignal, consumer: Consumer, checkpoint: CheckpointId): Message | null;
  decided(invocation: InvocationId, fact: Extract<RoleFact, { type: 'steer.decided' }>): void;
  /** Records that it reached its reader, and how. Only then the message counts as delivered. */
  arrived(invocation: InvocationId, fact: Extract<RoleFact, { type: 'message.arrived' }>): void;
  /** Records that a request to the agent's model could carry it. */
  carried(invocation: InvocationId, id: string): void;
  /** `ended`: completed, perhaps without answering a STEER; `died`: stopped or failed. */
  over(invocation: InvocationId, how: 'ended' | 'died'): void;
  /** Archives guidance that no later invocation carried, because the session ends. */
  abandonGuidance(): void;
  /** Settles or returns a claim of a dead engine. */
  recovered(claim: Claim): void;
}

interface Waiting {
  readonly pendingSignal: PendingSignal;
  /** `null` for a part of a broadcast. */
  readonly claim: Claim | null;
  readonly consumer: Consumer;
  readonly checkpoint: CheckpointId;
  /** True when its reader has it. */
  arrived: boolean;
  /** How it reached its reader, for `action_taken`. */
  detail?: string;
  /** What its reader made of a STEER, for `action_taken`. */
  decision?: { readonly verdict: Decided | null; readonly action: string };
}

interface Context {
  readonly core: Core;
  readonly claims: Claims;
  readonly broadcasts: Broadcasts;
  /** By signal and invocation: what a reader has, or will soon have, and what is not settled yet. */
  readonly waiting: Map<string, Waiting>;
}

export const createDeliveries = (core: Core, claims: Claims, broadcasts: Broadcasts): Deliveries => {
  const context: Context = { core, claims, broadcasts, waiting: new Map() };
  const { waiting } = context;
  return {
    deliver: (claim, consumer, checkpoint) =>
      hand(context, { pendingSignal: pendingSignalOf(claim), claim, consumer, checkpoint, arrived: false }),
    share: (pendingSignal, consumer, checkpoint) => {
      const recipient = broadcasts.part(pendingSignal, consumer);
      if (!recipient || waiting.has(partOf(pendingSignal.id, consumer))) return null;
      return hand(context, {
        pendingSignal,
        claim: null,
        consumer: { ...consumer, ...recipient },
        checkpoint,
        arrived: false,
      });
    },
    decided: (invocation, fact) => decided(context, invocation, fact),
    arrived: (invocation, fact) => {
      const part = waiting.get(partOf(fact.id, { agent: null, invocation }));
      if (part) {
        if (!part.arrived) arrive(core, part, howArrived(part, fact.way));
        part.detail = fact.detail;
      }
      if (carries(fact.way)) carry(context, invocation, fact.id);
    },
    carried: (invocation, id) => carry(context, invocation, id),
    over: (invocation, how) => over(context, invocation, how),
    abandonGuidance: () => abandonGuidance(context),
    recovered: (claim) => recover(context, claim),
  };
};

const guidanceKey = (id: string): string => partOf(id, { agent: 'Orchestrator', invocation: '' });

const hand = (context: Context, part: Waiting): Message | null => {
  const { core, waiting } = context;
  const { pendingSignal, consumer } = part;
  const { id } = pendingSignal;
  waiting.set(partOf(id, consumer), part);
  if (consumer.agent === 'Orchestrator') {
    // It stands as guidance from now on. What becomes of it depends on the invocations that get it.
    record(core, part);
    if (core.ledger.carried(id)) settleGuidance(context, id);
    return null;
  }
  const before = core.ledger.decision(id, consumer.invocation);
  if (before !== null) part.decision = { verdict: null, action: before };
  if (core.ledger.carried(id, consumer.invocation)) {
    arrive(core, part, howOf(pendingSignal, part.checkpoint));
    carry(context, consumer.invocation, id);
    return null;
  }
  // An invocation that has decided about it before a pause has it already.
  return before === null ? messageOf(pendingSignal) : null;
};

const record = (
  { loop, ledger }: Core,
  { pendingSignal, consumer, checkpoint, claim }: Waiting,
  how: EventOf<'signal.delivered'>['how'] = howOf(pendingSignal, checkpoint),
): void => {
  const recipient = recipientOf(consumer);
  if (!ledger.delivered(pendingSignal.id, recipient))
    loop.commit({
      type: 'signal.delivered',
      id: pendingSignal.id,
      recipient,
      checkpoint,
      how,
      message: messageOf(pendingSignal),
      broadcast: claim === null,
    });
};

const arrive = (core: Core, part: Waiting, how: EventOf<'signal.delivered'>['how']): void => {
  part.arrived = true;
  record(core, part, how);
};

/** An order that had no effect needs no carrier. What was decided before the reader had it waits for that. */
const decided = (
  context: Context,
  invocation: InvocationId,
  fact: Extract<RoleFact, { type: 'steer.decided' }>,
): void => {
  const part = context.waiting.get(partOf(fact.id, { agent: null, invocation }));
  if (!part) return;
  part.decision = { verdict: fact.verdict, action: formatDecision(fact) };
  if (fact.verdict === 'not followed' && !part.arrived) record(context.core, part);
  if (part.arrived || fact.verdict === 'not followed') settleDecided(context, part, part.decision.action);
};

/** Ends the parts that waited for a carrier: this reader's own, and that of the orchestrator. */
const carry = (context: Context, invocation: InvocationId, id: string): void => {
  const part = context.waiting.get(partOf(id, { agent: null, invocation }));
  if (part?.arrived) {
    if (part.decision) settle(context, part, part.decision.action);
    else if (part.pendingSignal.signal.type === 'INFO')
      settle(context, part, `${actionTaken.added} ${part.detail ?? ''}`.trim());
  }
  settleGuidance(context, id);
};

const settleGuidance = (context: Context, id: string): void => {
  const part = context.waiting.get(guidanceKey(id));
  if (part) settle(context, part, keptAsGuidance);
};

const settleDecided = (context: Context, part: Waiting, action: string): void => {
  settle(context, part, action);
  settleGuidance(context, part.pendingSignal.id);
};

/** Ends one recipient's part: archives its claim, or acknowledges its part of the broadcast. */
const settle = (
  { core, claims, broadcasts, waiting }: Context,
  { pendingSignal, claim, consumer, checkpoint }: Waiting,
  action: string,
): void => {
  waiting.delete(partOf(pendingSignal.id, consumer));
  if (claim)
    claims.finish(claim, {
      ...handlingOf(core, consumer, checkpoint, action),
      outcome: actionKind(action) === 'unanswered' ? 'delivered' : 'handled',
    });
  else broadcasts.acknowledge(pendingSignal.id, consumer, checkpoint, action);
};

const over = (context: Context, invocation: InvocationId, how: 'ended' | 'died'): void => {
  const { core, waiting, claims, broadcasts } = context;
  const isOurs = ({ consumer }: Waiting): boolean =>
    consumer.agent !== 'Orchestrator' && consumer.invocation === invocation;
  for (const part of [...waiting.values()].filter(isOurs)) {
    const isOrder = part.pendingSignal.signal.type === 'STEER';
    const action = part.decision?.action;
    if (how === 'ended' && part.arrived && isOrder) settleDecided(context, part, action ?? unanswered);
    else if (part.decision?.verdict === 'escalate' && action && core.ledger.escalated(invocation)) {
      record(core, part);
      settleDecided(context, part, action);
    } else {
      waiting.delete(partOf(part.pendingSignal.id, part.consumer));
      if (part.claim) claims.putBack(part.claim);
    }
  }
  broadcasts.strike(invocation);
};

const abandonGuidance = ({ core, claims, waiting }: Context): void => {
  for (const [key, { claim, consumer, checkpoint }] of waiting) {
    if (consumer.agent !== 'Orchestrator') continue;
    waiting.delete(key);
    if (claim)
      claims.finish(claim, { ...handlingOf(core, consumer, checkpoint, uncarried), outcome: 'undelivered' });
  }
};

const uncarried = 'the session ended before any later invocation read it';

const recover = ({ core, claims, broadcasts }: Context, claim: Claim): void => {
  const action = core.ledger
    .recipients(claim.id)
    .map((recipient) => doneFor(core, claim, recipient))
    .find((text) => text !== null);
  if (broadcasts.isFrozen(claim.id)) broadcasts.recovered(claim);
  else if (action)
    claims.finish(claim, {
      ...handlingOf(core, orchestrator(core), 'Orchestrator.boundary', action),
      outcome: actionKind(action) === 'unanswered' ? 'delivered' : 'handled',
    });
  else claims.putBack(claim);
};

const pendingSignalOf = ({ id, file, signal }: PendingSignal): PendingSignal => ({ id, file, signal });

/** A live agent's way is worth telling. Code reads what the checkpoint gave it. */
const howArrived = (
  { pendingSignal, checkpoint }: Waiting,
  way: MessageWay,
): EventOf<'signal.delivered'>['how'] =>
  way === 'command' || way === 'document' ? howOf(pendingSignal, checkpoint) : way;

const howOf = (pendingSignal: PendingSignal, checkpoint: CheckpointId): 'guidance' | 'tree' | 'context' => {
  const reaction =
    checkpointOf(checkpoint).reactions[pendingSignal.signal.type === 'STEER' ? 'STEER' : 'INFO'];
  if (reaction === 'guide') return 'guidance';
  return reaction === 'tree' || reaction === 're-evaluate' ? 'tree' : 'context';
};
