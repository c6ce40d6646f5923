import { type Redact, redactDeep } from '../base/redact.ts';
import { type EventBody, type EventType, eventBodySchema } from '../pipeline/event.ts';

/** Definitions are what will be run: a plan that holds a secret runs with it, and stands in the person's own file already. */
const definitions: ReadonlySet<EventType> = new Set<EventType>([
  'tasks.defined',
  'iteration.started',
  'invocation.paused',
]);

/** The body without secrets (quality.md: they never reach the journal); nearly always the very same object. */
export const cleanBody =
  (redact: Redact) =>
  (body: EventBody): EventBody => {
    if (definitions.has(body.type)) return body;
    const { tasks, ...rest } = body.type === 'invocation.ended' ? body : { ...body, tasks: undefined };
    const clean = redactDeep(redact, rest);
    if (clean === rest) return body;
    return eventBodySchema.parse(tasks === undefined ? clean : Object.assign({}, clean, { tasks }));
  };
