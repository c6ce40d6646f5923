import { type Redact, redactDeep } from '../base/redact.ts';
import { type EventBody, type EventType, eventBodySchema } from '../pipeline/event.ts';

/** One fact in two forms: `told` for the journal and the observers, `kept` for this engine. Nearly always the same object. */
export interface Cleaned {
  readonly told: EventBody;
  readonly kept: EventBody;
}

/** Events that carry commands still to run. This engine keeps their secrets. */
const definitions: ReadonlySet<EventType> = new Set<EventType>([
  'tasks.defined',
  'iteration.started',
  'invocation.ended',
  'invocation.paused',
  'task.commands-edited',
]);

/**
 * The fact without secrets: they never reach the journal (test/README.md). Task files keep them
 * for the run; `restoreDefinitions` reads them from there.
 */
export const cleanBody =
  (redact: Redact) =>
  (body: EventBody): Cleaned => {
    const clean = redactDeep(redact, body);
    if (clean === body) return { told: body, kept: body };
    const told = eventBodySchema().parse(clean);
    if (!definitions.has(body.type)) return { told, kept: told };
    if (body.type !== 'invocation.ended') return { told, kept: body };
    if (body.tasks === undefined) return { told, kept: told };
    return { told, kept: Object.assign({}, told, { tasks: body.tasks }) };
  };
