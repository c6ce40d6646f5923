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

/** A field as it is asked: for one who shows more than a line of text. */
export interface AskedField extends Pick<FormField, 'question' | 'choices' | 'several' | 'isRequired'> {
  /** What the form is for, and why the last answer did not fit. */
  readonly help: readonly string[];
}

export interface ElicitPorts {
  /** Asks a person. `null`: the worker ended, a hold began, or the agent withdrew the form. */
  readonly ask: (question: PersonQuestion, field: AskedField) => Promise<string | null>;
  /** Shows the answers of a form with several fields before they are sent (ACP, Elicitation: a person can review them). Absent: they are sent at once. */
  readonly review?: (
    answers: readonly { readonly question: string; readonly answer: string }[],
  ) => Promise<'send' | 'again' | 'decline' | null>;
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
  { ask, review }: ElicitPorts,
): Promise<ElicitationAnswer> => {
  const fields = formFields(schema);
  if (fields === null) return { action: 'decline' };
  for (;;) {
    const content: Record<string, FieldValue> = {};
    for (const field of fields) {
      const value = await askField(field, message, ask);
      if (value === null) return { action: 'cancel' };
      if (value === decline) return { action: 'decline' };
      if (value !== skip) content[field.name] = value.value;
    }
    const answers = fields.map(({ name, question }) => ({ question, answer: String(content[name] ?? '') }));
    const next = fields.length > 1 && review !== undefined ? await review(answers) : 'send';
    if (next === null) return { action: 'cancel' };
    if (next !== 'again') return next === 'send' ? { action: 'accept', content } : { action: 'decline' };
  }
};

const askField = async (
  { question, options, choices, several, isRequired, read }: FormField,
  message: string,
  ask: ElicitPorts['ask'],
): Promise<{ readonly value: FieldValue } | typeof decline | typeof skip | null> => {
  const more = isRequired ? [decline] : [skip, decline];
  let why = '';
  for (;;) {
    const text = [message.trim(), question, why].filter((part) => part !== '').join(' · ');
    const answer = await ask(
      { question: text.slice(0, longestQuestion), options: [...options, ...more] },
      { question, choices, several, isRequired, help: [message.trim(), why].filter((part) => part !== '') },
    );
    const word = answer?.trim().toLowerCase();
    if (answer === null) return null;
    if (word === decline || (word === skip && !isRequired)) return word;
    const value = read(answer);
    if ('value' in value) return value;
    why = `"${answer.slice(0, 100)}" is not a valid answer: ${value.problem}`;
  }
};
