import { z } from 'zod';
import { type Clock, formatTimestamp } from '../../../base/clock.ts';
import type { BackendHost, Brief, Directive, Message, TurnAsk, TurnResult, Worker } from '../../port.ts';
import { contractOf } from '../../replies/contracts.ts';
import { checkOutcome } from '../../replies/read-reply.ts';
import { concludeTurn, type Delivered } from '../../replies/steers.ts';
import { joinMessages, messageSchema } from '../../roles/messages.ts';
import type { ToolCalls } from '../../tools.ts';

/** The work that a worker of another program has in hand. */
export interface ForeignWork {
  readonly brief: Brief;
  /** What is to be done, and the form of its result. */
  readonly prompt: string;
  readonly calls: ToolCalls;
}

interface ForeignWorkerPorts {
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly clock: Clock;
  /** The name of the program that does it. */
  readonly program: () => string;
  /** Shows the work to the program of the worker; `null`: it has none any more. */
  readonly show: (work: ForeignWork | null) => void;
}

/**
 * Performs turns by waiting for another program: its calls of our tools are the boundaries, and `task_update` with an outcome gives the result. Everything
 * around it is as for an agent of ours: worktree, guards, the contract of the result, checks, review and merge.
 */
export const createForeignWorker = ({ brief, host, clock, program, show }: ForeignWorkerPorts): Worker => {
  let current: Turn | null = null;
  let isMet = false;
  let stopped: 'abort' | 'cancel' | null = null;

  const turn: Worker['turn'] = async (ask, boundary) => {
    if (stopped) return { kind: 'stopped', why: stopped };
    if (!contractOf(ask.kind))
      return { kind: 'failed', fault: { code: 'unknown-turn', what: `no agent handles "${ask.kind}"` } };
    const meet = (): void => {
      if (isMet) return;
      isMet = true;
      const session = brief.worker ?? '';
      host.emit({ type: 'agent.connected', label: program(), session, began: 'new', reach: 'pull' });
    };
    const own = createTurn({ brief, host, clock, meet }, ask, boundary);
    current = own;
    if (!own.isDone()) show({ brief, prompt: ask.prompt, calls: own.calls });
    const result = await own.over;
    current = null;
    show(null);
    return result;
  };

  return {
    turn,
    stop: async (why) => {
      stopped ??= why;
      current?.end({ kind: 'stopped', why: stopped });
    },
    end: async () => show(null),
  };
};

interface Turn {
  readonly calls: ToolCalls;
  readonly over: Promise<TurnResult>;
  readonly isDone: () => boolean;
  end(result: TurnResult): void;
}

/** What a pause keeps: an outcome that was handed in, and what the worker has read. */
const keptSchema = z.object({ answer: z.unknown().optional(), read: z.array(messageSchema).readonly() });
type Kept = z.infer<typeof keptSchema>;

const keptOf = (ask: TurnAsk): Kept | null => {
  const data = z.object({ continuation: z.unknown() }).safeParse(ask.data ?? {});
  return data.success ? (keptSchema.safeParse(data.data.continuation).data ?? null) : null;
};

interface State {
  readonly ports: TurnPorts;
  readonly ask: TurnAsk;
  readonly boundary: () => Promise<Directive>;
  readonly earlier: Kept | null;
  readonly result: PromiseWithResolvers<TurnResult>;
  isDone: boolean;
  answer: unknown;
  /** Messages of this turn that the worker has read, with how. */
  read: readonly Delivered[];
  /** Those whose result never reached it, and those that came with the end of a pause. */
  queued: readonly Message[];
  /** Read, and no later call of the worker has shown yet that its model knew them. */
  riding: readonly Message[];
  /** The worker has its task. */
  isShown: boolean;
}

interface TurnPorts extends Pick<ForeignWorkerPorts, 'brief' | 'host' | 'clock'> {
  /** The worker has called. */
  readonly meet: () => void;
}

const createTurn = (ports: TurnPorts, ask: TurnAsk, boundary: () => Promise<Directive>): Turn => {
  const earlier = keptOf(ask);
  const state: State = {
    ports,
    ask,
    boundary,
    earlier,
    result: Promise.withResolvers(),
    isDone: false,
    answer: earlier?.answer,
    read: [],
    queued:
      earlier === null
        ? []
        : ask.messages.filter(({ id }) => !earlier.read.some((message) => message.id === id)),
    riding: [],
    isShown: earlier !== null,
  };
  const calls = callsOf(state);
  if (state.answer !== undefined && state.queued.length === 0) conclude(state);
  return {
    over: state.result.promise,
    isDone: () => state.isDone,
    end: (result) => end(state, result),
    calls,
  };
};

const callsOf = (state: State): ToolCalls => {
  const { ports, ask } = state;
  const { host, brief } = ports;
  const lent = host.session;
  if (lent === undefined) throw new Error('the engine does not give this worker a session');
  return {
    ...lent,
    brief,
    boundary: () => pass(state),
    reached: (messages) => {
      if (state.isDone) return;
      note(state, messages, 'tool-result');
      // What only informs changes no result, and the worker may call nothing more.
      if (state.answer !== undefined) conclude(state);
    },
    missed: (messages) => {
      state.queued = joinMessages(messages, state.queued);
    },
    held: () => host.held?.() ?? new Promise(() => {}),
    released: () => host.released?.() ?? Promise.resolve(),
    update: (sent) => {
      if (state.isDone) return { kind: 'noted' };
      heard(state);
      lent.note(sent);
      if (sent.outcome === undefined) return { kind: 'noted' };
      const checked = checkOutcome(ask.kind, brief, sent.outcome);
      if (checked.kind === 'wrong') return { kind: 'refused', wrong: checked.wrong };
      state.answer = checked.answer;
      return { kind: 'accepted' };
    },
  };
};

/** Passes the boundary. The turn ends with it when the outcome is there and nothing came in between. */
const pass = async (state: State): Promise<Directive> => {
  const { ask, earlier } = state;
  if (state.isDone) return over;
  heard(state);
  const directive = await state.boundary();
  if (state.isDone) return over;
  if (directive.kind === 'pause') {
    const known = [...(earlier?.read ?? ask.messages), ...state.read.map(({ message }) => message)];
    const continuation = { answer: state.answer, read: joinMessages(known, []) };
    end(state, { kind: 'paused', continuation });
    return directive;
  }
  if (directive.kind !== 'go') {
    end(state, { kind: 'stopped', why: directive.kind });
    return directive;
  }
  const messages = joinMessages(state.queued, directive.messages);
  state.queued = [];
  const escalated = messages.filter(({ kind, apply }) => kind === 'STEER' && apply === 'escalate');
  if (escalated.length > 0) {
    conclude(state, escalated);
    return { kind: 'cancel', reason: 'a person redefined the task' };
  }
  // An order may contradict the result: the worker hands it in again.
  if (messages.some(({ kind }) => kind === 'STEER')) state.answer = undefined;
  if (messages.length === 0 && state.answer !== undefined) conclude(state);
  return { kind: 'go', messages };
};

/** A call of the worker: it has its task, and what came with the call before. */
const heard = (state: State): void => {
  const { ports, ask } = state;
  ports.meet();
  ports.host.heard?.();
  for (const { id } of state.riding) ports.host.emit({ type: 'message.carried', id });
  state.riding = [];
  if (state.isShown) return;
  state.isShown = true;
  const told = ask.messages.filter(({ kind }) => kind === 'STEER' || kind === 'INFO');
  note(state, told, 'prompt');
};

const note = (state: State, messages: readonly Message[], way: 'prompt' | 'tool-result'): void => {
  const { host, clock } = state.ports;
  const words = way === 'prompt' ? 'with its task' : 'in the result of a tool';
  const detail = `${words} at ${formatTimestamp(clock).slice(11, 19)}`;
  for (const { id } of messages) host.emit({ type: 'message.arrived', id, way, detail });
  state.riding = [...state.riding, ...messages.filter(({ kind }) => kind === 'INFO')];
  if (way === 'tool-result')
    state.read = [...state.read, ...messages.map((message) => ({ message, detail }))];
};

const conclude = (state: State, escalated: readonly Message[] = []): void => {
  const { ask, answer, read, ports } = state;
  end(state, concludeTurn(ask, answer, read, escalated, ports.host.emit));
};

const end = (state: State, result: TurnResult): void => {
  state.isDone = true;
  state.result.resolve(result);
};

/** The answer to a call that comes after the end. */
const over: Directive = { kind: 'cancel', reason: 'this worker has already ended' };
