import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Message } from '../agents/port.ts';
import type { Clock } from '../base/clock.ts';
import { toFault } from '../base/fault.ts';
import { callTool } from './call-tool.ts';
import { inputSchema } from './input-schema.ts';
import { createPatience } from './patience.ts';
import type { Tool, Turn } from './tool.ts';

/** What an MCP server of ours offers, over whatever transport. */
export interface ServedTools<C extends Turn> {
  readonly clock: Clock;
  /** Name and version, for the agent's log. */
  readonly program: string;
  readonly tools: readonly Tool<C>[];
  readonly calls: C;
  /** The trace that the answers belong to, as W3C writes it; absent without one. */
  readonly traceparent?: string | undefined;
  /** For the model, as part of the handshake. */
  readonly instructions: string;
  /** Called with the client's name for itself. */
  readonly met?: (client: string) => void;
  /** Called when the agent asks for the list. */
  readonly listed?: () => void;
}

/** One running call: its abort controller and the messages in its result. */
interface RunningCall {
  readonly hungUp: AbortController;
  messages: readonly Message[];
}

/** By JSON-RPC id. The transport removes an entry when its answer was sent completely, or can no longer be sent. */
export type RunningCalls = Map<string | number, RunningCall>;

/** A server that lists and calls the tools, not connected yet. */
export const createToolsServer = <C extends Turn>(
  served: ServedTools<C>,
  running: RunningCalls,
): McpServer => {
  const server = new McpServer(
    { name: 'ralph', version: served.program },
    { capabilities: { tools: {} }, instructions: served.instructions },
  );
  // A client that sends its first call together with the handshake is known only with that call.
  const meet = (): void => {
    const client = server.server.getClientVersion();
    if (client) served.met?.(client.name);
  };
  server.server.oninitialized = meet;
  server.server.setRequestHandler(ListToolsRequestSchema, () => {
    served.listed?.();
    return { tools: shownTools(served.tools) };
  });
  server.server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, requestId }) => {
    meet();
    const call: RunningCall = { hungUp: new AbortController(), messages: [] };
    signal.addEventListener('abort', () => call.hungUp.abort(), { once: true });
    running.set(requestId, call);
    const called = await answer(served, params, call.hungUp.signal);
    call.messages = called.messages;
    if (call.hungUp.signal.aborted) miss(served.calls, call);
    const { traceparent } = served;
    return traceparent === undefined ? called.result : { ...called.result, _meta: { traceparent } };
  });
  return server;
};

/** Reports the messages of a call whose answer was sent. */
export const reach = (calls: Pick<Turn, 'reached'>, call: RunningCall): void => {
  const messages = takeMessages(call);
  if (messages.length > 0) calls.reached(messages);
};

/** Gives back the messages of a call whose answer nobody got. */
export const miss = (calls: Pick<Turn, 'missed'>, call: RunningCall): void => {
  const messages = takeMessages(call);
  if (messages.length > 0) calls.missed(messages);
};

const takeMessages = (call: RunningCall): readonly Message[] => {
  const { messages } = call;
  call.messages = [];
  return messages;
};

const answer = async <C extends Turn>(
  { clock, calls, tools }: ServedTools<C>,
  { name, arguments: input }: { readonly name: string; readonly arguments?: unknown },
  hungUp: AbortSignal,
): Promise<{ readonly result: CallToolResult; readonly messages: readonly Message[] }> => {
  const tool = tools.find((known) => known.name === name);
  if (!tool) {
    const error = `Unknown tool "${name}"; available: ${tools.map((known) => known.name).join(', ')}.`;
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

/** `anthropic/alwaysLoad`: without it Claude's agent hides tools behind a search (src/agents/README.md, Dependencies and profiles). */
const shownTools = (tools: readonly Omit<Tool<never>, 'call'>[]) =>
  tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: { ...inputSchema(tool), type: 'object' as const },
    annotations: { readOnlyHint: tool.readOnly, destructiveHint: false, openWorldHint: false },
    _meta: { 'anthropic/alwaysLoad': true },
  }));
