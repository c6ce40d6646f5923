import { type ClientConnection, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { afterAwake } from '../../../base/after-awake.ts';
import type { Clock } from '../../../base/clock.ts';
import { FaultError } from '../../../base/fault.ts';
import { isRecord } from '../../../base/json.ts';
import type { Child, Spawn, SpawnCommand } from '../../../base/process/spawn.ts';
import type { AgentProfile } from '../../profiles/profile.ts';
import { converse } from './converse.io.ts';
import {
  brokenPipe,
  goneFault,
  hangsFault,
  oddAnswerFault,
  oddMessageFault,
  oldProtocolFault,
  refusedFault,
} from './faults.ts';
import type { AgentAbout, AgentLink, LinkListener } from './link.ts';
import { type Call, openSession } from './open-session.ts';
import { promptEndSchema } from './prompt-end.ts';
import { parseUpdate } from './updates.ts';
import type { StartedAgent } from './warm/started-agent.ts';
import { createAgentStream } from './wire/stream.io.ts';

interface ConnectPorts {
  readonly spawn: Spawn;
  readonly clock: Clock;
  readonly profile: AgentProfile;
  readonly command: Omit<SpawnCommand, 'talk'>;
  readonly listener: LinkListener;
  /** Our own version, sent to the agent. */
  readonly version: string;
}

/** Agents needed 0.4 to 15 s in trials. Some download or log in first. */
const startsWithinMs = 60_000;

/**
 * Starts an agent and initializes the connection (src/agents/README.md, ACP flow, steps 1 and 2). Offers neither file system nor terminal: agents then use their
 * own.
 */
export const connect = (ports: ConnectPorts): StartedAgent => {
  const { listener, profile } = ports;
  let child: Child | null = null;
  const fault = Promise.withResolvers<never>();
  const transport = createAgentStream({
    child: () => child ?? unstarted(),
    noise: listener.log,
    broken: (what) => fault.reject(new FaultError(oddMessageFault(profile, what))),
    update: (params) => {
      const { session, update } = parseUpdate(params);
      listener.update(session, update);
    },
  });
  child = ports.spawn.start(
    { ...ports.command, talk: true },
    {
      started: listener.started,
      output: (bytes, stream) => (stream === 'stdout' ? transport.take(bytes) : listener.log(bytes)),
    },
  );
  const started = child;
  const exited = started.exit.then((exit): never => {
    transport.end();
    throw new FaultError(goneFault(profile, exit));
  });
  // A message that nothing reads ends the conversation before the process does.
  const gone = Promise.race([fault.promise, exited]);
  gone.catch(() => {});
  const connection = converse(listener, profile.pullsWith).connect(transport.stream);
  connection.closed.catch(() => {});
  const wire: Wire = {
    call: calls(ports, connection, gone),
    notify: (method, params) => connection.agent.notify(method, params),
    endInput: () => started.endInput(),
  };
  return { child: started, link: greet(ports, wire) };
};

interface Wire {
  readonly call: Call;
  readonly notify: (method: string, params: unknown) => Promise<void>;
  readonly endInput: () => void;
}

const unstarted = (): never => {
  throw new Error('the agent has not been started yet');
};

const calls =
  ({ profile, clock, command }: ConnectPorts, connection: ClientConnection, gone: Promise<never>): Call =>
  async (method, params, schema) => {
    const answer = connection.agent.request<unknown, unknown>(
      method,
      traced(params, command.env['TRACEPARENT']),
    );
    // Both may fail when the agent exits. Its exit tells more than the closed connection.
    const settled = answer.catch(async (error: unknown) => {
      if (error instanceof RequestError) throw new FaultError(refusedFault(profile, method, error));
      await Promise.race([gone, new Promise<void>((resolve) => void clock.after(exitWithinMs, resolve))]);
      throw new FaultError(brokenPipe(profile, error));
    });
    const value = schema.safeParse((await Promise.race([settled, gone])) ?? {});
    if (!value.success) throw new FaultError(oddAnswerFault(profile, method));
    return value.data;
  };

/** The W3C trace context stands where ACP reserves a place for it: the agent's own spans then nest below ours. */
const traced = (params: unknown, traceparent: string | undefined): unknown =>
  traceparent === undefined || !isRecord(params)
    ? params
    : { ...params, _meta: { ...(isRecord(params['_meta']) ? params['_meta'] : {}), traceparent } };

/** A child's exit is reported slightly after its pipes close. */
const exitWithinMs = 2_000;

const greetingSchema = z.object({
  protocolVersion: z.number(),
  agentInfo: z.object({ version: z.string() }).nullish().catch(null),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().nullish(),
      mcpCapabilities: z.object({ http: z.boolean().nullish() }).nullish(),
      sessionCapabilities: z
        .looseObject({ resume: z.unknown().optional(), close: z.unknown().optional() })
        .nullish(),
    })
    .nullish()
    .catch(null),
  _meta: z
    .object({ steering: z.object({ supported: z.boolean() }).nullish() })
    .nullish()
    .catch(null),
});

const greet = async (ports: ConnectPorts, wire: Wire): Promise<AgentLink> => {
  const { profile, clock } = ports;
  const asked = wire.call(
    'initialize',
    {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        elicitation: { form: {} },
      },
      clientInfo: { name: 'ralph-tui', version: ports.version },
    },
    greetingSchema,
  );
  const greeting = await inTime(clock, asked, () => new FaultError(hangsFault(profile, startsWithinMs)));
  if (greeting.protocolVersion !== PROTOCOL_VERSION)
    throw new FaultError(oldProtocolFault(profile, greeting.protocolVersion));
  return linkOf(ports, wire, aboutOf(greeting));
};

const inTime = <T>(clock: Clock, work: Promise<T>, late: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const cancel = afterAwake(clock, startsWithinMs, () => reject(late()));
    work.then(resolve, reject).finally(cancel);
  });

const aboutOf = ({ agentInfo, agentCapabilities, _meta }: z.infer<typeof greetingSchema>): AgentAbout => ({
  version: agentInfo?.version ?? null,
  canLoad: agentCapabilities?.loadSession === true,
  canResume: agentCapabilities?.sessionCapabilities?.resume != null,
  canClose: agentCapabilities?.sessionCapabilities?.close != null,
  takesHttpTools: agentCapabilities?.mcpCapabilities?.http === true,
  steers: _meta?.steering?.supported === true,
});

const anything = z.unknown();

/** An agent that cannot close a session keeps it, unused. */
const leave = async (call: Call, method: string | null, sessionId: string): Promise<void> => {
  if (method !== null) await call(method, { sessionId }, anything).catch(() => {});
};

/** How the agent closes a session. */
const closingOf = ({ canClose }: AgentAbout, { closesWith }: AgentProfile): string | null =>
  canClose ? 'session/close' : closesWith;

const linkOf = (ports: ConnectPorts, { call, notify, endInput }: Wire, about: AgentAbout): AgentLink => ({
  about,
  open: (request) =>
    inTime(
      ports.clock,
      openSession(call, about, request),
      () => new FaultError(hangsFault(ports.profile, startsWithinMs)),
    ),
  setOption: async (sessionId, configId, value) => {
    await call('session/set_config_option', { sessionId, configId, value }, anything);
  },
  setMode: async (sessionId, modeId) => {
    await call('session/set_mode', { sessionId, modeId }, anything);
  },
  setModel: async (sessionId, modelId) => {
    await call('session/set_model', { sessionId, modelId }, anything);
  },
  setTitle: async (sessionId, title) => {
    await call('session/set_title', { sessionId, title }, anything);
  },
  prompt: async (sessionId, prompt) => {
    const end = await call('session/prompt', { sessionId, prompt }, promptEndSchema);
    // The SDK may still be passing on updates that arrived before the answer.
    await new Promise<void>((resolve) => setImmediate(resolve));
    return end;
  },
  steer: async (sessionId, prompt) => {
    const params = { sessionId, prompt, _meta: { steering: { idleBehavior: 'promptRequired' } } };
    const { outcome } = await call('_session/steering', params, z.object({ outcome: z.string().catch('') }));
    // Agents that do not know the method may answer `{}`: only an explicit outcome counts.
    return outcome === 'injected';
  },
  cancel: (sessionId) => notify('session/cancel', { sessionId }),
  leave: (session) => leave(call, closingOf(about, ports.profile), session),
  close: async (session) => {
    if (session !== null) await leave(call, closingOf(about, ports.profile), session);
    endInput();
  },
});
