import { z } from 'zod';
import type { Brief } from '../port.ts';
import { isPromised } from '../promise.ts';
import type { Converted } from './contract.ts';
import { contractOf } from './contracts.ts';
import { lastJson } from './last-json.ts';

/** All output of an agent in one turn. */
interface Heard {
  /** The outcome of its last accepted `task_update`, or `undefined`. */
  readonly update: unknown;
  /** The text of its reply. */
  readonly text: string;
}

type Reading =
  | {
      readonly kind: 'answer';
      readonly answer: unknown;
      readonly from: 'task_update' | 'reply';
      /** One sentence for people if update and text disagree, else `null`. */
      readonly disagreement: string | null;
    }
  /** `wrong` names each field. `found`: whether there was an object at all. */
  | { readonly kind: 'wrong'; readonly found: boolean; readonly wrong: readonly string[] };

/**
 * Reads the result of a turn (src/engine/README.md, Failure policy): the last valid `task_update`, else the last JSON object of the reply. The end of the turn
 * itself proves nothing: without one of them there is no result. A turn of a loop may also end with the promise, after words alone.
 */
export const readReply = (kind: string, brief: Brief, { update, text }: Heard): Reading => {
  const found = lastJson(text);
  const reply: Converted | null = found === undefined ? null : checkOutcome(kind, brief, found);
  const updated = update === undefined ? null : checkOutcome(kind, brief, update);
  if (updated?.kind === 'answer')
    return {
      kind: 'answer',
      answer: updated.answer,
      from: 'task_update',
      disagreement: reply?.kind === 'answer' ? disagreementOf(updated.answer, reply.answer) : null,
    };
  if (reply?.kind === 'answer')
    return { kind: 'answer', answer: reply.answer, from: 'reply', disagreement: null };
  if (reply === null && brief.model?.isTurn && isPromised(text)) {
    const promised = checkOutcome(kind, brief, { status: 'completed', summary: lastWords(text) });
    if (promised.kind === 'answer')
      return { kind: 'answer', answer: promised.answer, from: 'reply', disagreement: null };
  }
  return { kind: 'wrong', found: reply !== null, wrong: reply?.wrong ?? [nothingFound] };
};

/** Gives the outcome as the procedure reads it, or the faulty fields. Refuses a kind without a contract, because code performs it. */
export const checkOutcome = (kind: string, brief: Brief, value: unknown): Converted =>
  contractOf(kind)?.convert(value, brief) ?? { kind: 'wrong', wrong: [`no agent handles "${kind}"`] };

/** Lines of a reply in words that become the summary of its turn. */
const mostLines = 20;

const lastWords = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-mostLines);

const nothingFound = 'the reply contains no JSON object';

/** The one prompt that follows an invalid answer. */
export const repairPrompt = (wrong: readonly string[]): string =>
  [
    'Your turn ended without a usable result. Do no further work and change no files.',
    `Wrong: ${wrong.join('; ')}`,
    'Send the whole outcome again, as described in the section "Answer" of your prompt: as one JSON object at the end of your reply.',
  ].join('\n');

const wordSchema = z.object({ status: z.string().optional(), verdict: z.string().optional() }).catch({});

const disagreementOf = (updated: unknown, replied: unknown): string | null => {
  const [one, other] = [wordOf(updated), wordOf(replied)];
  return one === other || one === '' || other === ''
    ? null
    : `the agent reported ${one} with task_update and ${other} in its last message: ${one} counts`;
};

const wordOf = (answer: unknown): string => {
  const { status, verdict } = wordSchema.parse(answer);
  return verdict ?? status ?? '';
};
