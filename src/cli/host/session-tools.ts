import type { AgentTools } from '../../agents/tools.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';

/** Our tools for the agents of one engine. The server loads with the first agent: most script sessions need neither. */
export const lazyTools = (world: World, traceparent?: string): AgentTools => {
  let server: Promise<AgentTools> | null = null;
  const load = async (): Promise<AgentTools> => {
    const { createToolServer } = await import('../../mcp/create-tool-server.io.ts');
    return createToolServer({ ...world, program: `ralph-tui ${version}`, traceparent });
  };
  return {
    open: async (calls) => {
      server ??= load();
      return (await server).open(calls);
    },
    close: async () => {
      const opened = server;
      server = null;
      await (await opened)?.close();
    },
  };
};
