import { z } from 'zod';
import { verdictSchema } from '../../signals/signal.ts';
import type { Message } from '../port.ts';
import type { RoleFact } from '../role-fact.ts';
import type { SteerTrace } from '../roles/answers.ts';
import { steerAction } from '../roles/steer-tree.ts';
import { byProof, unprovenText } from '../unproven.ts';

/** An agent's answers to the steering question, for each STEER delivered to it. */
export interface SteerAnswers {
  readonly traces: readonly SteerTrace[];
  /** The facts to emit. A STEER that the agent did not name gets "no answer from the agent". */
  readonly facts: readonly Extract<RoleFact, { type: 'steer.decided' }>[];
  /** The text of the STEER that redefined the task, or `null`. */
  readonly escalation: string | null;
}

const namedSchema = z
  .object({
    steers: z.array(z.object({ id: z.string(), verdict: verdictSchema, evidence: z.string().default('') })),
  })
  .catch({ steers: [] });

/**
 * The verdict on each delivered STEER: the sender's own, else the agent's. An unanswered one is reported as such, never guessed (agents.md, STEER).
 * `way` is the delivery for `action_taken`: "tool result", "new prompt".
 */
export const steerAnswers = (
  delivered: readonly Message[],
  answer: unknown,
  way: (message: Message) => string,
): SteerAnswers => {
  const steers = delivered.filter(({ kind }) => kind === 'STEER');
  const { steers: named } = namedSchema.parse(answer);
  const traces = steers.map((message): SteerTrace => {
    // A single delivered STEER matches any id that the agent wrote.
    const found = named.find(({ id }) => id === message.id) ?? (steers.length === 1 ? named[0] : undefined);
    const verdict = message.apply ?? found?.verdict;
    const { id, text } = message;
    if (verdict === undefined)
      return {
        id,
        text,
        verdict: 'no answer',
        evidence: '',
        action: `no answer from the agent (${way(message)})`,
      };
    const evidence = message.apply ? `the sender asked for ${message.apply}` : (found?.evidence ?? '');
    return { id, text, verdict, evidence, action: `${steerAction(verdict, text)} (${way(message)})` };
  });
  return {
    traces,
    facts: traces.map(({ text: _, ...decided }) => ({ type: 'steer.decided', ...decided })),
    escalation: traces.find(({ verdict }) => verdict === 'escalate')?.text ?? null,
  };
};

/** Adds the steers to the answer in the report's form. Sets it to blocked if one of them redefines the task. */
export const withSteers = (kind: string, answer: unknown, { traces, escalation }: SteerAnswers): unknown => {
  const base = z.record(z.string(), z.unknown()).catch({}).parse(answer);
  if (kind !== 'implement' && kind !== 'review') return answer;
  const { escalation: _, ...rest } = base;
  const told = { ...rest, steers: traces };
  if (escalation === null) return told;
  return kind === 'review'
    ? { ...told, verdict: 'Failed', escalation }
    : { ...told, status: 'blocked', blockers: [`STEER scope change: ${escalation}`], escalation };
};

/** Messages in the form for agents, each STEER with its id. The decision tree follows if there is a STEER (seed 001, section 3.1). */
export const ordersText = (messages: readonly Message[]): string => {
  const { proven, unproven } = byProof(messages);
  return [
    ...proven.map(
      ({ id, kind, from, text, apply }) =>
        `- ${kind === 'STEER' ? `[${id}] ` : ''}${from ? `${from}: ` : ''}${text}${apply ? ` (verdict: ${apply})` : ''}`,
    ),
    ...(proven.some(({ kind }) => kind === 'STEER') ? ['', steerTree] : []),
    ...(unproven.length > 0 ? ['', unprovenText(unproven)] : []),
  ].join('\n');
};

/** The decision tree of seed 001, section 3.1, for agents. Every way by which a STEER reaches one uses these words. */
export const steerTree = `For each order decide by the files you changed, the success criteria and the objective:

- restart: it contradicts work already done. Do that step again with it in mind.
- adjust: it only adds. Go on where you are and keep to it.
- escalate: it redefines the task. Stop, change nothing more, report status blocked with the order as "escalation".

A verdict in the order is the sender's own and decides. Name each order by its id in "steers" with your verdict and the evidence.`;
