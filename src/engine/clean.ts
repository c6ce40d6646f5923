import { type Redact, redactDeep } from '../base/redact.ts';
import { type EventBody, eventBodySchema } from '../pipeline/event.ts';

/**
 * The fact without secrets: they never reach the journal (test/README.md). This engine keeps the fact as it is, because what an agent is asked is never
 * redacted. Task files keep the secrets for the next engine; `restoreDefinitions` reads them from there. The same object where there is none.
 */
export const cleanBody =
  (redact: Redact) =>
  (body: EventBody): EventBody => {
    const clean = redactDeep(redact, body);
    return clean === body ? body : eventBodySchema().parse(clean);
  };
