import type { Message } from '../../agents/port.ts';
import type { EventOf } from '../event.ts';

type WireMessage = EventOf<'invocation.resumed'>['messages'][number];

/** A message as the state holds it: missing fields are absent, not undefined. */
export const plainMessage = (message: WireMessage): Message => ({
  id: message.id,
  kind: message.kind,
  text: message.text,
  ...(message.from === undefined ? {} : { from: message.from }),
  ...(message.apply === undefined ? {} : { apply: message.apply }),
  ...(message.inForce === undefined ? {} : { inForce: message.inForce }),
  ...(message.unproven === undefined ? {} : { unproven: message.unproven }),
});
