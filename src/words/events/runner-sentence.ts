import { safe } from '../../base/safe.ts';
import { runnersEvents } from '../../pipeline/events/runners.ts';
import { ofSubject, type SubjectOf } from './of-subject.ts';

/** Whether the event is about another machine. */
export const isRunnersEvent = ofSubject(runnersEvents);

/** The sentence of such an event. */
export const formatRunnersEvent = (event: SubjectOf<typeof runnersEvents>): string => {
  const runner = safe(event.runner);
  switch (event.type) {
    case 'runner.reached':
      return `runner ${runner} reached: ${safe(event.program)}, round trip ${event.round_trip_ms} ms`;
    case 'runner.claimed':
      return `${safe(event.invocation)} works on ${runner}/${event.number}`;
    case 'runner.lost':
      return `runner ${runner} is unreachable: ${safe(event.why)}; its agents keep working until ${safe(event.stops_at)}`;
    case 'runner.late-result':
      return `runner ${runner} delivered late work from ${safe(event.task ?? event.invocation)}: kept in ${safe(event.ref)}, not merged`;
  }
};
