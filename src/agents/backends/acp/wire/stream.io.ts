import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { Child } from '../../../../base/process/spawn.ts';
import { boundedJson, deepestJson, isTooDeep } from '../../../bounded-json.ts';
import { createMessageLines, largestMessage } from './message-lines.ts';

interface AgentStreamPorts {
  /** The process to write to. Called only after it has started. */
  readonly child: () => Child;
  readonly noise: (bytes: Uint8Array) => void;
  /**
   * Receives the parameters of each `session/update`, in order and before the answer to its prompt. They bypass the SDK, which prints an error for
   * every odd one.
   */
  readonly update: (params: unknown) => void;
  /** The agent sent a message that nothing reads. Nothing more of it is read. Called once, with what was wrong. */
  readonly broken: (what: string) => void;
}

/** Both ends of an agent's pipes in the form that the SDK needs. */
interface AgentStream {
  readonly stream: Stream;
  /** Takes the bytes of the agent's stdout as they arrive. Never throws. */
  readonly take: (bytes: Uint8Array) => void;
  /** Ends the stream after the agent's exit: readers get the end of file. */
  readonly end: () => void;
}

/**
 * The transport of one agent, with a bound for each message: one agent's fault ends its turn, and nothing else. The SDK prints errors to the console
 * for messages that are neither request nor response, and for responses to unknown requests. Such messages, and lines that are no messages, go to
 * `noise` instead.
 */
export const createAgentStream = ({ child, noise, update, broken }: AgentStreamPorts): AgentStream => {
  const asked = new Set<unknown>();
  const encoder = new TextEncoder();
  let ended = false;
  let input: ReadableStreamDefaultController<AnyMessage> | null = null;
  const end = (): void => {
    if (ended) return;
    ended = true;
    input?.close();
  };
  const fail = (what: string): void => {
    if (ended) return;
    broken(what);
    end();
  };
  const isOurs = (message: AnyMessage): boolean => {
    if ('method' in message) return typeof message.method === 'string';
    return 'id' in message && asked.delete(message.id);
  };
  const take = (text: string): void => {
    if (ended) return;
    if (isTooDeep(text)) {
      fail(`a message nested more than ${deepestJson} levels deep`);
      return;
    }
    const { data: message } = messageSchema.safeParse(boundedJson(text));
    if (message === undefined) noise(encoder.encode(text));
    else if (message.method === 'session/update' && !('id' in message)) update(message.params);
    else if (isOurs(message)) input?.enqueue(message);
    else noise(encoder.encode(text));
  };
  const lines = createMessageLines({
    message: take,
    noise,
    tooLarge: () => fail(`a message of more than ${largestMessage / 1_048_576} MB`),
  });
  return {
    stream: {
      readable: new ReadableStream<AnyMessage>({
        start: (controller) => {
          input = controller;
        },
        cancel: () => {
          ended = true;
        },
      }),
      writable: new WritableStream<AnyMessage>({
        write: (message) => {
          if ('method' in message && 'id' in message) asked.add(message.id);
          return child().write(encoder.encode(`${JSON.stringify(message)}\n`));
        },
      }),
    },
    take: (bytes) => {
      if (!ended) lines(bytes);
    },
    end,
  };
};

/** What the SDK takes for a message; it checks the rest. */
const messageSchema = z.custom<AnyMessage & { readonly method?: string; readonly params?: unknown }>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
