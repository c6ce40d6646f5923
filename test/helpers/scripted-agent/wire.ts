import { createInterface } from 'node:readline';
import { z } from 'zod';

const messageSchema = z.object({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});

export type Params = Readonly<Record<string, unknown>>;

/** An answer of JSON-RPC; an error is thrown by a handler as one of these. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface WireHandlers {
  /** `undefined` leaves the request open for ever. */
  request(method: string, params: Params): Promise<unknown>;
  notification(method: string, params: Params): void;
  ended(): void;
}

/** JSON-RPC 2.0, one message a line, on stdin and stdout; by hand, because an SDK would refuse to misbehave. */
export const createWire = (handlers: WireHandlers) => {
  let nextId = 1;
  const open = new Map<number, (result: unknown) => void>();

  /** Resolves when the pipe has taken it, so that a flood does not grow in our own memory. */
  const raw = (text: string): Promise<void> =>
    process.stdout.write(text)
      ? Promise.resolve()
      : new Promise((resolve) => process.stdout.once('drain', resolve));
  const send = (message: object): Promise<void> => raw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  const answer = async (id: unknown, method: string, params: Params): Promise<void> => {
    try {
      const result = await handlers.request(method, params);
      if (result !== undefined) await send({ id, result });
    } catch (error) {
      const { code, message, data } =
        error instanceof RpcError
          ? error
          : new RpcError(-32603, error instanceof Error ? error.message : String(error));
      await send({ id, error: { code, message, ...(data === undefined ? {} : { data }) } });
    }
  };

  const receive = (line: string): void => {
    const message = messageSchema.parse(JSON.parse(line));
    const { id, method, params = {} } = message;
    if (method !== undefined && id !== undefined) void answer(id, method, params);
    else if (method !== undefined) handlers.notification(method, params);
    else if (typeof id === 'number') {
      open.get(id)?.(message.error === undefined ? message.result : null);
      open.delete(id);
    }
  };

  return {
    raw,
    notify: (method: string, params: object): Promise<void> => send({ method, params }),
    /** The result; `null` for an error. */
    request: (method: string, params: object): Promise<unknown> =>
      new Promise((resolve) => {
        const id = nextId;
        nextId += 1;
        open.set(id, resolve);
        void send({ id, method, params });
      }),
    listen: (): void => {
      createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
        .on('line', receive)
        .on('close', handlers.ended);
    },
  };
};

export type Wire = ReturnType<typeof createWire>;
