import type { AgentIdentity, MessageWay, StopReason, TokenCount } from '../../agents/agent-facts.ts';
import { decidePermission } from '../../agents/permissions.ts';
import type { BackendHost, SessionTools, Worker } from '../../agents/port.ts';
import type { RoleFact } from '../../agents/role-fact.ts';
import type { AgentTools } from '../../agents/tools.ts';
import type { Clock } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';

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

/** How long a call of our tool waits for the message to be taken, so that the agent still works when it comes. */
const deliveryMs = 3_000;

/** What a turn has shown so far. */
interface Witness {
  readonly clock: Clock;
  readonly begun: number;
  prompted: number;
  seen: Omit<Trial, 'fault' | 'lateMs' | 'left' | 'unverified'>;
  /** The message has reached the agent. */
  readonly delivered: PromiseWithResolvers<void>;
}

export const createWitness = (clock: Clock): Witness => {
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

/** `over`: its one reply has ended. */
export const createTrialHost = (witness: Witness, over: () => void): BackendHost => {
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
export const watchedTools = (tools: AgentTools, witness: Witness, worker: () => Worker): AgentTools => {
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
    answered: Promise.resolve('No person is available. Do as the prompt says.'),
  }),
  stage: () => ({ kind: 'refused', wrong: 'this is a connection test' }),
};
