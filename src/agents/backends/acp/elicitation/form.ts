import { z } from 'zod';

/** A value in the answer to a form (ACP schema, ElicitationContentValue). */
export type FieldValue = string | number | boolean | readonly string[];

/** One field of a form as a question to a person. */
export interface FormField {
  readonly name: string;
  readonly question: string;
  /** The answers to choose from. Empty for a free text or a number. */
  readonly options: readonly string[];
  /** The same, also of a field that takes several. */
  readonly choices: readonly string[];
  readonly several: boolean;
  readonly isRequired: boolean;
  /** The value of an answer in words, or what is wrong with it. */
  readonly read: (answer: string) => { readonly value: FieldValue } | { readonly problem: string };
}

/** Fields asked of one form. Nobody answers more. */
const mostFields = 20;

const maybe = <T>(schema: z.ZodType<T>) => schema.nullish().catch(null);
const titledSchema = z.object({ const: z.string(), title: z.string() });
const fieldSchema = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
  title: maybe(z.string()),
  description: maybe(z.string()),
  enum: maybe(z.array(z.string())),
  oneOf: maybe(z.array(titledSchema)),
  items: maybe(z.object({ enum: maybe(z.array(z.string())), anyOf: maybe(z.array(titledSchema)) })),
  minimum: maybe(z.number()),
  maximum: maybe(z.number()),
  minLength: maybe(z.number()),
  maxLength: maybe(z.number()),
  minItems: maybe(z.number()),
  maxItems: maybe(z.number()),
});
type Field = z.infer<typeof fieldSchema>;

const formSchema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).nullish(),
});

/** The fields of a form (ACP schema, ElicitationSchema), or `null` if a required one is of an unknown kind. */
export const formFields = (schema: unknown): readonly FormField[] | null => {
  const form = formSchema.safeParse(schema);
  if (!form.success) return null;
  const required = new Set(form.data.required ?? []);
  const fields: FormField[] = [];
  for (const [name, property] of Object.entries(form.data.properties)) {
    const { data } = fieldSchema.safeParse(property);
    if (data) fields.push(fieldOf(name, data, required.has(name)));
    else if (required.has(name)) return null;
  }
  return fields.length > mostFields ? null : fields;
};

interface Choice {
  readonly value: string;
  readonly title: string;
}

const fieldOf = (name: string, field: Field, isRequired: boolean): FormField => {
  const { title, description } = field;
  const question = title && description && title !== description ? `${title} (${description})` : undefined;
  const choices = choicesOf(field);
  return {
    name,
    question: question ?? title ?? description ?? name,
    // Several may be chosen, so the words say which ones there are.
    options: field.type === 'array' ? [] : choices.map((choice) => choice.title),
    choices: choices.map((choice) => choice.title),
    several: field.type === 'array',
    isRequired,
    read: readerOf(field, choices),
  };
};

const choicesOf = ({ type, enum: names, oneOf, items }: Field): readonly Choice[] => {
  if (type === 'boolean')
    return [
      { value: 'true', title: 'yes' },
      { value: 'false', title: 'no' },
    ];
  const titled = oneOf ?? items?.anyOf ?? [];
  const plain = names ?? items?.enum ?? [];
  return [
    ...titled.map((choice) => ({ value: choice.const, title: choice.title })),
    ...plain.map((value) => ({ value, title: value })),
  ];
};

const readerOf = (field: Field, choices: readonly Choice[]): FormField['read'] => {
  switch (field.type) {
    case 'boolean':
      return (answer) => chosen(choices, answer, (value) => value === 'true');
    case 'number':
    case 'integer':
      return (answer) => numberIn(field, answer);
    case 'array':
      return (answer) => several(field, choices, answer);
    case 'string':
      return (answer) =>
        choices.length > 0 ? chosen(choices, answer, (value) => value) : textIn(field, answer);
  }
};

const find = (choices: readonly Choice[], answer: string): Choice | undefined => {
  const wanted = answer.trim().toLowerCase();
  return choices.find(({ value, title }) => value.toLowerCase() === wanted || title.toLowerCase() === wanted);
};

const oneOfThem = (choices: readonly Choice[]): string => choices.map(({ title }) => `"${title}"`).join(', ');

const chosen = (
  choices: readonly Choice[],
  answer: string,
  read: (value: string) => FieldValue,
): ReturnType<FormField['read']> => {
  const choice = find(choices, answer);
  return choice ? { value: read(choice.value) } : { problem: `choose one of ${oneOfThem(choices)}` };
};

const several = (
  { minItems, maxItems }: Field,
  choices: readonly Choice[],
  answer: string,
): ReturnType<FormField['read']> => {
  const isOne = find(choices, answer) !== undefined;
  // One a line, where a title may hold a comma.
  const parts = isOne ? [answer] : answer.split(answer.includes('\n') ? '\n' : ',');
  const words = parts.filter((word) => word.trim() !== '');
  const found = words.flatMap((word) => find(choices, word)?.value ?? []);
  if (found.length < words.length)
    return { problem: `choose from ${oneOfThem(choices)}; separate several with commas` };
  if (found.length < (minItems ?? 0)) return { problem: `choose at least ${minItems}` };
  if (found.length > (maxItems ?? found.length)) return { problem: `choose at most ${maxItems}` };
  return { value: found };
};

const numberIn = ({ type, minimum, maximum }: Field, answer: string): ReturnType<FormField['read']> => {
  const number = answer.trim() === '' ? Number.NaN : Number(answer);
  if (!Number.isFinite(number) || (type === 'integer' && !Number.isInteger(number)))
    return { problem: type === 'integer' ? 'answer with a whole number' : 'answer with a number' };
  if (number < (minimum ?? number)) return { problem: `answer with ${minimum} or more` };
  if (number > (maximum ?? number)) return { problem: `answer with ${maximum} or less` };
  return { value: number };
};

const textIn = ({ minLength, maxLength }: Field, answer: string): ReturnType<FormField['read']> => {
  const length = [...answer].length;
  if (length < (minLength ?? 0)) return { problem: `answer with at least ${minLength} characters` };
  if (length > (maxLength ?? length)) return { problem: `answer with at most ${maxLength} characters` };
  return { value: answer };
};
