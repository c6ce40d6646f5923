import { carries } from '../../agents/agent-facts.ts';
import type { Event } from '../../pipeline/event.ts';
import { actionTaken } from '../../signals/action-taken.ts';
import { formatDecision } from '../../signals/steer-decision.ts';

/**
 * Effects that the journal already records (src/signals/README.md, rule 7), looked up before a signal is acted on again
 * after a crash. A message is done for a recipient when its delivery is recorded. A session-level signal is done
 * when a fact it caused is recorded: the line of the delivery may survive a power loss that took the effect.
 */
export interface Ledger {
  note(event: Event): void;
  delivered(id: string, recipient: string): boolean;
  /** Recipients that received the signal. */
  recipients(id: string): readonly string[];
  caused(id: string): boolean;
  /** Every invocation that was ever started, because each may have left a process behind. */
  invocations(): readonly string[];
  /** The markers of every agent that was ever started: one that waited for work may have outlived its program. */
  markers(): ReadonlySet<string>;
  /** Every engine that ever held this session, by its name in claims. */
  engines(): ReadonlySet<string>;
  /** How the invocation settled this STEER; `null` when it did not. */
  decision(id: string, invocation: string): string | null;
  /** A prompt, a command or a request of a model carried the words to this invocation, or to any. */
  carried(id: string, invocation?: string): boolean;
  /** It ended with an order for the Planner, and its end is on record. */
  escalated(invocation: string): boolean;
}

export const createLedger = (): Ledger => {
  const deliveries = new Map<string, string[]>();
  const causes = new Set<string>();
  const decisions = new Map<string, string>();
  const invocations: string[] = [];
  const markers = new Set<string>();
  const carried = new Set<string>();
  const escalated = new Set<string>();
  const engines = new Set<string>();
  return {
    note: (event) => {
      if (event.type === 'invocation.started') invocations.push(event.invocation);
      else if (event.type === 'agent.launched') markers.add(event.marker);
      else if (event.type === 'session.started') engines.add(event.owner ?? '');
      else if (event.type === 'signal.delivered')
        deliveries.set(event.id, [...(deliveries.get(event.id) ?? []), event.recipient]);
      else if (event.type === 'steer.decided')
        decisions.set(`${event.id} ${event.invocation}`, formatDecision(event));
      else if (event.type === 'message.carried' || (event.type === 'message.arrived' && carries(event.way)))
        for (const key of [event.id, `${event.id} ${event.invocation}`]) carried.add(key);
      else if (event.type === 'invocation.ended' && event.escalation !== undefined)
        escalated.add(event.invocation);
      else if ('signal' in event && typeof event.signal === 'string') causes.add(event.signal);
    },
    delivered: (id, recipient) => deliveries.get(id)?.includes(recipient) ?? false,
    recipients: (id) => deliveries.get(id) ?? [],
    caused: (id) => causes.has(id),
    invocations: () => invocations,
    markers: () => markers,
    engines: () => engines,
    decision: (id, invocation) => decisions.get(`${id} ${invocation}`) ?? null,
    carried: (id, invocation) => carried.has(invocation === undefined ? id : `${id} ${invocation}`),
    escalated: (invocation) => escalated.has(invocation),
  };
};

/** The `action_taken` of a STEER that its agent left unanswered. */
export const unanswered = `${actionTaken.unanswered} from the agent`;
