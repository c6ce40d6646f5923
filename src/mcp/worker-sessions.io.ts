import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ToolCalls } from '../agents/tools.ts';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { createToolsServer, miss, type RunningCalls, reach } from './served-tools.io.ts';
import { tools } from './tools/index.ts';

export interface SessionPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Name and version, for the agent's log. */
  readonly program: string;
  /** The trace of the session, as W3C writes it; absent without one. */
  readonly traceparent?: string | undefined;
}

/** The MCP sessions of one worker: an agent may connect again, and several of its processes may connect at once. */
export interface WorkerSessions {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  /** Ends waiting calls at once and serves nothing afterwards. */
  close(): void;
}

/** The most open sessions of one worker. A further one closes the oldest. */
const mostSessions = 16;

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  /** By JSON-RPC id. An entry stays until its answer was sent completely. */
  readonly running: RunningCalls;
  close(): void;
}

export const createWorkerSessions = (ports: SessionPorts, calls: ToolCalls): WorkerSessions => {
  const sessions = new Map<string, Session>();

  const open = async (): Promise<Session> => {
    const oldest = [...sessions.values()][0];
    if (sessions.size >= mostSessions) oldest?.close();
    const session = createSession(ports, calls, {
      opened: (id) => sessions.set(id, session),
      closed: (id) => sessions.delete(id),
    });
    await session.connect();
    return session;
  };

  return {
    handle: async (request, response, body) => {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && !known) return refuse(response, 404, 'This MCP session has ended.');
      if (!known && !isInitializeRequest(body))
        return refuse(response, 400, 'An MCP session begins with initialize.');
      const session = known ?? (await open());
      watchAnswer(session, idsIn(body), calls, response);
      await session.transport.handleRequest(request, response, body);
    },
    close: () => {
      for (const session of sessions.values()) session.close();
      sessions.clear();
    },
  };
};

/** A JSON-RPC error in the form of the SDK's own transport. */
export const refuse = (response: ServerResponse, status: number, message: string): void => {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
};

const createSession = (
  ports: SessionPorts,
  calls: ToolCalls,
  listen: { readonly opened: (id: string) => void; readonly closed: (id: string) => void },
): Session & { connect(): Promise<void> } => {
  const running: Session['running'] = new Map();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => ports.random.hex(32),
    onsessioninitialized: listen.opened,
  });
  const server = createToolsServer(
    {
      clock: ports.clock,
      program: ports.program,
      traceparent: ports.traceparent,
      tools,
      calls,
      instructions,
      listed: () => calls.listed?.(),
    },
    running,
  );
  return {
    transport,
    running,
    connect: async () => {
      await server.connect(transport);
      const ended = transport.onclose;
      transport.onclose = () => {
        listen.closed(transport.sessionId ?? '');
        ended?.();
      };
    },
    close: () => {
      for (const { hungUp } of running.values()) hungUp.abort();
      // A closed server answers nothing, and a failed second close affects nobody.
      server.close().catch(() => {});
    },
  };
};

/** Ids of the requests in one body. A notification has none. */
const idsIn = (body: unknown): readonly (string | number)[] =>
  (Array.isArray(body) ? body : [body]).flatMap((message) => {
    const parsed = z.object({ id: z.union([z.string(), z.number()]), method: z.string() }).safeParse(message);
    return parsed.success ? [parsed.data.id] : [];
  });

/**
 * Watches the connection of an answer. Reports its messages once they are sent. If the connection breaks before, ends the call's wait and gives them
 * back.
 */
const watchAnswer = (
  { running }: Session,
  ids: readonly (string | number)[],
  calls: ToolCalls,
  response: ServerResponse,
): void => {
  response.once('close', () => {
    for (const id of ids) {
      const call = running.get(id);
      running.delete(id);
      if (!call) continue;
      if (response.writableFinished) reach(calls, call);
      else {
        call.hungUp.abort();
        miss(calls, call);
      }
    }
  });
};

const instructions = `Tools of the session you work in. Every result may carry messages from the person in charge: read "messages" and "next" in each.
Your prompt says how you get messages, and how you report your result.`;
