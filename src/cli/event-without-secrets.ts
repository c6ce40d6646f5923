import { type Redact, redactDeep } from '../base/redact.ts';
import { type Event, eventBodySchema } from '../pipeline/event.ts';

/**
 * An event that no engine of ours cleaned: one of foreign files, or of a plan that is drawn before its engine starts. An event that redaction would
 * make invalid, as by its task id, stays as it is.
 */
export const eventWithoutSecrets = (redact: Redact, event: Event): Event => {
  const clean = redactDeep(redact, event);
  const body = clean === event ? undefined : eventBodySchema.safeParse(clean).data;
  return body ? { ...body, seq: event.seq, at: event.at } : event;
};
