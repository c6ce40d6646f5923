import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

/** An MCP server with one tool, `task_update`, that answers "noted: <status>": what agents do with a server of anybody. */
export const startPlainMcpServer = async () => {
  const calls: string[] = [];
  const authorizations = new Set<string>();
  const sessions = new Map<string, StreamableHTTPServerTransport>();

  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new McpServer({ name: 'ralph', version: '1.0.0' });
    server.registerTool(
      'task_update',
      {
        description: 'Reports the status of the task.',
        inputSchema: { status: z.string() },
        // Claude hides other tools behind a search.
        _meta: { 'anthropic/alwaysLoad': true },
      },
      ({ status }) => {
        calls.push(status);
        return { content: [{ type: 'text', text: `noted: ${status}` }] };
      },
    );
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
      },
    });

    await server.connect(transport);
    return transport;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    authorizations.add(request.headers.authorization ?? 'none');
    const transport = sessions.get(String(request.headers['mcp-session-id'])) ?? (await open());
    await transport.handleRequest(request, response);
  };
  const http = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  http.unref();
  const { port } = z.object({ port: z.number() }).parse(http.address());
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    /** Every `Authorization` header that came. */
    authorizations,
    close: (): void => {
      http.close();
      http.closeAllConnections();
    },
  };
};
