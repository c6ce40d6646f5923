import { initialState } from '../pipeline/initial.ts';
import type { SessionState } from '../pipeline/state.ts';

/** A session's state as JSON text. Its maps, also those of `changes`, `flow` and `signals`, become lists of entries. */
export const encodeState = (state: SessionState): string =>
  JSON.stringify({
    ...Object.fromEntries(
      Object.entries(state).map(([field, value]) => [field, value instanceof Map ? [...value] : value]),
    ),
    changes: { ...state.changes, attempts: [...state.changes.attempts] },
    flow: state.flow && {
      ...state.flow,
      works: [...state.flow.works],
      workers: [...state.flow.workers],
      claims: [...state.flow.claims],
      rounds: [...state.flow.rounds],
    },
    signals: [...state.signals].map(([id, life]) => [id, { ...life, recipients: [...life.recipients] }]),
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
  if (isRecord(changes)) changes['attempts'] = toMap(changes['attempts']);
  if (isRecord(flow)) for (const field of flowMaps) flow[field] = toMap(flow[field]);
  return isState(value) ? value : null;
};

const sample: Readonly<Record<string, unknown>> = { ...initialState() };
const fields = Object.keys(sample);
const mapFields = fields.filter((field) => sample[field] instanceof Map);

const flowMaps = ['works', 'workers', 'claims', 'rounds'] as const;

const toMap = (value: unknown): unknown =>
  Array.isArray(value) && value.every((entry) => Array.isArray(entry) && entry.length === 2)
    ? new Map(value)
    : value;

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
