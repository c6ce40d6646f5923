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
      return { kind: 'failed', fault: { code: 'unknown-turn', what: `no agent is asked for "${ask.kind}"` } };
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

const createTurn = (
  {
    brief,
    host,
    clock,
    meet,
  }: Pick<ForeignWorkerPorts, 'brief' | 'host' | 'clock'> & { readonly meet: () => void },
  ask: TurnAsk,
  boundary: () => Promise<Directive>,
): Turn => {
  const { promise, resolve } = Promise.withResolvers<TurnResult>();
  const earlier = keptOf(ask);
  let done = false;
  let answer: unknown = earlier?.answer;
  /** Messages of this turn that the worker has read, with how. */
  let read: readonly Delivered[] = [];
  /** Those whose result never reached it, and those that came with the end of a pause. */
  let queued: readonly Message[] =
    earlier === null
      ? []
      : ask.messages.filter(({ id }) => !earlier.read.some((message) => message.id === id));
  /** Read, and no later call of the worker has shown yet that its model knew them. */
  let riding: readonly Message[] = [];
  let isShown = earlier !== null;

  const end = (result: TurnResult): void => {
    done = true;
    resolve(result);
  };

  const note = (messages: readonly Message[], way: 'prompt' | 'tool-result'): void => {
    const words = way === 'prompt' ? 'with its task' : 'in the result of a tool';
    const detail = `${words} at ${formatTimestamp(clock).slice(11, 19)}`;
    for (const { id } of messages) host.emit({ type: 'message.arrived', id, way, detail });
    riding = [...riding, ...messages.filter(({ kind }) => kind === 'INFO')];
    if (way === 'tool-result') read = [...read, ...messages.map((message) => ({ message, detail }))];
  };

  /** A call of the worker: it has its task, and what came with the call before. */
  const heard = (): void => {
    meet();
    host.heard?.();
    for (const { id } of riding) host.emit({ type: 'message.carried', id });
    riding = [];
    if (isShown) return;
    isShown = true;
    note(
      ask.messages.filter(({ kind }) => kind === 'STEER' || kind === 'INFO'),
      'prompt',
    );
  };

  const conclude = (escalated: readonly Message[] = []): void =>
    end(concludeTurn(ask, answer, read, escalated, host.emit));

  /** Passes the boundary. The turn ends with it when the outcome is there and nothing came in between. */
  const pass = async (): Promise<Directive> => {
    if (done) return over;
    heard();
    const directive = await boundary();
    if (done) return over;
    if (directive.kind === 'pause') {
      const known = [...(earlier?.read ?? ask.messages), ...read.map(({ message }) => message)];
      end({ kind: 'paused', continuation: { answer, read: joinMessages(known, []) } });
      return directive;
    }
    if (directive.kind !== 'go') {
      end({ kind: 'stopped', why: directive.kind });
      return directive;
    }
    const messages = joinMessages(queued, directive.messages);
    queued = [];
    const escalated = messages.filter(({ kind, apply }) => kind === 'STEER' && apply === 'escalate');
    if (escalated.length > 0) {
      conclude(escalated);
      return { kind: 'cancel', reason: 'a person redefined the task' };
    }
    // An order may contradict the result: the worker hands it in again.
    if (messages.some(({ kind }) => kind === 'STEER')) answer = undefined;
    if (messages.length === 0 && answer !== undefined) conclude();
    return { kind: 'go', messages };
  };

  const lent = host.session;
  if (lent === undefined) throw new Error('the engine lends this worker no session');
  if (answer !== undefined && queued.length === 0) conclude();
  return {
    over: promise,
    isDone: () => done,
    end,
    calls: {
      ...lent,
      brief,
      boundary: pass,
      reached: (messages) => {
        if (done) return;
        note(messages, 'tool-result');
        // What only informs changes no result, and the worker may call nothing more.
        if (answer !== undefined) conclude();
      },
      missed: (messages) => {
        queued = joinMessages(messages, queued);
      },
      held: () => host.held?.() ?? new Promise(() => {}),
      released: () => host.released?.() ?? Promise.resolve(),
      update: (sent) => {
        if (done) return { kind: 'noted' };
        heard();
        lent.note(sent);
        if (sent.outcome === undefined) return { kind: 'noted' };
        const checked = checkOutcome(ask.kind, brief, sent.outcome);
        if (checked.kind === 'wrong') return { kind: 'refused', wrong: checked.wrong };
        answer = checked.answer;
        return { kind: 'accepted' };
      },
    },
  };
};

const over: Directive = { kind: 'cancel', reason: 'its work here is over' };
