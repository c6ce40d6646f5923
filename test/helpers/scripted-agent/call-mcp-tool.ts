import { z } from 'zod';
import type { Params } from './wire.ts';

const pairs = z.array(z.object({ name: z.string(), value: z.string() }));
const serversSchema = z.object({
  mcpServers: z.array(
    z.union([
      z.object({ type: z.literal('http'), url: z.string(), headers: pairs }),
      z.object({ command: z.string(), args: z.array(z.string()), env: pairs }),
    ]),
  ),
});

const asRecord = (list: z.infer<typeof pairs>): Record<string, string> =>
  Object.fromEntries(list.map(({ name, value }) => [name, value]));

/** Calls a tool of the first server named in the parameters of `session/new`, over a connection of its own. */
export const callMcpTool = async (
  session: Params,
  name: string,
  input: Params,
  signal: AbortSignal,
): Promise<unknown> => {
  const server = serversSchema.parse(session).mcpServers[0];
  if (!server) throw new Error('the client gave no MCP server');
  // Loaded late: an agent that calls no tool starts faster.
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const client = new Client({ name: 'scripted-agent', version: '1.0.0' });
  await client.connect(await transportTo(server));
  try {
    return await client.callTool({ name, arguments: { ...input } }, undefined, { signal, timeout: 120_000 });
  } finally {
    await client.close();
  }
};

const transportTo = async (server: z.infer<typeof serversSchema>['mcpServers'][number]) => {
  if ('url' in server) {
    const { StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/sdk/client/streamableHttp.js'
    );
    return new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: asRecord(server.headers) },
    });
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  return new StdioClientTransport({
    command: server.command,
    args: server.args,
    env: { ...asRecord(server.env) },
  });
};
