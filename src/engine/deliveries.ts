import type { InvocationId, Message, RoleFact } from '../agents/port.ts';
import { type CheckpointId, checkpointOf } from '../signals/checkpoints.ts';
import type { Claim, Consumer } from '../signals/mailbox.ts';
import type { Letter } from '../signals/signal.ts';
import type { Broadcasts } from './broadcasts.ts';
import type { Claims } from './claims.ts';
import { type Core, handlingOf, orchestrator, recipientOf } from './core.ts';
import { formatDecision } from './ledger.ts';

/**
 * INFO and STEER on their way into an invocation (signals.md, rules 7 to 9). An INFO is handled when it has joined the context; a STEER when the
 * invocation says what it made of it. A recipient that dies before that never had it: the signal goes back.
 */
export interface Deliveries {
  /** Delivers a claimed message; what the invocation is told, or null for the orchestrator, which keeps it as guidance. */
  deliver(claim: Claim, consumer: Consumer, checkpoint: CheckpointId): Message | null;
  /** The consumer's part of a message to ALL. */
  share(letter: Letter, consumer: Consumer, checkpoint: CheckpointId): Message | null;
  decided(invocation: InvocationId, fact: Extract<RoleFact, { type: 'steer.decided' }>): void;
  /** `ended`: it worked to its end without answering a STEER; `died`: it was stopped or failed. */
  over(invocation: InvocationId, how: 'ended' | 'died'): void;
  /** A claim that a dead engine left behind. */
  recovered(claim: Claim): void;
}

interface Waiting {
  readonly letter: Letter;
  /** null: a part of a broadcast. */
  readonly claim: Claim | null;
  readonly consumer: Consumer;
  readonly checkpoint: CheckpointId;
}

const keptAsGuidance = 'kept as guidance for later invocations';

export const createDeliveries = (core: Core, claims: Claims, broadcasts: Broadcasts): Deliveries => {
  const { loop, ledger } = core;
  const waiting = new Map<string, Waiting>();
  const keyOf = (id: string, invocation: string): string => `${id} ${invocation}`;

  const record = (
    letter: Letter,
    recipient: Pick<Consumer, 'agent' | 'invocation'>,
    checkpoint: CheckpointId,
    broadcast: boolean,
  ): Message => {
    const message = messageOf(letter);
    if (!ledger.delivered(letter.id, recipientOf(recipient)))
      loop.commit({
        type: 'signal.delivered',
        id: letter.id,
        recipient: recipientOf(recipient),
        checkpoint,
        how: howOf(letter, checkpoint),
        message,
        broadcast,
      });
    return message;
  };

  /** Ends one recipient's part: its claim is archived, or its part of the broadcast acknowledged. */
  const settle = ({ letter, claim, consumer, checkpoint }: Waiting, action: string): void => {
    if (claim) claims.finish(claim, handlingOf(core, consumer, checkpoint, action));
    else broadcasts.acknowledge(letter.id, consumer, checkpoint, action);
  };

  const hand = (part: Waiting): Message | null => {
    const { letter, consumer, checkpoint } = part;
    const message = record(letter, consumer, checkpoint, part.claim === null);
    const before = ledger.decision(letter.id, consumer.invocation);
    if (consumer.agent === 'Orchestrator') settle(part, keptAsGuidance);
    else if (before !== null) settle(part, before);
    else if (letter.signal.type === 'INFO') settle(part, 'joined the context');
    else waiting.set(keyOf(letter.id, consumer.invocation), part);
    return consumer.agent === 'Orchestrator' || before !== null ? null : message;
  };

  const partsOf = (invocation: InvocationId): readonly (readonly [string, Waiting])[] =>
    [...waiting].filter(([, part]) => part.consumer.invocation === invocation);

  return {
    deliver: (claim, consumer, checkpoint) => hand({ letter: letterOf(claim), claim, consumer, checkpoint }),
    share: (letter, consumer, checkpoint) => {
      const recipient = broadcasts.part(letter, consumer);
      if (!recipient || waiting.has(keyOf(letter.id, recipient.invocation))) return null;
      return hand({ letter, claim: null, consumer: { ...consumer, ...recipient }, checkpoint });
    },
    decided: (invocation, fact) => {
      const part = waiting.get(keyOf(fact.id, invocation));
      if (!part) return;
      waiting.delete(keyOf(fact.id, invocation));
      settle(part, formatDecision(fact));
    },
    over: (invocation, how) => {
      for (const [key, part] of partsOf(invocation)) {
        waiting.delete(key);
        if (how === 'ended') settle(part, 'no answer from the agent');
        else if (part.claim) claims.putBack(part.claim);
      }
      broadcasts.strike(invocation);
    },
    recovered: (claim) => {
      const decision = ledger.recipients(claim.id).map((recipient) => {
        const invocation = recipient.slice(recipient.indexOf('~') + 1);
        return recipient.startsWith('Orchestrator~') ? keptAsGuidance : ledger.decision(claim.id, invocation);
      });
      const action = decision.find((text) => text !== null);
      if (broadcasts.isFrozen(claim.id)) broadcasts.recovered(claim);
      else if (action)
        claims.finish(claim, handlingOf(core, orchestrator(core), 'Orchestrator.boundary', action));
      else claims.putBack(claim);
    },
  };
};

const letterOf = ({ id, file, signal }: Letter): Letter => ({ id, file, signal });

const howOf = (letter: Letter, checkpoint: CheckpointId): 'guidance' | 'tree' | 'context' => {
  const reaction = checkpointOf(checkpoint).reactions[letter.signal.type === 'STEER' ? 'STEER' : 'INFO'];
  if (reaction === 'guide') return 'guidance';
  return reaction === 'tree' || reaction === 're-evaluate' ? 'tree' : 'context';
};

const messageOf = ({ id, signal }: Letter): Message => ({
  id,
  kind: signal.type === 'STEER' ? 'STEER' : 'INFO',
  text: signal.message ?? '',
  ...(signal.from === undefined ? {} : { from: signal.from }),
  ...(signal.apply === undefined ? {} : { apply: signal.apply }),
});
