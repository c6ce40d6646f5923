/** The fields of a form; each name once. */
export type Fields = ReadonlyMap<string, string>;

/** Fields of one form: a plan has comments on each of its tasks. */
const mostFields = 1_000;

/** The fields of a form as a browser sends it. `null`: it is none. Of a name that comes twice the last one counts. */
export const fieldsOf = (body: string): Fields | null => {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (fields.size >= mostFields || value.includes('\0') || name.includes('\0')) return null;
    fields.set(name, value);
  }
  return fields;
};
