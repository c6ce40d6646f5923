import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { boundedJson, deepestJson } from '../agents/bounded-json.ts';
import { largestBody } from './refusal.ts';

/** Longer lines are not even held to read their id: 16 MiB. */
const longestLine = 16_777_216;

/** What became of an answer, by the id of its request. */
interface AnswerWatch {
  readonly sent: (id: string | number) => void;
  readonly lost: (id: string | number) => void;
  /** The last look at each line that goes out. */
  readonly redact: (text: string) => string;
}

/** A transport of MCP over two streams, and when its input ends. */
interface StdioTransport extends Transport {
  readonly ended: Promise<void>;
}

/**
 * MCP over stdin and stdout, one JSON message per line. The SDK's own transport ends the connection at a message that is too large and drops one that is
 * no JSON in silence; this one answers both with an error and reads on. `output` gets nothing but protocol.
 */
export const createStdioTransport = (
  input: Readable,
  output: Writable,
  watch: AnswerWatch,
): StdioTransport => {
  const ended = Promise.withResolvers<void>();
  /** Requests that have no answer yet. */
  const open = new Set<string | number>();
  let isOver = false;

  const write = (message: JSONRPCMessage | Refused): Promise<boolean> =>
    new Promise((resolve) => {
      output.write(`${watch.redact(JSON.stringify(message))}\n`, (error) => resolve(!error));
    });

  const take = (line: string): void => {
    const read = readLine(line);
    if (read.kind === 'message') {
      if ('method' in read.message && 'id' in read.message) open.add(read.message.id);
      transport.onmessage?.(read.message);
    }
    if (read.kind === 'refused') void write(read.refused);
  };

  const lines = createLines(take, () => void write(refused(null, -32600, tooLarge)));
  const close = async (): Promise<void> => {
    input.off('data', lines);
    ended.resolve();
    transport.onclose?.();
  };

  /** Requests that were piped in still get every answer. */
  const finish = (): void => {
    isOver = true;
    if (open.size === 0) void close();
  };

  const transport: StdioTransport = {
    ended: ended.promise,
    start: async () => {
      input.on('data', lines);
      input.once('end', finish);
      input.once('close', finish);
      input.once('error', finish);
    },
    send: async (message) => {
      const isSent = await write(message);
      if (!('id' in message) || 'method' in message || message.id === undefined) return;
      open.delete(message.id);
      if (isSent) watch.sent(message.id);
      else watch.lost(message.id);
      if (isOver) finish();
    },
    close,
  };
  return transport;
};

/** Cuts chunks into lines. A line that is too long is dropped up to its end. */
const createLines = (
  take: (line: string) => void,
  dropped: () => void,
): ((chunk: Buffer | string) => void) => {
  let pieces: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size > longestLine) pieces = [];
    else pieces.push(piece);
  };
  const finish = (): void => {
    if (size > longestLine) dropped();
    else take(Buffer.concat(pieces).toString('utf8'));
    pieces = [];
    size = 0;
  };
  return (chunk) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      add(bytes.subarray(from, at));
      finish();
      from = at + 1;
    }
    add(bytes.subarray(from));
  };
};

/** A JSON-RPC error whose id may be unknown. */
interface Refused {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

type ReadLine =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'refused'; readonly refused: Refused }
  | { readonly kind: 'blank' };

const tooLarge = `A message may be at most ${largestBody} bytes long.`;

const readLine = (line: string): ReadLine => {
  if (line.trim() === '') return { kind: 'blank' };
  const value = boundedJson(line);
  if (value === undefined)
    return refusal(null, -32700, `The line is not JSON, or is nested deeper than ${deepestJson} levels.`);
  const id = idSchema.safeParse(value).data?.id ?? null;
  if (line.length > largestBody) return refusal(id, -32600, tooLarge);
  const parsed = JSONRPCMessageSchema.safeParse(value);
  return parsed.success
    ? { kind: 'message', message: parsed.data }
    : refusal(id, -32600, 'The line is not a JSON-RPC message.');
};

const idSchema = z.object({ id: z.union([z.string(), z.number()]) });

const refused = (id: Refused['id'], code: number, message: string): Refused => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

const refusal = (...parts: Parameters<typeof refused>): ReadLine => ({
  kind: 'refused',
  refused: refused(...parts),
});
