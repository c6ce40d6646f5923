import type { PersonQuestion } from '../../../tool-inputs.ts';
import { type FieldValue, type FormField, formFields } from './form.ts';

/** A form that the agent wants a person to fill in (`elicitation/create`, mode `form`). */
export interface Elicitation {
  readonly message: string;
  /** Unparsed: `formFields` reads it. */
  readonly schema: unknown;
}

/** `cancel`: nobody decided. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, FieldValue>> }
  | { readonly action: 'decline' | 'cancel' };

interface ElicitPorts {
  /** Asks a person. `null`: the worker ended, a hold began, or the agent withdrew the form. */
  readonly ask: (question: PersonQuestion) => Promise<string | null>;
}

const decline = 'decline';
const skip = 'skip';
/** Characters of one question. */
const longestQuestion = 4_000;

/**
 * Asks a person for each field of a form, one question after the other. An answer that does not fit its field is asked for again with the reason.
 * `decline` ends the form, `skip` leaves an optional field empty.
 */
export const elicit = async (
  { message, schema }: Elicitation,
  { ask }: ElicitPorts,
): Promise<ElicitationAnswer> => {
  const fields = formFields(schema);
  if (fields === null) return { action: 'decline' };
  const content: Record<string, FieldValue> = {};
  for (const field of fields) {
    const value = await askField(field, message, ask);
    if (value === null) return { action: 'cancel' };
    if (value === decline) return { action: 'decline' };
    if (value !== skip) content[field.name] = value.value;
  }
  return { action: 'accept', content };
};

const askField = async (
  { question, options, isRequired, read }: FormField,
  message: string,
  ask: ElicitPorts['ask'],
): Promise<{ readonly value: FieldValue } | typeof decline | typeof skip | null> => {
  const more = isRequired ? [decline] : [skip, decline];
  let why = '';
  for (;;) {
    const text = [message.trim(), question, why].filter((part) => part !== '').join(' · ');
    const answer = await ask({ question: text.slice(0, longestQuestion), options: [...options, ...more] });
    const word = answer?.trim().toLowerCase();
    if (answer === null) return null;
    if (word === decline || (word === skip && !isRequired)) return word;
    const value = read(answer);
    if ('value' in value) return value;
    why = `"${answer.slice(0, 100)}" does not fit: ${value.problem}`;
  }
};
