import { z } from 'zod';
import type { ModelRequest } from '../helpers/model-server/script.ts';
import type { ProgramWorld } from './program-world.ts';

const pendingSchema = z.object({ id: z.string(), file: z.string() });

/** When a signal's file was written, from its name: UTC, to the millisecond. */
const writtenAt = (file: string): number => {
  const [, year, month, day, hour, minute, second, ms] =
    /signal\.(\d\d)(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)Z-(\d{3})/.exec(file) ?? [];
  return Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
};

/**
 * Milliseconds from a signal's file to its claim, its delivery, its end and the next request at the model server, as the journal and that
 * server saw them.
 */
export const timesOf = (
  { events }: Pick<ProgramWorld, 'events'>,
  words: string,
  next?: Pick<ModelRequest, 'at'>,
) => {
  const all = events();
  const seen = all.find((event) => event.type === 'signal.pending' && JSON.stringify(event).includes(words));
  const { id, file } = pendingSchema.parse(seen?.['pending']);
  const written = writtenAt(file);
  const at = (type: string): number | null => {
    const found = all.find((event) => event.type === type && event['id'] === id);
    return found ? Date.parse(found.at) - written : null;
  };
  return {
    claimed: at('signal.claimed'),
    delivered: at('signal.delivered'),
    handled: at('signal.handled'),
    request: next ? next.at - written : null,
  };
};

export type SignalTimes = ReturnType<typeof timesOf>;

/** One line of a table for people who read the log of a run. */
export const formatTimes = (agent: string, type: string, times: SignalTimes): string =>
  `${agent} ${type}: file → ${Object.entries(times)
    .flatMap(([what, ms]) => (ms === null ? [] : [`${what} ${ms} ms`]))
    .join(', → ')}`;
