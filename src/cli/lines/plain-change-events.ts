import { safe } from '../../base/safe.ts';
import type { Event, EventType } from '../../pipeline/event.ts';
import type { ChangesEventType } from '../../pipeline/events/changes.ts';

type ChangesEvent = Extract<Event, { type: ChangesEventType }>;

const types: ReadonlySet<EventType> = new Set<ChangesEventType>(['review.passed']);

/** Whether the event is about what becomes of changes. */
export const isChangesEvent = (event: Event): event is ChangesEvent => types.has(event.type);

/** A plain-log line of such an event; `null` for what another line says too. */
export const formatChangesEvent = (event: ChangesEvent): string | null => {
  switch (event.type) {
    case 'review.passed':
      return `${safe(event.task)} passed its review, attempt ${event.attempt}; a person decides`;
  }
};
