import { messageOf } from '../../agents/message-of.ts';
import type { InvocationId, Message } from '../../agents/port.ts';
import type { RoleFact } from '../../agents/role-fact.ts';
import type { EventOf } from '../../pipeline/event.ts';
import { type CheckpointId, checkpointOf } from '../../signals/checkpoints.ts';
import type { Claim, Consumer } from '../../signals/mailbox.ts';
import type { PendingSignal } from '../../signals/signal.ts';
import { formatDecision } from '../../signals/steer-decision.ts';
import { type Core, handlingOf, orchestrator, recipientOf } from '../core.ts';
import type { Broadcasts } from './broadcasts.ts';
import type { Claims } from './claims.ts';
import { isUnanswered, unanswered } from './ledger.ts';

/**
 * INFO and STEER on their way into an invocation (src/signals/README.md, rules 7 to 9). An INFO is handled when it has added to the context: with a live agent
 * that is when a request to its model could carry it. A STEER is handled when the invocation reports its decision; without one it was delivered.
 * When the recipient ends before that, an INFO returns to the mailbox, and so does a STEER whose recipient died.
 */
export interface Deliveries {
  /** Delivers a claimed message. Returns the message for the invocation, or null for the orchestrator, which keeps it as guidance. */
  deliver(claim: Claim, consumer: Consumer, checkpoint: CheckpointId): Message | null;
  /** The consumer's part of a message to ALL. */
  share(pendingSignal: PendingSignal, consumer: Consumer, checkpoint: CheckpointId): Message | null;
  decided(invocation: InvocationId, fact: Extract<RoleFact, { type: 'steer.decided' }>): void;
  /** Records that it reached the agent, and how. A live agent reports this itself; only then the message counts as delivered. */
  arrived(invocation: InvocationId, fact: Extract<RoleFact, { type: 'message.arrived' }>): void;
  /** Records that a request to the agent's model could carry it. */
  carried(invocation: InvocationId, id: string): void;
  /** `ended`: completed without answering a STEER; `died`: stopped or failed. */
  over(invocation: InvocationId, how: 'ended' | 'died'): void;
  /** Settles or returns a claim of a dead engine. */
  recovered(claim: Claim): void;
}

interface Waiting {
  readonly pendingSignal: PendingSignal;
  /** `null` for a part of a broadcast. */
  readonly claim: Claim | null;
  readonly consumer: Consumer;
  readonly checkpoint: CheckpointId;
  /** True when the agent has it; `false` until a live agent confirms it. */
  arrived: boolean;
  /** How it reached a live agent, for `action_taken`. */
  detail?: string;
}

const keptAsGuidance = 'kept as guidance for later invocations';

interface Context {
  readonly core: Core;
  readonly claims: Claims;
  readonly broadcasts: Broadcasts;
  /** By signal and invocation: what an agent has, or will soon have, and what is not settled yet. */
  readonly waiting: Map<string, Waiting>;
}

export const createDeliveries = (core: Core, claims: Claims, broadcasts: Broadcasts): Deliveries => {
  const context: Context = { core, claims, broadcasts, waiting: new Map() };
  const { waiting } = context;
  return {
    deliver: (claim, consumer, checkpoint) =>
      hand(context, { pendingSignal: pendingSignalOf(claim), claim, consumer, checkpoint, arrived: true }),
    share: (pendingSignal, consumer, checkpoint) => {
      const recipient = broadcasts.part(pendingSignal, consumer);
      if (!recipient || waiting.has(keyOf(pendingSignal.id, recipient.invocation))) return null;
      return hand(context, {
        pendingSignal,
        claim: null,
        consumer: { ...consumer, ...recipient },
        checkpoint,
        arrived: true,
      });
    },
    decided: (invocation, fact) => {
      const part = waiting.get(keyOf(fact.id, invocation));
      if (!part) return;
      waiting.delete(keyOf(fact.id, invocation));
      if (!part.arrived) arrive(core, part, 'context');
      settle(context, part, formatDecision(fact));
    },
    arrived: (invocation, fact) => {
      const part = waiting.get(keyOf(fact.id, invocation));
      if (!part) return;
      if (!part.arrived) arrive(core, part, fact.way);
      part.detail = fact.detail;
      // The sign that showed the agent's prompt came of a request with it.
      if (fact.way === 'prompt') carry(context, invocation, fact.id);
    },
    carried: (invocation, id) => carry(context, invocation, id),
    over: (invocation, how) => over(context, invocation, how),
    recovered: (claim) => recover(context, claim),
  };
};

const keyOf = (id: string, invocation: string): string => `${id} ${invocation}`;

const hand = (context: Context, part: Waiting): Message | null => {
  const { core, waiting } = context;
  const { pendingSignal, consumer } = part;
  const before = core.ledger.decision(pendingSignal.id, consumer.invocation);
  if (before === null && isLive(core, consumer)) {
    // It may still miss its agent. The delivery is recorded when the agent confirms it.
    waiting.set(keyOf(pendingSignal.id, consumer.invocation), { ...part, arrived: false });
    return messageOf(pendingSignal);
  }
  const message = record(core, part);
  if (consumer.agent === 'Orchestrator') settle(context, part, keptAsGuidance);
  else if (before !== null) settle(context, part, before);
  else if (pendingSignal.signal.type === 'INFO') settle(context, part, 'added to the context');
  else waiting.set(keyOf(pendingSignal.id, consumer.invocation), part);
  return consumer.agent === 'Orchestrator' || before !== null ? null : message;
};

/** True for an agent that says when a message has reached it: with a prompt, or while it works. */
const isLive = ({ loop, options }: Core, { agent, invocation }: Consumer): boolean => {
  const known = agent === 'Orchestrator' ? undefined : loop.state().invocations.get(invocation);
  if (known === undefined) return false;
  const backend = options.backends.find(({ name }) => name === known.backend);
  return known.agent !== null || backend?.model?.asks === true;
};

const record = (
  { loop, ledger }: Core,
  { pendingSignal, consumer, checkpoint, claim }: Waiting,
  how: EventOf<'signal.delivered'>['how'] = howOf(pendingSignal, checkpoint),
): Message => {
  const message = messageOf(pendingSignal);
  const recipient = recipientOf(consumer);
  if (!ledger.delivered(pendingSignal.id, recipient))
    loop.commit({
      type: 'signal.delivered',
      id: pendingSignal.id,
      recipient,
      checkpoint,
      how,
      message,
      broadcast: claim === null,
    });
  return message;
};

const arrive = (core: Core, part: Waiting, how: EventOf<'signal.delivered'>['how']): void => {
  part.arrived = true;
  record(core, part, how);
};

/** An INFO has added to the context. A STEER waits for its answer. */
const carry = (context: Context, invocation: InvocationId, id: string): void => {
  const part = context.waiting.get(keyOf(id, invocation));
  if (!part?.arrived || part.pendingSignal.signal.type === 'STEER') return;
  context.waiting.delete(keyOf(id, invocation));
  settle(context, part, `added to the context ${part.detail ?? ''}`.trim());
};

/** Ends one recipient's part: archives its claim, or acknowledges its part of the broadcast. */
const settle = (
  { core, claims, broadcasts }: Context,
  { pendingSignal, claim, consumer, checkpoint }: Waiting,
  action: string,
): void => {
  if (claim)
    claims.finish(claim, {
      ...handlingOf(core, consumer, checkpoint, action),
      outcome: isUnanswered(action) ? 'delivered' : 'handled',
    });
  else broadcasts.acknowledge(pendingSignal.id, consumer, checkpoint, action);
};

const over = (context: Context, invocation: InvocationId, how: 'ended' | 'died'): void => {
  const { waiting, claims, broadcasts } = context;
  for (const [key, part] of [...waiting].filter(([, { consumer }]) => consumer.invocation === invocation)) {
    waiting.delete(key);
    const isOrder = part.pendingSignal.signal.type === 'STEER';
    if (how === 'ended' && part.arrived && isOrder) settle(context, part, unanswered);
    else if (part.claim) claims.putBack(part.claim);
  }
  broadcasts.strike(invocation);
};

const recover = ({ core, claims, broadcasts }: Context, claim: Claim): void => {
  const decision = core.ledger.recipients(claim.id).map((recipient) => {
    const invocation = recipient.slice(recipient.indexOf('~') + 1);
    return recipient.startsWith('Orchestrator~')
      ? keptAsGuidance
      : core.ledger.decision(claim.id, invocation);
  });
  const action = decision.find((text) => text !== null);
  if (broadcasts.isFrozen(claim.id)) broadcasts.recovered(claim);
  else if (action)
    claims.finish(claim, {
      ...handlingOf(core, orchestrator(core), 'Orchestrator.boundary', action),
      outcome: isUnanswered(action) ? 'delivered' : 'handled',
    });
  else claims.putBack(claim);
};

const pendingSignalOf = ({ id, file, signal }: PendingSignal): PendingSignal => ({ id, file, signal });

const howOf = (pendingSignal: PendingSignal, checkpoint: CheckpointId): 'guidance' | 'tree' | 'context' => {
  const reaction =
    checkpointOf(checkpoint).reactions[pendingSignal.signal.type === 'STEER' ? 'STEER' : 'INFO'];
  if (reaction === 'guide') return 'guidance';
  return reaction === 'tree' || reaction === 're-evaluate' ? 'tree' : 'context';
};
