import { late } from '../../base/memoise.ts';
import type { Event, EventOf, EventType } from '../../pipeline/event.ts';

/** The events of one subject: a list of `pipeline/events/`. */
type Events<T extends EventType = EventType> = () => readonly {
  readonly shape: { readonly type: { readonly value: T } };
}[];

/** An event of one of these lists. */
export type SubjectOf<List extends Events> = EventOf<ReturnType<List>[number]['shape']['type']['value']>;

/** Tells the events of one subject from all others. */
export const ofSubject = <T extends EventType>(
  events: Events<T>,
): ((event: Event) => event is EventOf<T>) => {
  const types = late((): ReadonlySet<EventType> => new Set(events().map(({ shape }) => shape.type.value)));
  return (event): event is EventOf<T> => types().has(event.type);
};
