import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fromJson } from '../../base/json.ts';
import { type Listening, responseSchema } from './wire.ts';

/** One connection to the program that runs the session. */
export interface HostLine {
  /** Rejects with the host's sentence, or when the connection breaks. */
  call(name: string, input: unknown): Promise<unknown>;
  readonly isOpen: () => boolean;
  close(): void;
}

/** Connects to a host. Rejects when nothing listens there. */
export const callHost = async ({ port }: Listening): Promise<HostLine> => {
  const socket = await opened(port);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  let isOpen = true;
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    isOpen = false;
    for (const { reject } of waiting.values()) reject(new Error(gone));
    waiting.clear();
  });
  createInterface({ input: socket }).on('line', (text) => {
    const response = responseSchema.safeParse(fromJson(text)).data;
    const call = response && waiting.get(response.id);
    if (!response || !call) return;
    waiting.delete(response.id);
    if ('error' in response) call.reject(new Error(response.error));
    else call.resolve(response.answer);
  });
  return {
    isOpen: () => isOpen,
    close: () => void socket.destroy(),
    call: (name, input) => {
      if (!isOpen) return Promise.reject(new Error(gone));
      last += 1;
      const call = Promise.withResolvers<unknown>();
      waiting.set(last, call);
      socket.write(`${JSON.stringify({ id: last, call: name, with: input })}\n`);
      return call.promise;
    },
  };
};

const gone = 'the program that runs the session has ended';

const opened = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    // The program ends when the other end of its stdin does.
    socket.once('connect', () => resolve(socket.unref()));
    socket.once('error', reject);
  });
