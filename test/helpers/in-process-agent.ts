import {
  type AgentContext,
  agent,
  methods,
  ndJsonStream,
  type PromptRequest,
  type PromptResponse,
} from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { Child, ChildExit, Spawn, SpawnCommand, SpawnListener } from '../../src/base/process/spawn.ts';

/** What the agent of a test does with a prompt; `say` sends a piece of its answer. */
export type PromptHandler = (ask: {
  readonly prompt: string;
  readonly sessionId: string;
  readonly client: AgentContext;
  readonly cancelled: AbortSignal;
  readonly say: (text: string) => Promise<void>;
  /** Resolves with the next message of the steering extension. */
  readonly steered: () => Promise<string>;
}) => Promise<PromptResponse['stopReason']>;

export interface InProcessAgents {
  readonly spawn: Spawn;
  /** Every prompt that came, in order: with a real model each would be a request. */
  readonly prompts: readonly string[];
  /** Agents that run. */
  readonly running: () => number;
}

/** What the agents of a test offer beside the protocol. */
export interface InProcessAbilities {
  /** The steering extension. */
  readonly steering?: boolean;
  /** The request that they never answer. */
  readonly hangsAt?: 'initialize' | 'session/new';
}

/**
 * Agents of the SDK in the test's own process: what `spawn` starts talks over streams in memory, so that a whole session can run on a manual
 * clock. `base` gives the identity and everything beside `start`.
 */
export const createInProcessAgents = (
  base: Spawn,
  handle: PromptHandler,
  abilities: InProcessAbilities = {},
): InProcessAgents => {
  const prompts: string[] = [];
  const running = new Map<number, { readonly marker: string; readonly end: (exit: ChildExit) => void }>();
  let lastPid = 5_000;

  const start = (command: SpawnCommand, listen: SpawnListener): Child => {
    lastPid += 1;
    const pid = lastPid;
    let settle: (exit: ChildExit) => void = () => {};
    const exit = new Promise<ChildExit>((resolve) => {
      settle = resolve;
    });
    const end = (how: ChildExit): void => {
      if (running.delete(pid)) settle(how);
    };
    running.set(pid, { marker: command.marker, end });
    const toAgent = new TransformStream<Uint8Array, Uint8Array>();
    const input = toAgent.writable.getWriter();
    const output = new WritableStream<Uint8Array>({
      write: (bytes) => {
        if (running.has(pid)) listen.output(bytes, 'stdout');
      },
    });
    serve(handle, prompts, abilities).connect(ndJsonStream(output, toAgent.readable));
    listen.started?.({ pid, startTime: String(pid) });
    return {
      exit,
      write: (bytes) => input.write(bytes),
      endInput: () => {
        void input.close().catch(() => {});
        end({ kind: 'exited', code: 0 });
      },
      stop: async () => {
        end({ kind: 'signalled', signal: 'SIGTERM' });
        return { stopped: [pid], unverified: [] };
      },
    };
  };

  return {
    prompts,
    running: () => running.size,
    spawn: {
      self: base.self,
      isAlive: base.isAlive,
      possiblyLeft: base.possiblyLeft,
      survivors: base.survivors,
      start,
      stopMarked: async (markers, graceMs) => {
        const marked = [...running].filter(([, { marker }]) => markers.includes(marker));
        for (const [, { end }] of marked) end({ kind: 'signalled', signal: 'SIGTERM' });
        const rest = await base.stopMarked(markers, graceMs);
        return { ...rest, stopped: [...rest.stopped, ...marked.map(([pid]) => pid)] };
      },
    },
  };
};

/** One agent process. */
const serve = (
  handle: PromptHandler,
  prompts: string[],
  { steering = false, hangsAt }: InProcessAbilities,
) => {
  let cancel = new AbortController();
  let steer = Promise.withResolvers<string>();
  const answerTo = <T>(method: string, answer: T): T | Promise<T> =>
    method === hangsAt ? new Promise(() => {}) : answer;
  return agent({ name: 'in-process' })
    .onRequest(methods.agent.initialize, () =>
      answerTo('initialize', {
        protocolVersion: 1,
        agentInfo: { name: 'in-process', version: '1.0.0' },
        agentCapabilities: { loadSession: false, mcpCapabilities: { http: true } },
        ...(steering ? { _meta: { steering: { supported: true } } } : {}),
      }),
    )
    .onRequest(methods.agent.session.new, () => answerTo('session/new', { sessionId: 'in-process' }))
    .onRequest(methods.agent.session.setMode, () => ({}))
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const prompt = textOf(params);
      prompts.push(prompt);
      cancel = new AbortController();
      const { sessionId } = params;
      const say = (text: string): Promise<void> =>
        client.notify(methods.client.session.update, {
          sessionId,
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
        });
      const steered = (): Promise<string> => steer.promise;
      const stopReason = await handle({ prompt, sessionId, client, cancelled: cancel.signal, say, steered });
      return { stopReason };
    })
    .onRequest('_session/steering', steerSchema, ({ params }) => {
      const text = params.prompt.map((block) => block.text ?? '').join('\n');
      const waiting = steer;
      steer = Promise.withResolvers();
      waiting.resolve(text);
      return { outcome: 'injected' };
    })
    .onNotification(methods.agent.session.cancel, () => cancel.abort());
};

const steerSchema = z.object({ prompt: z.array(z.object({ text: z.string().optional() })) });

const textOf = ({ prompt }: PromptRequest): string =>
  prompt.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
