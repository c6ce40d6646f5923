import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  isInitializeRequest,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Message } from '../agents/port.ts';
import type { ToolCalls } from '../agents/tools.ts';
import type { Clock } from '../base/clock.ts';
import { toFault } from '../base/fault.ts';
import type { Random } from '../base/random.ts';
import { callTool } from './call-tool.ts';
import { inputSchema } from './input-schema.ts';
import { createPatience } from './patience.ts';
import { tools } from './tools/index.ts';

export interface SessionPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Name and version, for the agent's log. */
  readonly program: string;
}

/** The MCP sessions of one worker: an agent may connect again, and several of its processes may connect at once. */
export interface WorkerSessions {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  /** Ends waiting calls at once and serves nothing afterwards. */
  close(): void;
}

/** The most open sessions of one worker. A further one closes the oldest. */
const mostSessions = 16;

/** One running call: its abort controller and the messages in its result. */
interface Call {
  readonly hungUp: AbortController;
  messages: readonly Message[];
}

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  /** By JSON-RPC id. An entry stays until its answer was sent completely. */
  readonly running: Map<string | number, Call>;
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
  const server = new McpServer(
    { name: 'ralph', version: ports.program },
    { capabilities: { tools: {} }, instructions },
  );
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: shownTools() }));
  server.server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, requestId }) => {
    const call: Call = { hungUp: new AbortController(), messages: [] };
    signal.addEventListener('abort', () => call.hungUp.abort(), { once: true });
    running.set(requestId, call);
    const called = await answer(ports, calls, params, call.hungUp.signal);
    call.messages = called.messages;
    if (call.hungUp.signal.aborted) miss(calls, call);
    return called.result;
  });
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

const answer = async (
  { clock }: SessionPorts,
  calls: ToolCalls,
  { name, arguments: input }: { readonly name: string; readonly arguments?: unknown },
  hungUp: AbortSignal,
): Promise<{ readonly result: CallToolResult; readonly messages: readonly Message[] }> => {
  const tool = tools.find((known) => known.name === name);
  if (!tool) {
    const error = `There is no tool "${name}"; there are ${tools.map((known) => known.name).join(', ')}.`;
    return { result: resultOf({ error }, true), messages: [] };
  }
  try {
    const called = await callTool(tool, calls, input, createPatience(clock, hungUp));
    return { result: resultOf(called.body, called.failed), messages: called.messages };
  } catch (error) {
    return { result: resultOf({ error: toFault(error, name).what }, true), messages: [] };
  }
};

const resultOf = (body: Readonly<Record<string, unknown>>, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(body, null, 1) }],
  ...(isError ? { isError } : {}),
});

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

const reach = (calls: ToolCalls, call: Call): void => {
  const messages = takeMessages(call);
  if (messages.length > 0) calls.reached(messages);
};

const miss = (calls: ToolCalls, call: Call): void => {
  const messages = takeMessages(call);
  if (messages.length > 0) calls.missed(messages);
};

const takeMessages = (call: Call): readonly Message[] => {
  const { messages } = call;
  call.messages = [];
  return messages;
};

/** `anthropic/alwaysLoad`: without it Claude's agent hides tools behind a search (agents.md, table). */
const shownTools = () =>
  tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: { ...inputSchema(tool), type: 'object' as const },
    annotations: { readOnlyHint: tool.readOnly, destructiveHint: false, openWorldHint: false },
    _meta: { 'anthropic/alwaysLoad': true },
  }));

const instructions = `Tools of the session you work in. Every result may carry messages of the person in charge: read "messages" and "next" in each.
Call check_signals after each step. Report your result with task_update before you end your turn.`;
