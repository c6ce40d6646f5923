import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { isTooDeep } from '../../agents/bounded-json.ts';
import { toFault } from '../../base/fault.ts';
import { fromJson } from '../../base/json.ts';
import { createWorkerLine } from './answer-worker.ts';
import { type Listening, longestLine, requestSchema } from './wire.ts';
import type { TeamPorts } from './worker-line.ts';

/** Listens on loopback for workers of other programs. Rejects when no port can be opened. */
export const serveWorkers = async (
  ports: TeamPorts,
): Promise<{ readonly at: Listening; readonly close: () => void }> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, ports);
  });
  server.maxConnections = 64;
  // The program ends when its session has.
  server.unref();
  const port = await listen(server);
  return {
    at: { port, token: ports.token },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

const serve = (socket: Socket, ports: TeamPorts): void => {
  const line = createWorkerLine(ports);
  const over = new AbortController();
  socket.unref();
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    over.abort();
    line.lost();
  });
  let unread = 0;
  socket.on('data', (piece: Buffer) => {
    // Counts what came without a line's end: readline alone would keep all of it.
    const end = piece.lastIndexOf(10);
    unread = end === -1 ? unread + piece.length : piece.length - end - 1;
    if (unread > longestLine) socket.destroy();
  });
  const send = (response: object): void => void socket.write(`${JSON.stringify(response)}\n`);
  createInterface({ input: socket }).on('line', (text) => {
    const request = isTooDeep(text) ? null : requestSchema.safeParse(fromJson(text)).data;
    if (!request) return socket.destroy();
    line.answer(request.call, request.with, over.signal).then(
      (answer) => send({ id: request.id, answer }),
      (error: unknown) => send({ id: request.id, error: toFault(error, request.call).what }),
    );
  });
};

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port was opened'));
      else resolve(address.port);
    });
  });
