import { type AnyMessage, ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import type { Child } from '../../../../base/process/spawn.ts';
import { createMessageLines } from './message-lines.ts';

export interface AgentStreamPorts {
  /** The process to write to. Called only after it has started. */
  readonly child: () => Child;
  readonly noise: (bytes: Uint8Array) => void;
  /**
   * Receives the parameters of each `session/update`, in order and before the answer to its prompt. They bypass the SDK, which prints an error for
   * every odd one.
   */
  readonly update: (params: unknown) => void;
}

/** Both ends of an agent's pipes in the form that the SDK needs. */
export interface AgentStream {
  readonly stream: Stream;
  /** Takes the bytes of the agent's stdout as they arrive. */
  readonly take: (bytes: Uint8Array) => void;
  /** Ends the stream after the agent's exit: readers get the end of file. */
  readonly end: () => void;
}

/**
 * The transport of one agent. The SDK prints errors to the console for messages that are neither request nor response, and for responses to unknown
 * requests. Such messages, and lines that are no messages, go to `noise` instead.
 */
export const createAgentStream = ({ child, noise, update }: AgentStreamPorts): AgentStream => {
  let ended = false;
  let input: ReadableStreamDefaultController<Uint8Array> | null = null;
  const lines = createMessageLines(noise);
  const readable = new ReadableStream<Uint8Array>({
    start: (controller) => {
      input = controller;
    },
  });
  const writable = new WritableStream<Uint8Array>({ write: (bytes) => child().write(bytes) });
  return {
    stream: guarded(
      ndJsonStream(writable, readable),
      (message) => noise(new TextEncoder().encode(`${JSON.stringify(message)}\n`)),
      update,
    ),
    take: (bytes) => {
      if (!ended) for (const piece of lines(bytes)) input?.enqueue(piece);
    },
    end: () => {
      if (ended) return;
      ended = true;
      input?.close();
    },
  };
};

/** Filters messages that the SDK would only print an error for. */
const guarded = (
  { readable, writable }: Stream,
  odd: (message: AnyMessage) => void,
  update: (params: unknown) => void,
): Stream => {
  const asked = new Set<unknown>();
  const isOurs = (message: AnyMessage): boolean => {
    if ('method' in message) return typeof message.method === 'string';
    return 'id' in message && asked.delete(message.id);
  };
  const incoming = new TransformStream<AnyMessage, AnyMessage>({
    transform: (message, controller) => {
      if ('method' in message && !('id' in message) && message.method === 'session/update')
        update(message.params);
      else if (isOurs(message)) controller.enqueue(message);
      else odd(message);
    },
  });
  const outgoing = new TransformStream<AnyMessage, AnyMessage>({
    transform: (message, controller) => {
      if ('method' in message && 'id' in message) asked.add(message.id);
      controller.enqueue(message);
    },
  });
  // Both ends notice a broken pipe themselves: a read ends, a write rejects.
  outgoing.readable.pipeTo(writable).catch(() => {});
  return { readable: readable.pipeThrough(incoming), writable: outgoing.writable };
};
