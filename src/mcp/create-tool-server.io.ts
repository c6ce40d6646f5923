import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { boundedJson, deepestJson } from '../agents/bounded-json.ts';
import type { AgentTools } from '../agents/tools.ts';
import { FaultError } from '../base/fault.ts';
import { type Connections, createConnections } from './connections.io.ts';
import { bearerOf, largestBody, refusalOf, toolsPath } from './refusal.ts';
import {
  createWorkerSessions,
  refuse,
  type SessionPorts,
  type WorkerSessions,
} from './worker-sessions.io.ts';

/**
 * Our tools over Streamable HTTP on loopback, in the engine's process (src/agents/README.md, "Our MCP tools for agents"). The port opens for the first worker. A
 * session without such a worker has no server.
 */
export const createToolServer = (ports: SessionPorts): AgentTools => {
  /** Keyed by the token's hash, so that no comparison of secrets leaks timing. */
  const workers = new Map<string, WorkerSessions>();
  const connections = createConnections();
  let listening: Promise<Listening> | null = null;

  const serve = async (request: IncomingMessage, response: ServerResponse, port: number): Promise<void> => {
    const { method = '', headers } = request;
    const refusal = refusalOf(
      {
        method,
        path: new URL(request.url ?? '/', 'http://127.0.0.1').pathname,
        host: headers.host,
        origin: headers.origin,
        authorization: headers.authorization,
        length: headers['content-length'],
      },
      port,
      (token) => workers.has(keyOf(token)),
    );
    if (refusal) return refuse(response, refusal.status, refusal.message);
    const key = keyOf(bearerOf(headers.authorization) ?? '');
    connections.proven(request.socket, key);
    const body: Body = method === 'POST' ? await readBody(request) : { kind: 'json', value: undefined };
    if (body.kind === 'large')
      return refuse(response, 413, `A request body may be at most ${largestBody} bytes long.`);
    if (body.kind === 'broken')
      return refuse(response, 400, ` The body is not JSON, or is nested deeper than ${deepestJson} levels.`);
    // The worker may have ended while the body arrived.
    const worker = workers.get(key);
    if (!worker) return refuse(response, 401, 'The token is wrong, or its worker has ended.');
    await worker.handle(request, response, body.value);
  };

  return {
    open: async (calls) => {
      listening ??= listen(serve, connections);
      const { port } = await listening.catch((error: unknown) => {
        listening = null;
        throw error;
      });
      // Its form is one that `redact` knows: no log, journal or screen shows it.
      const token = `ralph_mcp_${ports.random.hex(64)}`;
      const sessions = createWorkerSessions(ports, calls);
      workers.set(keyOf(token), sessions);
      return {
        name: 'ralph',
        url: `http://127.0.0.1:${port}${toolsPath}`,
        token,
        close: () => {
          workers.delete(keyOf(token));
          sessions.close();
        },
      };
    },
    close: async () => {
      for (const sessions of workers.values()) sessions.close();
      workers.clear();
      const opened = await listening?.catch(() => null);
      listening = null;
      if (opened) await closeServer(opened.server);
    },
  };
};

const keyOf = (token: string): string => createHash('sha256').update(token).digest('hex');

interface Listening {
  readonly server: Server;
  readonly port: number;
}

type Serve = (request: IncomingMessage, response: ServerResponse, port: number) => Promise<void>;

/** Milliseconds. A request arrives at once on loopback; its answer may take as long as it takes. */
const limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
};

const listen = (serve: Serve, connections: Connections): Promise<Listening> => {
  const opened = Promise.withResolvers<Listening>();
  const server = createServer(limits, (request, response) => {
    serve(request, response, portOf(server)).catch(() => {
      // A request that breaks off has no client left to answer.
      if (!response.headersSent) refuse(response, 500, 'The request could not be served.');
      else response.destroy();
    });
  });
  server.on('connection', connections.opened);
  // The program exits when its sessions have ended, even if clients are still connected.
  server.unref();
  server.once('error', (error) =>
    opened.reject(
      new FaultError({
        code: 'tools-port',
        what: `no port could be opened for ralph-tui's tools: ${error.message}`,
        where: '127.0.0.1',
        hint: 'allow this program to listen on loopback',
      }),
    ),
  );
  server.listen(0, '127.0.0.1', () => opened.resolve({ server, port: portOf(server) }));
  return opened.promise;
};

const portOf = (server: Server): number => {
  const address = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'large' }
  | { readonly kind: 'broken' };

/** Reads a body up to its limit and drops the rest. Rejects when the connection breaks. */
const readBody = (request: IncomingMessage): Promise<Body> => {
  const read = Promise.withResolvers<Body>();
  const pieces: Buffer[] = [];
  let size = 0;
  request.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size <= largestBody) pieces.push(piece);
    else {
      request.pause();
      read.resolve({ kind: 'large' });
    }
  });
  request.once('error', read.reject);
  request.once('end', () => read.resolve(parseBody(Buffer.concat(pieces).toString('utf8'))));
  return read.promise;
};

const parseBody = (text: string): Body => {
  const value = boundedJson(text);
  // Invalid JSON gets an answer too: 400.
  return value === undefined ? { kind: 'broken' } : { kind: 'json', value };
};
