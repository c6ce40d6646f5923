import { z } from 'zod';
import { verdictSchema } from '../../signals/signal.ts';
import type { SteerTrace } from '../answers.ts';
import type { Brief, Message, TurnAsk, TurnResult } from '../port.ts';
import type { RoleFact } from '../role-fact.ts';
import { steerAction } from '../steer-tree.ts';
import { byProof, unprovenText } from '../unproven.ts';

/** An agent's answers to the steering question, for each STEER delivered to it. */
interface SteerAnswers {
  readonly traces: readonly SteerTrace[];
  /** The facts to emit. A STEER that the agent did not name gets "no answer from the agent". */
  readonly facts: readonly Extract<RoleFact, { type: 'steer.decided' }>[];
  /** The text of the STEER that redefined the task, or `null`. */
  readonly escalation: string | null;
  /** How many of its answers fit no order that it got. */
  readonly surplus: number;
}

const namedSchema = z.object({
  id: z.string(),
  verdict: z.preprocess(
    (word) => (typeof word === 'string' ? word.trim().toLowerCase() : word),
    verdictSchema,
  ),
  evidence: z.string().nullish(),
});
type Named = z.infer<typeof namedSchema>;

/**
 * The verdict on each delivered STEER: the sender's own, else the agent's. An unanswered one is reported as such, never guessed (src/agents/README.md, STEER).
 * `way` is the delivery for `action_taken`: "tool result", "new prompt". `prompted`: the STEERs of the first prompt, which were decided before it; what the
 * agent makes of them is recorded too. What it says of any other order is noted and decides nothing.
 */
export const steerAnswers = (
  delivered: readonly Message[],
  answer: unknown,
  way: (message: Message) => string,
  prompted: readonly Message[] = [],
): SteerAnswers => {
  const steers = delivered.filter(({ kind }) => kind === 'STEER');
  const before = prompted.filter(
    ({ id, kind, inForce }) =>
      kind === 'STEER' && inForce !== true && !steers.some((steer) => steer.id === id),
  );
  const given = givenIn(answer);
  const named = given.flatMap((each): readonly Named[] => {
    const read = namedSchema.safeParse(each);
    return read.success ? [read.data] : [];
  });
  // A single STEER matches any id that the agent wrote.
  const only = steers.length + before.length === 1 ? named[0] : undefined;
  const namedFor = (message: Message): Named | undefined => named.find(({ id }) => id === message.id) ?? only;
  const traces = steers.map((message) => traceOf(message, namedFor(message), way(message)));
  const known = before.flatMap((message) => {
    const found = namedFor(message);
    return found === undefined ? [] : [traceOf(message, found, 'in the first prompt')];
  });
  const used = [...steers, ...before].flatMap((message) => namedFor(message) ?? []);
  return {
    traces: [...known, ...traces],
    facts: traces.map(({ text: _, ...decided }) => ({ type: 'steer.decided', ...decided })),
    escalation: [...known, ...traces].find(({ verdict }) => verdict === 'escalate')?.text ?? null,
    surplus: given.length - new Set(used).size,
  };
};

const givenIn = (answer: unknown): readonly unknown[] => {
  const { steers } = z.looseObject({ steers: z.unknown() }).catch({ steers: [] }).parse(answer);
  if (Array.isArray(steers)) return steers;
  return typeof steers === 'object' && steers !== null ? [steers] : [];
};

const traceOf = (message: Message, named: Named | undefined, how: string): SteerTrace => {
  const { id, text } = message;
  const verdict = message.apply ?? named?.verdict;
  if (verdict === undefined)
    return { id, text, verdict: 'no answer', evidence: '', action: `no answer from the agent (${how})` };
  const evidence = message.apply ? `the sender chose ${message.apply}` : (named?.evidence ?? '');
  return { id, text, verdict, evidence, action: `${steerAction(verdict, text)} (${how})` };
};

/** Reports the verdicts, and that the agent answered orders that nobody gave. */
export const reportSteers = ({ facts, surplus }: SteerAnswers, emit: (fact: RoleFact) => void): void => {
  for (const fact of facts) emit(fact);
  if (surplus === 0) return;
  const orders = surplus === 1 ? 'an order' : `${surplus} orders`;
  emit({ type: 'finding.noted', text: `the agent answered ${orders}, which it was not given: ignored` });
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

/** Whether the sender wants the task planned again. Roles without a task of their own can only begin again with the message. */
export const redefines = (
  { role, task }: Pick<Brief, 'role' | 'task'>,
  { kind, apply }: Pick<Message, 'kind' | 'apply'>,
): boolean => kind === 'STEER' && apply === 'escalate' && task !== undefined && role !== 'Planner';

/** A message that reached the agent, and how. The detail fills `action_taken`. */
export interface Delivered {
  readonly message: Message;
  readonly detail: string;
}

/**
 * Ends a turn with its answer: records the verdict on each delivered STEER, and adds it to the answer. `escalated`: the messages with a STEER that redefines the
 * task; the agent did not get them, and its answer no longer counts.
 */
export const concludeTurn = (
  ask: TurnAsk,
  answer: unknown,
  delivered: readonly Delivered[],
  escalated: readonly Message[],
  emit: (fact: RoleFact) => void,
): Extract<TurnResult, { kind: 'answered' }> => {
  const all = [...delivered, ...escalated.map((message) => ({ message, detail: 'not sent' }))];
  const details = new Map(all.map(({ message, detail }) => [message.id, detail]));
  const steers = steerAnswers(
    all.map(({ message }) => message),
    answer,
    ({ id }) => details.get(id) ?? '',
    ask.messages,
  );
  reportSteers(steers, emit);
  return { kind: 'answered', answer: withSteers(ask.kind, escalated.length > 0 ? {} : answer, steers) };
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
export const steerTree = `For each order, decide from the files you changed, the success criteria and the objective:

- restart: it contradicts work already done. Do that step again with it in mind.
- adjust: it only adds to the task. Continue from where you are and follow it.
- escalate: it redefines the task. Stop, change nothing else, and report status blocked with the order as "escalation".

A verdict in the order is the sender's own and takes precedence. Name each order by its id in "steers" with your verdict and the evidence.`;
