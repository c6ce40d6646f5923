import type { BackendHost, Brief, TurnAsk } from '../../port.ts';
import { checkOutcome } from '../../replies/read-reply.ts';
import type { AskedPerson, PersonQuestion } from '../../tool-inputs.ts';
import type { AgentTools, OpenTools, ToolCalls } from '../../tools.ts';
import type { Delivery } from './delivery.ts';
import { serverOf } from './environment/tool-access.ts';
import type { ToolServer } from './link.ts';
import type { AheadTools } from './warm/ahead-session.ts';

/** Our tools for one worker's agent. They open before the agent's session and close with it. */
export interface WorkerTools {
  /** The servers for `session/new`, or of a session that is open. Empty if the engine lends no session. */
  servers(ahead: AheadTools | null): Promise<readonly ToolServer[]>;
  /** Resolves when the agent has listed them. */
  listed(): Promise<void>;
  /** They were offered to the agent, which has neither listed nor called any. */
  readonly isUnlisted: () => boolean;
  begin(ask: TurnAsk): void;
  /** The outcome of this turn's last valid `task_update`, or `undefined`. */
  readonly update: () => unknown;
  /** What is wrong with this turn's last `task_update`, or `null` if it was valid or there was none. */
  readonly refused: () => readonly string[] | null;
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

interface Ports {
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly delivery: Delivery;
  /** Each of our calls is a boundary at which the agent's mode is put back. */
  readonly keepMode: () => Promise<void>;
}

interface State extends Ports {
  ask: TurnAsk | null;
  update: unknown;
  refused: readonly string[] | null;
  opened: OpenTools | null;
  isClosed: boolean;
  isKnown: boolean;
  readonly known: PromiseWithResolvers<void>;
  /** The agent's unanswered questions by the id of their requests. */
  readonly questions: Map<string, OpenQuestion>;
}

type Lent = NonNullable<BackendHost['session']>;

/** Builds the tools' calls over what the engine lends the worker (`agents/tools.ts`). */
export const createWorkerTools = (tools: AgentTools | null, ports: Ports): WorkerTools => {
  const { host } = ports;
  const state: State = {
    ...ports,
    ask: null,
    update: undefined,
    refused: null,
    opened: null,
    isClosed: false,
    isKnown: false,
    known: Promise.withResolvers<void>(),
    questions: new Map(),
  };
  return {
    askAgain: (text) => {
      if (host.session) put(state, host.session, { question: text, options: [] });
    },
    ask: async (question, over) => (host.session ? ask(state, host.session, question, over) : null),
    servers: async (ahead) => {
      if (tools === null || host.session === undefined || state.isClosed) return [];
      const calls = callsOf(state, host.session);
      state.opened ??= await (ahead === null ? tools.open(calls) : ahead.adopt(calls));
      return [serverOf(state.opened)];
    },
    listed: () => state.known.promise,
    isUnlisted: () => state.opened !== null && !state.isKnown,
    begin: (next) => {
      state.ask = next;
      state.update = undefined;
      state.refused = null;
    },
    update: () => state.update,
    refused: () => state.refused,
    question: () => oldestQuestion(state),
    close: () => {
      state.isClosed = true;
      state.opened?.close();
      state.opened = null;
    },
  };
};

const callsOf = (state: State, lent: Lent): ToolCalls => {
  const { brief, host, delivery } = state;
  return {
    ...lent,
    brief,
    ask: (question) => put(state, lent, question),
    boundary: async () => {
      know(state);
      if (state.ask === null) return { kind: 'go', messages: [] };
      await state.keepMode();
      return delivery.atTool();
    },
    reached: delivery.reached,
    missed: delivery.missed,
    listed: () => know(state),
    held: () => host.held?.() ?? new Promise(() => {}),
    // The call stands until then: the agent asks its model for nothing.
    released: () => delivery.standing(host.released?.() ?? Promise.resolve()),
    update: (sent) => {
      lent.note(sent);
      if (state.ask === null || (sent.outcome === undefined && sent.status === 'in_progress'))
        return { kind: 'noted' };
      const checked =
        sent.outcome === undefined
          ? ({ kind: 'wrong', wrong: [`outcome: missing, and status ${sent.status} needs it`] } as const)
          : checkOutcome(state.ask.kind, brief, sent.outcome);
      state.refused = checked.kind === 'wrong' ? checked.wrong : null;
      if (checked.kind === 'wrong') return { kind: 'refused', wrong: checked.wrong };
      state.update = sent.outcome;
      return { kind: 'accepted' };
    },
  };
};

/** The agent has listed or called one of our tools. */
const know = (state: State): void => {
  state.isKnown = true;
  state.known.resolve();
};

/** Puts a question to a person. It stays open until it is answered. */
const put = ({ questions }: State, lent: Lent, question: PersonQuestion): AskedPerson => {
  const asked = lent.ask(question);
  questions.set(asked.request, { text: question.question, answered: asked.answered });
  return asked;
};

const ask = async (
  state: State,
  lent: Lent,
  question: PersonQuestion,
  over: AbortSignal,
): Promise<string | null> => {
  const { request, answered } = put(state, lent, question);
  const ended = new Promise<null>((resolve) => {
    over.addEventListener('abort', () => resolve(null), { once: true });
    if (over.aborted) resolve(null);
    void state.host.held?.().then(() => resolve(null));
  });
  const answer = await Promise.race([answered, ended]);
  // Unanswered it stays open: the answer comes with a later prompt.
  if (answer !== null) state.questions.delete(request);
  return answer;
};

const oldestQuestion = ({ questions }: State): OpenQuestion | null => {
  const [found] = questions;
  if (found === undefined) return null;
  const [request, { text, answered }] = found;
  return {
    text,
    answered: answered.then((answer) => {
      questions.delete(request);
      return answer;
    }),
  };
};
