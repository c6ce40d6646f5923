import { safe } from '../../base/safe.ts';
import type { Event, EventType } from '../../pipeline/event.ts';
import { type RunnersEventType, runnersEvents } from '../../pipeline/events/runners.ts';

type RunnersEvent = Extract<Event, { type: RunnersEventType }>;

const types: ReadonlySet<EventType> = new Set(runnersEvents.map(({ shape }) => shape.type.value));

/** Whether the event is about another machine. */
export const isRunnersEvent = (event: Event): event is RunnersEvent => types.has(event.type);

/** The sentence of such an event. */
export const formatRunnersEvent = (event: RunnersEvent): string => {
  const runner = safe(event.runner);
  switch (event.type) {
    case 'runner.reached':
      return `runner ${runner} reached: ${safe(event.program)}, round trip ${event.round_trip_ms} ms`;
    case 'runner.lost':
      return `runner ${runner} is unreachable: ${safe(event.why)}; its agents work on until ${safe(event.stops_at)}`;
    case 'runner.late-result':
      return `runner ${runner} brought the late work of ${safe(event.task ?? event.invocation)}: it is kept in ${safe(event.ref)}, and not merged`;
  }
};
