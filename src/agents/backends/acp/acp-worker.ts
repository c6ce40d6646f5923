import { toFault } from '../../../base/fault.ts';
import type { Places } from '../../places.ts';
import type { Directive, Message, TurnAsk, TurnResult, Worker } from '../../port.ts';
import { contractOf } from '../../replies/contracts.ts';
import { concludeTurn, redefines } from '../../replies/steers.ts';
import type { AgentTools } from '../../tools.ts';
import { type Conversation, type ConversationPorts, createConversation } from './conversation.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { elicit } from './elicitation/elicit.ts';
import { failedTurn, withLog } from './faults.ts';
import type { PermissionRequest } from './link.ts';
import { withoutImages } from './message-text.ts';
import { answerRequest } from './permission/answer-request.ts';
import { createPrompts, type Prompts } from './prompts.ts';
import { createToolBook, type ToolBook } from './tool-book.ts';
import { createWorkerTools, type WorkerTools } from './tool-calls.ts';
import { continuationOf, firstState, type TurnState } from './turn-state.ts';
import { createToolWatch } from './unlisted-tools.ts';
import type { AfterWork } from './warm/started-agent.ts';

export interface AcpWorkerPorts extends Omit<ConversationPorts, 'book'> {
  /** The link to a workspace file that a message names, or `null` if there is no such file. */
  readonly uriOf: (path: string) => string | null;
  /** Judges the places that its requests name. */
  readonly places: Places;
  /** Our tools for agents, or `null` if none are offered. */
  readonly tools: AgentTools | null;
}

interface Parts {
  readonly ports: AcpWorkerPorts;
  readonly book: ToolBook;
  readonly conversation: Conversation;
  readonly delivery: Delivery;
  readonly tools: WorkerTools;
  readonly prompts: Prompts;
}

interface State extends Parts {
  /** How the last turn ended, if it gave its answer or was paused. */
  ended: 'answered' | 'paused' | null;
  /** The processes that wait for the next work. */
  kept: readonly number[];
  stopped: 'abort' | 'cancel' | null;
  /** Ends the wait for a person's answer: the engine has announced mail, or the worker was stopped. */
  wake: () => void;
}

/** One worker of an ACP agent: one process, one session of the agent, and as many prompts as the turns need. */
export const createAcpWorker = (ports: AcpWorkerPorts): Worker => {
  const state: State = {
    ...joinParts(ports),
    ended: null,
    kept: [],
    stopped: null,
    wake: () => {},
  };
  const { conversation, delivery, tools } = state;
  const grace = ports.brief.settings.timeouts.abort_grace;
  conversation.listen({
    permission: (request, over) => permission(state, request, over),
    elicit: (form, over) => elicit(form, { ask: (question) => tools.ask(question, over) }),
    pull: delivery.pulled,
    saw: delivery.saw,
    servers: tools.servers,
    listed: tools.listed,
  });
  return {
    turn: (ask, boundary) => turn(state, ask, boundary),
    stop: async (why) => {
      state.stopped ??= why;
      state.wake();
      tools.close();
      await conversation.cancel();
      await conversation.stop(grace);
    },
    notice: (mail) => {
      state.wake();
      if (mail.held !== undefined) delivery.held(mail.held);
      else delivery.notice(mail);
    },
    lastWords: () => ports.log.last(),
    end: async () => {
      tools.close();
      state.kept = await conversation.end(grace, afterWork(state));
    },
    kept: () => state.kept,
  };
};

/** Other work of this agent usually follows; the lessons are the last work of an iteration. */
const afterWork = ({ ended, stopped, ports }: State): AfterWork | undefined => {
  if (ended === null || stopped !== null) return undefined;
  if (ended === 'paused') return 'paused';
  const { mode } = ports.brief;
  return mode === 'STAGE' || mode === 'PROMOTE' ? 'goes' : 'waits';
};

const joinParts = (ports: AcpWorkerPorts): Parts => {
  const { brief, host, clock } = ports;
  const uriOf = withoutImages(ports.uriOf, (path) =>
    host.emit({
      type: 'finding.noted',
      text: `${path} is an image and was not sent: messages carry only text`,
    }),
  );
  const book = createToolBook(host.emit, () => clock.monotonic());
  const conversation = createConversation({ ...ports, book });
  const delivery = createDelivery({
    host,
    clock,
    conversation,
    uriOf,
    brief,
    running: book.running,
    asking: book.asking,
  });
  const tools = createWorkerTools(ports.tools, { brief, host, delivery, keepMode: conversation.keepMode });
  const watchTools = createToolWatch(ports, tools);
  const prompts = createPrompts({ ...ports, conversation, delivery, tools, watchTools, uriOf });
  return { ports, book, conversation, delivery, tools, prompts };
};

const permission = async (
  state: State,
  request: PermissionRequest,
  over: AbortSignal,
): Promise<string | null> => {
  if (state.stopped) return null;
  const { ports, book, conversation } = state;
  const { host, profile, places } = ports;
  const { allowMode } = conversation;
  const option = await answerRequest({ host, book, profile, places, allowMode }, request, over);
  return state.stopped ? null : option;
};

const turn = async (state: State, ask: TurnAsk, boundary: () => Promise<Directive>): Promise<TurnResult> => {
  const { brief, clock, log } = state.ports;
  state.ended = null;
  if (state.stopped) return stopped(state.stopped);
  if (!contractOf(ask.kind))
    return {
      kind: 'failed',
      fault: { code: 'unknown-turn', what: `no agent can perform the turn "${ask.kind}"` },
    };
  try {
    const result = await converse(state, ask, boundary);
    state.ended = result.kind === 'answered' || result.kind === 'paused' ? result.kind : null;
    return result;
  } catch (error) {
    if (state.stopped) return stopped(state.stopped);
    return failedTurn(withLog(toFault(error, brief.invocation), log), clock);
  }
};

const stopped = (why: 'abort' | 'cancel'): TurnResult => ({ kind: 'stopped', why });

/** Prompts the agent until it has answered and no message is left. */
const converse = async (
  worker: State,
  ask: TurnAsk,
  boundary: () => Promise<Directive>,
): Promise<TurnResult> => {
  const { tools, delivery, prompts } = worker;
  const earlier = continuationOf(ask);
  let state = earlier ?? firstState(ask);
  let arrived: readonly Message[] = ask.messages.filter(
    ({ id }) => !state.told.some((known) => known.id === id),
  );
  tools.begin(ask);
  delivery.begin(boundary);
  // A pause keeps a paid reply: do not ask for it again.
  const open = earlier?.answer === undefined ? (earlier?.question ?? null) : null;
  if (open !== null) tools.askAgain(open);
  let due = (earlier?.answer === undefined && open === null) || arrived.length > 0;
  for (;;) {
    const escalations = arrived.filter((message) => redefines(worker.ports.brief, message));
    if (escalations.length > 0) return conclude(worker, ask, state, arrived);
    if (due) state = await prompts.next(ask, state, arrived);
    if (worker.stopped) return stopped(worker.stopped);
    const directive = await delivery.atEnd();
    if (worker.stopped) return stopped(worker.stopped);
    if (directive.kind === 'pause')
      return { kind: 'paused', continuation: { ...state, question: tools.question()?.text ?? null } };
    if (directive.kind !== 'go') return stopped(directive.kind);
    arrived = directive.messages;
    due = arrived.length > 0;
    if (due) continue;
    const question = state.answer === undefined ? tools.question() : null;
    if (question === null) break;
    // The agent ended its turn because nobody answered. Call no model until an answer or another message arrives.
    const answer = await Promise.race([question.answered, noticed(worker)]);
    if (worker.stopped) return stopped(worker.stopped);
    if (typeof answer === 'string') state = await prompts.answer(ask, state, question.text, answer);
    else if (answer === null) break;
  }
  state = await prompts.repair(ask, state);
  return worker.stopped ? stopped(worker.stopped) : conclude(worker, ask, state, []);
};

/** Resolves when the engine announces mail. */
const noticed = (state: State): Promise<undefined> =>
  new Promise((resolve) => {
    state.wake = () => resolve(undefined);
  });

/** Without an answer there is no result, unless an order made it needless. */
const conclude = (
  { ports, delivery }: State,
  ask: TurnAsk,
  { answer, text, wrong }: TurnState,
  escalated: readonly Message[],
): TurnResult => {
  const result = concludeTurn(ask, answer, delivery.delivered(), escalated, ports.host.emit);
  return answer === undefined && escalated.length === 0 ? { kind: 'no-result', raw: text, wrong } : result;
};
