import type { BackendHost, Brief, TurnAsk } from '../../port.ts';
import { checkOutcome } from '../../replies/read-reply.ts';
import type { AskedPerson, PersonQuestion } from '../../tool-inputs.ts';
import type { AgentTools, OpenTools, ToolCalls } from '../../tools.ts';
import type { Delivery } from './delivery.ts';
import type { ToolServer } from './link.ts';

/** Our tools for one worker's agent. They open before the agent starts and close with it. */
export interface WorkerTools {
  /** The servers for `session/new`. Empty if the engine lends no session. */
  servers(): Promise<readonly ToolServer[]>;
  /** Resolves when the agent has listed them. */
  listed(): Promise<void>;
  /** They were offered to the agent, which has neither listed nor called any. */
  readonly isUnlisted: () => boolean;
  begin(ask: TurnAsk): void;
  /** The outcome of this turn's last valid `task_update`, or `undefined`. */
  readonly update: () => unknown;
  /** Asks a question again that was open before a pause. It stays the same question. */
  askAgain(text: string): void;
  /** Asks a person for the agent. `null`: nobody answered before a hold began, the agent withdrew the question, or the worker ended. */
  ask(question: PersonQuestion, over: AbortSignal): Promise<string | null>;
  /** The agent's question that was unanswered at the end of its call, or `null`. */
  readonly question: () => OpenQuestion | null;
  close(): void;
}

/** An unanswered question. `answered` gives `null` if the worker ends first. */
interface OpenQuestion {
  readonly text: string;
  readonly answered: Promise<string | null>;
}

/** Builds the tools' calls over what the engine lends the worker (`agents/tools.ts`). */
export const createWorkerTools = (
  tools: AgentTools | null,
  {
    brief,
    host,
    delivery,
    keepMode,
  }: {
    readonly brief: Brief;
    readonly host: BackendHost;
    readonly delivery: Delivery;
    /** Each of our calls is a boundary at which the agent's mode is put back. */
    readonly keepMode: () => Promise<void>;
  },
): WorkerTools => {
  let ask: TurnAsk | null = null;
  let update: unknown;
  let opened: OpenTools | null = null;
  let closed = false;
  const open = new Map<string, OpenQuestion>();
  const list = Promise.withResolvers<void>();
  let isKnown = false;
  const known = (): void => {
    isKnown = true;
    list.resolve();
  };

  const keep = (lent: NonNullable<BackendHost['session']>, question: PersonQuestion): AskedPerson => {
    const asked = lent.ask(question);
    open.set(asked.request, { text: question.question, answered: asked.answered });
    return asked;
  };

  const calls = (lent: NonNullable<BackendHost['session']>): ToolCalls => ({
    ...lent,
    brief,
    ask: (question) => keep(lent, question),
    boundary: async () => {
      known();
      if (ask === null) return { kind: 'go', messages: [] };
      await keepMode();
      return delivery.atTool();
    },
    reached: delivery.reached,
    missed: delivery.missed,
    listed: known,
    held: () => host.held?.() ?? new Promise(() => {}),
    released: () => host.released?.() ?? Promise.resolve(),
    update: (sent) => {
      lent.note(sent);
      if (sent.outcome === undefined || ask === null) return { kind: 'noted' };
      const checked = checkOutcome(ask.kind, brief, sent.outcome);
      if (checked.kind === 'wrong') return { kind: 'refused', wrong: checked.wrong };
      update = sent.outcome;
      return { kind: 'accepted' };
    },
  });

  return {
    askAgain: (text) => {
      if (host.session) keep(host.session, { question: text, options: [] });
    },
    ask: async (question, over) => {
      if (!host.session) return null;
      const { request, answered } = keep(host.session, question);
      const ended = new Promise<null>((resolve) => {
        over.addEventListener('abort', () => resolve(null), { once: true });
        if (over.aborted) resolve(null);
        void host.held?.().then(() => resolve(null));
      });
      const answer = await Promise.race([answered, ended]);
      // Unanswered it stays open: the answer comes with a later prompt.
      if (answer !== null) open.delete(request);
      return answer;
    },
    servers: async () => {
      if (tools === null || host.session === undefined || closed) return [];
      opened ??= await tools.open(calls(host.session));
      const { name, url, token } = opened;
      return [{ name, url, headers: [{ name: 'Authorization', value: `Bearer ${token}` }] }];
    },
    listed: () => list.promise,
    isUnlisted: () => opened !== null && !isKnown,
    begin: (next) => {
      ask = next;
      update = undefined;
    },
    update: () => update,
    question: () => {
      const [found] = open;
      if (found === undefined) return null;
      const [request, { text, answered }] = found;
      return {
        text,
        answered: answered.then((answer) => {
          open.delete(request);
          return answer;
        }),
      };
    },
    close: () => {
      closed = true;
      opened?.close();
      opened = null;
    },
  };
};
