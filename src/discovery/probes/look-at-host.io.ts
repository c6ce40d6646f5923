import { connect } from 'node:net';
import { afterAwake } from '../../base/after-awake.ts';
import type { Clock } from '../../base/clock.ts';

/** Tells whether a host's port answers. Sends nothing. Resolves within `timeoutMs` of this program's own running time, also when the signal aborts. */
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
      const cancel = afterAwake(clock, timeoutMs, end(false));
      socket.once('connect', end(true));
      socket.once('error', end(false));
      signal.addEventListener('abort', end(false), { once: true });
    });
