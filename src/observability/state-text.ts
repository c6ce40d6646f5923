import { initialState } from '../pipeline/initial.ts';
import type { SessionState } from '../pipeline/state.ts';
import { type Column, decodeColumn, encodeColumn } from './columns.ts';

/** A session's state as JSON text. Its maps, also those of `changes`, `flow` and `signals`, become their keys and a column of their values. */
export const encodeState = (state: SessionState): string =>
  JSON.stringify({
    ...Object.fromEntries(
      Object.entries(state).map(([field, value]) => [field, value instanceof Map ? fromMap(value) : value]),
    ),
    changes: {
      ...state.changes,
      attempts: fromMap(state.changes.attempts),
      workedOn: fromMap(state.changes.workedOn),
    },
    flow: state.flow && { ...state.flow, ...mapsOf(state.flow) },
    signals: fromMap(
      new Map(
        [...state.signals].map(([id, life]) => [id, { ...life, recipients: fromMap(life.recipients) }]),
      ),
    ),
  });

/** The state in such a text, or `null` when it has other fields than this program's states. */
export const decodeState = (text: string): SessionState | null => {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) return null;
  for (const field of mapFields) value[field] = toMap(value[field]);
  if (value['signals'] instanceof Map)
    for (const life of value['signals'].values())
      if (isRecord(life)) life['recipients'] = toMap(life['recipients']);
  const { changes, flow } = value;
  if (isRecord(changes)) for (const field of changesMaps) changes[field] = toMap(changes[field]);
  if (isRecord(flow)) for (const field of flowMaps) flow[field] = toMap(flow[field]);
  return isState(value) ? value : null;
};

const sample: Readonly<Record<string, unknown>> = { ...initialState() };
const fields = Object.keys(sample);
const mapFields = fields.filter((field) => sample[field] instanceof Map);

const changesMaps = ['attempts', 'workedOn'] as const;
const flowMaps = ['works', 'workers', 'claims', 'rounds', 'refused', 'answered'] as const;

const mapsOf = (flow: NonNullable<SessionState['flow']>) =>
  Object.fromEntries(flowMaps.map((field) => [field, fromMap(flow[field])]));

const fromMap = (map: ReadonlyMap<unknown, unknown>) => ({
  keys: [...map.keys()],
  values: encodeColumn([...map.values()]),
});

/** The map of such keys and values; anything else stays what it is. */
const toMap = (value: unknown): unknown => {
  if (!isRecord(value) || !Array.isArray(value['keys']) || !isRecord(value['values'])) return value;
  const values = decodeColumn(value['values'] as Column);
  return new Map(value['keys'].map((key, at) => [key, values[at]]));
};

/** Checks the fields only: the text is our own output, and its reader has compared its hash. */
const isState = (value: unknown): value is SessionState =>
  isRecord(value) &&
  fields.every((field) => field in value) &&
  mapFields.every((field) => value[field] instanceof Map) &&
  isFlow(value['flow']);

const isFlow = (flow: unknown): boolean =>
  flow === null || (isRecord(flow) && flowMaps.every((field) => flow[field] instanceof Map));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
