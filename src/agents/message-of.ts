import type { PendingSignal } from '../signals/signal.ts';
import type { Message } from './port.ts';

/** A STEER or INFO as an agent gets it. */
export const messageOf = ({ id, signal }: PendingSignal): Message => ({
  id,
  kind: signal.type === 'STEER' ? 'STEER' : 'INFO',
  text: signal.message ?? '',
  ...(signal.from === undefined ? {} : { from: signal.from }),
  ...(signal.apply === undefined ? {} : { apply: signal.apply }),
  ...(signal.unproven === undefined ? {} : { unproven: true }),
});
