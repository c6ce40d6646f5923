import type { AgentIdentity, MessageWay, StopReason, TokenCount } from '../../agents/agent-facts.ts';
import { markerOf } from '../../agents/marker.ts';
import { decidePermission } from '../../agents/permissions.ts';
import type {
  Backend,
  BackendHost,
  Brief,
  Directive,
  Message,
  SessionTools,
  Worker,
} from '../../agents/port.ts';
import type { RoleFact } from '../../agents/role-fact.ts';
import type { AgentTools } from '../../agents/tools.ts';
import { afterAwake } from '../../base/after-awake.ts';
import type { Clock } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import type { Spawn } from '../../base/process/spawn.ts';
import { defaultSettings } from '../../session/settings.ts';
import type { TrialPlace } from './trial-place.ts';

/** What one turn of an agent showed. */
export interface Trial {
  /** From the start of its program to an open session. `null`: it never got that far, or takes no session. */
  readonly startMs: number | null;
  readonly identity: AgentIdentity | null;
  /** From the prompt to the end of the reply. */
  readonly replyMs: number | null;
  readonly stop: StopReason | 'lost' | null;
  /** Everything it said. */
  readonly said: string;
  /** It asked for the list of our tools, or called one. */
  readonly listedTools: boolean;
  readonly calledTool: boolean;
  /** How the message that was sent while it worked reached it. `null`: it did not. */
  readonly arrived: MessageWay | null;
  readonly tokens: TokenCount | null;
  readonly cost: { readonly amount: number; readonly currency: string } | null;
  readonly fault: Fault | null;
  /** The time was up: ms. */
  readonly lateMs: number | null;
  /** Somebody ended it. */
  readonly left: boolean;
  /** Processes that could not be shown to have ended. */
  readonly unverified: readonly number[];
}

export interface TrialPorts {
  readonly clock: Clock;
  readonly spawn: Spawn;
  readonly place: TrialPlace;
  /** The agent with tools whose calls `watch` sees. */
  readonly backendWith: (watch: (tools: AgentTools) => AgentTools) => Backend;
  readonly timeoutMs: number;
  /** Ends the turn early. */
  readonly over: AbortSignal;
}

/** The sum of the prompt and the product of the message, which no echo of either contains. */
export const wantedAnswers = { prompt: '42', message: '63' } as const;

const prompt = [
  'This is a connection test of ralph-tui. There is no task: change nothing, read no file and run no command.',
  '1. Call the tool check_signals of the MCP server "ralph" once, without arguments. If you do not have it, continue without it.',
  '2. End your turn with one line that is a JSON object: {"sum": N}, where N is 19 plus 23. Say nothing else.',
  'The person in charge may send you a message meanwhile. Do what it says, too.',
].join('\n');

const message: Message = {
  id: 'verify-1',
  kind: 'INFO',
  text: 'Give your JSON object a second field: "product", which is 7 times 9.',
};

/** How long a call of our tool waits for the message to be taken, so that the agent still works when it comes. */
const deliveryMs = 3_000;
const stopGraceMs = 2_000;

/** What a turn has shown so far. */
interface Witness {
  readonly clock: Clock;
  readonly begun: number;
  prompted: number;
  seen: Omit<Trial, 'fault' | 'lateMs' | 'left' | 'unverified'>;
  /** The message has reached the agent. */
  readonly delivered: PromiseWithResolvers<void>;
}

const createWitness = (clock: Clock): Witness => {
  const begun = clock.monotonic();
  return {
    clock,
    begun,
    prompted: begun,
    seen: {
      startMs: null,
      identity: null,
      replyMs: null,
      stop: null,
      said: '',
      listedTools: false,
      calledTool: false,
      arrived: null,
      tokens: null,
      cost: null,
    },
    delivered: Promise.withResolvers<void>(),
  };
};

/** Runs one turn of an agent, refuses everything but reading in its directory, and sends one message while it works. */
export const runTrial = async (ports: TrialPorts): Promise<Trial> => {
  const { clock, spawn } = ports;
  const witness = createWitness(clock);
  const ended = Promise.withResolvers<null>();
  const host = createTrialHost(witness, () => {
    void worker.stop('cancel').then(() => ended.resolve(null));
  });
  const watch = (tools: AgentTools): AgentTools => watchedTools(tools, witness, () => worker);
  let mail: readonly Message[] = [message];
  const boundary = async (): Promise<Directive> => {
    const messages = mail;
    mail = [];
    return { kind: 'go', messages };
  };
  const brief = briefIn(ports.place);
  const worker = ports.backendWith(watch).start(brief, host);
  const stopping = Promise.withResolvers<'late' | 'left'>();
  const cancel = afterAwake(clock, ports.timeoutMs, () => stopping.resolve('late'));
  const leave = (): void => stopping.resolve('left');
  ports.over.addEventListener('abort', leave);
  if (ports.over.aborted) leave();
  try {
    const turn = worker.turn({ kind: 'explore', prompt, messages: [] }, boundary);
    const end = await Promise.race([turn, stopping.promise]);
    const wasStopped = end === 'late' || end === 'left';
    if (wasStopped) await worker.stop('cancel');
    else if (end.kind === 'stopped') await ended.promise;
    else await worker.end?.();
    const { unverified } = await spawn.stopMarked([markerOf(brief)], stopGraceMs);
    return {
      ...witness.seen,
      fault: !wasStopped && end.kind === 'failed' ? end.fault : null,
      lateMs: end === 'late' ? ports.timeoutMs : null,
      left: end === 'left',
      unverified,
    };
  } finally {
    cancel();
    ports.over.removeEventListener('abort', leave);
  }
};

/** `over`: its one reply has ended. */
const createTrialHost = (witness: Witness, over: () => void): BackendHost => {
  const decoder = new TextDecoder();
  return {
    emit: (fact) => {
      note(witness, fact);
      // One reply is one call: no repair and no second prompt may follow.
      const isOver =
        (fact.type === 'reply.ended' && fact.stop !== 'lost') || (fact.type === 'command.ended' && fact.ok);
      if (isOver) over();
    },
    output: (bytes, stream) => {
      const { seen } = witness;
      if (stream === 'stdout')
        witness.seen = { ...seen, said: seen.said + decoder.decode(bytes, { stream: true }) };
    },
    permission: async ({ kind, inside, ours }) => {
      const { decision } = decidePermission({ preset: 'ask', role: 'Questioner', kind, inside, ours });
      return decision === 'allow' ? 'allow' : 'refuse';
    },
    session: nobody,
  };
};

const note = (witness: Witness, fact: RoleFact): void => {
  const { clock, seen } = witness;
  const since = (start: number): number => Math.max(0, Math.round(clock.monotonic() - start));
  const add = (shown: Partial<Witness['seen']>): void => {
    witness.seen = { ...seen, ...shown };
  };
  if (fact.type === 'agent.connected') {
    const { type: _, ...identity } = fact;
    add({ startMs: since(witness.begun), identity });
  }
  if (fact.type === 'prompt.sent' || fact.type === 'command.started') witness.prompted = clock.monotonic();
  if (fact.type === 'message.arrived') {
    add({ arrived: fact.way });
    witness.delivered.resolve();
  }
  if (fact.type === 'agent.usage-reported' && fact.cost) add({ cost: fact.cost });
  if (fact.type === 'reply.ended')
    add({ replyMs: since(witness.prompted), stop: fact.stop, tokens: fact.tokens ?? seen.tokens });
  if (fact.type === 'command.ended') add({ replyMs: since(witness.prompted) });
};

/** Our tools, seen by the witness. The first call waits for the message, so that the agent still works when it comes. */
const watchedTools = (tools: AgentTools, witness: Witness, worker: () => Worker): AgentTools => {
  const { clock, delivered } = witness;
  /** An agent that takes messages at any time gets it before the tool's result, which would carry it otherwise. */
  const called = async (): Promise<void> => {
    const { seen } = witness;
    witness.seen = { ...seen, listedTools: true, calledTool: true };
    const reach = seen.identity?.reach;
    if (seen.calledTool || (reach !== 'steering' && reach !== 'second-prompt')) return;
    worker().notice?.({ steer: false, now: false });
    const late = new Promise<void>((resolve) => void clock.after(deliveryMs, resolve));
    await Promise.race([delivered.promise, late]);
  };
  return {
    ...tools,
    open: (calls) =>
      tools.open({
        ...calls,
        boundary: async () => {
          await called();
          return calls.boundary();
        },
        listed: () => {
          witness.seen = { ...witness.seen, listedTools: true };
          calls.listed?.();
        },
      }),
  };
};

/** The session's part of our tools, where there is no session. */
const nobody: SessionTools = {
  tasks: () => [],
  report: () => null,
  note: () => {},
  ask: () => ({
    request: 'ask:verify:1',
    answered: Promise.resolve('No person is here. Do as the prompt says.'),
  }),
  stage: () => ({ kind: 'refused', wrong: 'this is a connection test' }),
};

const briefIn = ({ workspace, sessionDirectory }: TrialPlace): Brief => ({
  invocation: 'Questioner-1',
  role: 'Questioner',
  mode: 'research',
  session: 'verify',
  iteration: 1,
  cycle: 1,
  goal: 'Test the connection to this agent',
  workspace,
  sessionDirectory,
  tasks: [],
  messages: [],
  settings: defaultSettings,
});
