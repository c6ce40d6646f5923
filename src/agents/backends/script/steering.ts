import type { SteerTrace } from '../../answers.ts';
import type { Directive, Message, TurnResult } from '../../port.ts';
import { decideSteer, type SteerSubject, steerAction } from '../../steer-tree.ts';
import type { ScriptContext } from './script-turn.ts';

/** The verdicts on messages that arrived at a boundary inside a turn. */
interface Steered {
  readonly traces: readonly SteerTrace[];
  /** The strongest verdict, in the order escalate, restart, adjust. */
  readonly verdict: 'restart' | 'adjust' | 'escalate' | null;
  readonly escalation: string | null;
}

/** Runs the decision tree over new messages and records each verdict with its evidence. `heard` says how a message that only adds takes effect. */
export const steer = (
  context: ScriptContext,
  messages: readonly Message[],
  subject: SteerSubject,
  heard: string | null = null,
): Steered => {
  const traces = messages
    .filter((message) => message.kind === 'STEER')
    .map((message): SteerTrace => {
      const decision = decideSteer(message, subject);
      const { verdict } = decision;
      const evidence =
        verdict === 'adjust' && heard !== null ? `${decision.evidence}; ${heard}` : decision.evidence;
      const action = steerAction(verdict, message.text);
      context.host.emit({ type: 'steer.decided', id: message.id, verdict, evidence, action });
      return { id: message.id, text: message.text, verdict, evidence, action };
    });
  const escalated = traces.find((trace) => trace.verdict === 'escalate');
  const has = (verdict: string): boolean => traces.some((trace) => trace.verdict === verdict);
  const verdict = escalated ? 'escalate' : has('restart') ? 'restart' : has('adjust') ? 'adjust' : null;
  return { traces, verdict, escalation: escalated?.text ?? null };
};

/** The end of a turn that a directive demands, or `null` to continue. */
export const haltedBy = (directive: Directive, continuation: unknown): TurnResult | null => {
  switch (directive.kind) {
    case 'go':
      return null;
    case 'pause':
      return { kind: 'paused', continuation };
    case 'abort':
    case 'cancel':
      return { kind: 'stopped', why: directive.kind };
  }
};
