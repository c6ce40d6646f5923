/**
 * The value of a JSON text, `undefined` when the text is none: for files that a person or a program may have broken, where the reader has an answer
 * for "nothing usable". What agents print is bounded first (`boundedJson`).
 */
export const fromJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The object of a JSON text; empty when the text is none, or holds anything else. */
export const objectFromJson = (text: string): Readonly<Record<string, unknown>> => {
  const value = fromJson(text);
  return isRecord(value) ? value : {};
};

/** Whether a parsed value is an object with keys: no list, no `null`. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
