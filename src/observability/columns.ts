import { isRecord } from '../base/json.ts';

/**
 * Many values as JSON: records of one shape (the same keys in the same order) are a table in which each key stands once, and a column of one repeated value
 * is that value. The state of 5,000 tasks takes a third of the text so, and a command that reads it waits for little else.
 */
export type Column =
  | { readonly each: readonly unknown[] }
  | { readonly all: unknown; readonly count: number }
  /** Records, by shape; without `order` all have the first one, otherwise it holds the shape of each. */
  | { readonly shapes: readonly Shape[]; readonly order?: readonly number[] };

interface Shape {
  readonly keys: readonly string[];
  readonly count: number;
  readonly columns: readonly Column[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Encodes JSON values. A field that is `undefined` is left out, as in JSON. */
export const encodeColumn = (values: readonly unknown[]): Column => {
  const [first] = values;
  if (values.length > 1 && values.every((value) => isSame(value, first)))
    return { all: first, count: values.length };
  return values.length > 0 && values.every(isTableRow) ? encodeRecords(values) : { each: values };
};

const encodeRecords = (records: readonly Fields[]): Column => {
  const groups = new Map<
    string,
    { readonly at: number; readonly keys: readonly string[]; readonly of: Fields[] }
  >();
  const order = records.map((record) => {
    const keys = Object.keys(record).filter((key) => record[key] !== undefined);
    const name = JSON.stringify(keys);
    const group = groups.get(name) ?? { at: groups.size, keys, of: [] };
    groups.set(name, group);
    group.of.push(record);
    return group.at;
  });
  const shapes = [...groups.values()].map(({ keys, of }) => ({
    keys,
    count: of.length,
    columns: keys.map((key) => encodeColumn(of.map((record) => record[key]))),
  }));
  return shapes.length === 1 ? { shapes } : { shapes, order };
};

/** Assigning `__proto__` would set the prototype instead of a field. */
const isTableRow = (value: unknown): value is Fields => isRecord(value) && !Object.hasOwn(value, '__proto__');

/** Only what is cheap to compare: a text, a number, null, an empty list. */
const isSame = (value: unknown, other: unknown): boolean =>
  value === other || (isEmptyList(value) && isEmptyList(other));

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/**
 * The values again. One value for all is shared, so nobody may change it. The text is trusted, since its reader has compared its hash.
 */
export const decodeColumn = (column: Column): readonly unknown[] => {
  if ('each' in column) return column.each;
  if ('all' in column) return Array.from({ length: column.count }, () => column.all);
  const made = column.shapes.map(recordsOf);
  const { order } = column;
  if (order === undefined) return made[0] ?? [];
  const next = made.map((records) => records.values());
  return order.map((shape) => next[shape]?.next().value);
};

/** Copies of one record with all keys, which engines make fast, and then what differs. */
const recordsOf = ({ keys, count, columns }: Shape): readonly Fields[] => {
  const common = Object.fromEntries(
    columns.map((column, at) => [keys[at] ?? '', 'all' in column ? column.all : null]),
  );
  const records = Array.from({ length: count }, (): Record<string, unknown> => ({ ...common }));
  for (const [at, column] of columns.entries()) {
    if ('all' in column) continue;
    const key = keys[at] ?? '';
    const values = decodeColumn(column);
    for (let index = 0; index < count; index += 1) (records[index] ?? {})[key] = values[index];
  }
  return records;
};
