import { z } from 'zod';
import { late } from '../base/memoise.ts';
import { agentsEvents } from './events/agents.ts';
import { changesEvents } from './events/changes.ts';
import { decisionsEvents } from './events/decisions.ts';
import { flowEvents } from './events/flow.ts';
import { invocationsEvents } from './events/invocations.ts';
import { loopEvents } from './events/loop.ts';
import { planningEvents } from './events/planning.ts';
import { processesEvents } from './events/processes.ts';
import { runnersEvents } from './events/runners.ts';
import { sessionEvents } from './events/session.ts';
import { signalsEvents } from './events/signals.ts';
import { tasksEvents } from './events/tasks.ts';

/**
 * The one closed union of facts, in the past tense. A live run, `attach` and `replay` produce these; the journal keeps all but the
 * ephemeral ones. `run --json` prints them, so fields are added, never renamed. A new fact goes into the file of its subject in `events/`.
 * Built when a body is first checked, which few commands do: 800 schemas take 10 ms of each start.
 */
export const eventBodySchema = late(() =>
  z.discriminatedUnion('type', [
    ...sessionEvents(),
    ...planningEvents(),
    ...loopEvents(),
    ...flowEvents(),
    ...tasksEvents(),
    ...changesEvents(),
    ...invocationsEvents(),
    ...agentsEvents(),
    ...processesEvents(),
    ...runnersEvents(),
    ...signalsEvents(),
    ...decisionsEvents(),
  ]),
);

export type EventBody = z.infer<ReturnType<typeof eventBodySchema>>;
export type EventType = EventBody['type'];
/** A body with its place and time. `seq` counts up by one in a session, `at` is ISO 8601. */
export type Event = EventBody & { readonly seq: number; readonly at: string };
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/** Event types that reach observers but never the journal. */
export const ephemeralTypes: ReadonlySet<EventType> = new Set<EventType>(['output.written']);
