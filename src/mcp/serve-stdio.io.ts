import type { Readable, Writable } from 'node:stream';
import { createToolsServer, miss, type RunningCalls, reach, type ServedTools } from './served-tools.io.ts';
import { createStdioTransport } from './stdio-transport.io.ts';
import type { Turn } from './tool.ts';

/** The two ends of the connection, and the last look at what goes out. */
interface Ends {
  readonly input: Readable;
  readonly output: Writable;
  readonly redact: (text: string) => string;
}

/** Serves tools over stdin and stdout until the other program closes its end. */
export const serveStdio = async <C extends Turn>(
  served: ServedTools<C>,
  { input, output, redact }: Ends,
): Promise<void> => {
  const running: RunningCalls = new Map();
  const settle = (id: string | number, how: typeof reach | typeof miss): void => {
    const call = running.get(id);
    running.delete(id);
    if (call) how(served.calls, call);
  };
  const transport = createStdioTransport(input, output, {
    sent: (id) => settle(id, reach),
    lost: (id) => settle(id, miss),
    redact,
  });
  await createToolsServer(served, running).connect(transport);
  await transport.ended;
  for (const [id, { hungUp }] of [...running]) {
    hungUp.abort();
    settle(id, miss);
  }
};
