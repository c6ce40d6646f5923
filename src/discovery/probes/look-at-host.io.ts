import { connect } from 'node:net';
import type { Clock } from '../../base/clock.ts';

/** Tells whether a host's port answers. Sends nothing. Resolves within `timeoutMs`, also when the signal aborts. */
type LookAtHost = (host: string, port: number, timeoutMs: number, signal: AbortSignal) => Promise<boolean>;

export const createLookAtHost =
  (clock: Clock): LookAtHost =>
  (host, port, timeoutMs, signal) =>
    new Promise((resolve) => {
      const socket = connect({ host, port });
      const end = (answer: boolean) => (): void => {
        cancel();
        socket.destroy();
        resolve(answer);
      };
      const cancel = clock.after(timeoutMs, end(false));
      socket.once('connect', end(true));
      socket.once('error', end(false));
      signal.addEventListener('abort', end(false), { once: true });
    });
