import { type Redact, redactDeep } from '../base/redact.ts';
import { type EventBody, type EventType, eventBodySchema } from '../pipeline/event.ts';

/** One fact: as the journal and every observer get it, and as this engine goes on with it. Nearly always the very same object. */
export interface Cleaned {
  readonly told: EventBody;
  readonly kept: EventBody;
}

/** What will be run, or go on, runs with the secrets that it holds. */
const definitions: ReadonlySet<EventType> = new Set<EventType>([
  'tasks.defined',
  'iteration.started',
  'invocation.ended',
  'invocation.paused',
]);

/** The fact without secrets (quality.md: they never reach the journal). Task files keep what a task runs with: `restoreDefinitions` finds it there. */
export const cleanBody =
  (redact: Redact) =>
  (body: EventBody): Cleaned => {
    const clean = redactDeep(redact, body);
    if (clean === body) return { told: body, kept: body };
    const told = eventBodySchema.parse(clean);
    if (!definitions.has(body.type)) return { told, kept: told };
    if (body.type !== 'invocation.ended') return { told, kept: body };
    if (body.tasks === undefined) return { told, kept: told };
    return { told, kept: Object.assign({}, told, { tasks: body.tasks }) };
  };
