import {
  CancellationTokenSource,
  createMessageConnection,
  type DataCallback,
  Emitter,
  ErrorCodes,
  type Message,
  type MessageReader,
  type MessageWriter,
  type PartialMessageInfo,
  ResponseError,
} from 'vscode-jsonrpc/node';
import { z } from 'zod';
import { type Fault, FaultError, toFault } from '../../base/fault.ts';
import { faultSchema } from '../wire/fields.ts';
import type { Method, Notice } from '../wire/method.ts';
import type { MessageKind } from './outbox.ts';

/** Requests, answers and cancellations over a link: JSON-RPC by `vscode-jsonrpc`. Each message is checked by the schema of its method on both sides. */
export interface Peer {
  /** Rejects with a `FaultError`: the other side's fault, or that the link ended. `signal` cancels the request there. */
  request<P extends z.ZodType, R extends z.ZodType>(
    method: Method<P, R>,
    params: z.input<P>,
    signal?: AbortSignal,
  ): Promise<z.output<R>>;
  notify<P extends z.ZodType>(notice: Notice<P>, params: z.input<P>): void;
  /** Answers the requests of a method. `over` aborts when the other side cancels. */
  handle<P extends z.ZodType, R extends z.ZodType>(
    method: Method<P, R>,
    answer: (params: z.output<P>, over: AbortSignal) => Promise<z.input<R>>,
  ): void;
  on<P extends z.ZodType>(notice: Notice<P>, take: (params: z.output<P>) => void): void;
  /** Takes a message that the link delivered. */
  take(body: unknown): void;
  /** Rejects every open request. Later ones are rejected at once. */
  end(why: Fault): void;
}

interface PeerPorts {
  readonly send: (body: unknown, kind: MessageKind) => void;
  /** A message of the other side that fits no schema: nothing of it was done. */
  readonly odd: (fault: Fault) => void;
}

export const createPeer = (ports: PeerPorts): Peer => {
  const reader = createReader();
  const connection = createMessageConnection(reader, createWriter(ports));
  const open = new Set<(error: FaultError) => void>();
  let over: Fault | null = null;
  connection.onError(([error]) => ports.odd(toFault(error)));
  connection.listen();
  return {
    request: async (method, params, signal) => {
      if (over !== null) throw new FaultError(over);
      const source = new CancellationTokenSource();
      const cancel = (): void => source.cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) source.cancel();
      const ended = Promise.withResolvers<never>();
      open.add(ended.reject);
      try {
        const sent = connection.sendRequest<unknown>(method.name, params, source.token);
        // A link that ended answers nothing more.
        sent.catch(() => undefined);
        return checked(method.result, await Promise.race([sent, ended.promise]), method.name);
      } catch (error) {
        throw error instanceof ResponseError ? new FaultError(faultOf(error)) : error;
      } finally {
        open.delete(ended.reject);
        signal?.removeEventListener('abort', cancel);
      }
    },
    notify: (notice, params) => {
      if (over === null) void connection.sendNotification(notice.name, params);
    },
    handle: (method, answer) => {
      connection.onRequest(method.name, async (params, token) => {
        const controller = new AbortController();
        const listening = token.onCancellationRequested(() => controller.abort());
        if (token.isCancellationRequested) controller.abort();
        try {
          return await answer(checked(method.params, params, method.name), controller.signal);
        } catch (error) {
          const fault = toFault(error);
          throw new ResponseError(ErrorCodes.InternalError, fault.what, fault);
        } finally {
          listening.dispose();
        }
      });
    },
    on: (notice, take) => {
      connection.onNotification(notice.name, (params: unknown) => {
        const read = notice.params.safeParse(params);
        if (read.success) take(read.data);
        else ports.odd(unfit(notice.name, read.error));
      });
    },
    take: (body) => {
      const read = messageSchema.safeParse(body);
      if (read.success) reader.push(read.data);
      else
        ports.odd({
          code: 'link-message',
          what: 'it sent a message that is neither a request nor an answer',
        });
    },
    end: (why) => {
      if (over !== null) return;
      over = why;
      for (const reject of open) reject(new FaultError(why));
      connection.dispose();
    },
  };
};

const messageSchema = z.looseObject({ jsonrpc: z.literal('2.0') });

const checked = <S extends z.ZodType>(schema: S, value: unknown, name: string): z.output<S> => {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new FaultError(unfit(name, read.error));
};

const unfit = (name: string, error: z.ZodError): Fault => {
  const [issue] = error.issues;
  const at = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  return {
    code: 'link-message',
    what: `"${name}" over the link does not follow the protocol${at}: ${issue?.message ?? ''}`,
  };
};

const faultOf = (error: ResponseError<unknown>): Fault => {
  const read = faultSchema.safeParse(error.data);
  if (!read.success) return { code: 'link-answer', what: error.message };
  const { code, what, where, hint } = read.data;
  return { code, what, ...(where === undefined ? {} : { where }), ...(hint === undefined ? {} : { hint }) };
};

/** The link as `vscode-jsonrpc` reads it. It never ends or fails by itself: the link reports that. */
const createReader = (): MessageReader & { push(message: Message): void } => {
  let callback: DataCallback = () => undefined;
  return {
    onError: new Emitter<Error>().event,
    onClose: new Emitter<void>().event,
    onPartialMessage: new Emitter<PartialMessageInfo>().event,
    listen: (taken) => {
      callback = taken;
      return { dispose: () => undefined };
    },
    dispose: () => {
      callback = () => undefined;
    },
    push: (message) => callback(message),
  };
};

const createWriter = ({ send }: PeerPorts): MessageWriter => ({
  onError: new Emitter<[Error, Message | undefined, number | undefined]>().event,
  onClose: new Emitter<void>().event,
  write: async (message) => send(message, kindOf(message)),
  end: () => undefined,
  dispose: () => undefined,
});

const outputSchema = z.object({
  method: z.literal('output'),
  params: z.looseObject({ data: z.string() }),
});

/** Output may be dropped: a count of its bytes then stands for it. */
const kindOf = (message: Message): MessageKind => {
  const read = outputSchema.safeParse(message);
  if (!read.success) return 'fact';
  const { data, ...of } = read.data.params;
  const bytes = Buffer.byteLength(data, 'base64');
  return { output: { jsonrpc: '2.0', method: 'dropped', params: { ...of, bytes } } };
};
