import { toFault } from '../../../base/fault.ts';
import type { PromptReason } from '../../agent-facts.ts';
import type { Places } from '../../places.ts';
import type { Directive, Message, TurnAsk, TurnResult, Worker } from '../../port.ts';
import { contractOf } from '../../replies/contracts.ts';
import { readReply, repairPrompt } from '../../replies/read-reply.ts';
import { reportSteers, steerAnswers, withSteers } from '../../replies/steers.ts';
import { joinMessages } from '../../roles/messages.ts';
import { promptPrefix } from '../../roles/prompts/render-prompt.ts';
import type { AgentTools } from '../../tools.ts';
import { type ConversationPorts, createConversation } from './conversation.ts';
import { createDelivery, isEscalation } from './delivery.ts';
import { elicit } from './elicitation/elicit.ts';
import { failedTurn, withLog } from './faults.ts';
import type { PermissionRequest } from './link.ts';
import type { LiveSession } from './live-session.ts';
import { messageBlocks, withoutImages } from './message-text.ts';
import { chooseOption } from './permission/choose-option.ts';
import { permissionAsk } from './permission/permission-ask.ts';
import { createToolBook } from './tool-book.ts';
import { createWorkerTools } from './tool-calls.ts';
import {
  continuationOf,
  isFromPerson,
  nextPrompt,
  resumeText,
  type TurnState,
  withMessages,
} from './turn-state.ts';
import { createToolWatch } from './unlisted-tools.ts';
import { toolPatchSchema } from './updates.ts';

export interface AcpWorkerPorts
  extends Omit<ConversationPorts, 'book' | 'permission' | 'elicit' | 'pull' | 'saw' | 'servers' | 'listed'> {
  /** The link to a workspace file that a message names, or `null` if there is no such file. */
  readonly uriOf: (path: string) => string | null;
  /** Judges the places that its requests name. */
  readonly places: Places;
  /** Our tools for agents, or `null` if none are offered. */
  readonly tools: AgentTools | null;
}

/** One worker of an ACP agent: one process, one session of the agent, and as many prompts as the turns need. */
export const createAcpWorker = (ports: AcpWorkerPorts): Worker => {
  const { brief, host, clock } = ports;
  const book = createToolBook(host.emit, () => clock.monotonic());
  const grace = brief.settings.timeouts.abort_grace;
  let stopped: 'abort' | 'cancel' | null = null;
  let wake = (): void => {};
  /** A prompt was sent to the agent of this process. */
  let spoken = false;

  const uriOf = withoutImages(ports.uriOf, (path) =>
    host.emit({ type: 'finding.noted', text: `${path} is an image and was not sent: messages carry text` }),
  );

  const permission = async (request: PermissionRequest, over: AbortSignal): Promise<string | null> => {
    const { data } = toolPatchSchema.safeParse(request.toolCall);
    if (stopped || !data) return null;
    const ask = permissionAsk(book.ask(data), { profile: ports.profile, places: ports.places });
    const answer = (await host.permission?.(ask, over)) ?? 'refuse';
    if (answer === 'allow' && ask.kind === 'mode') conversation.allowMode();
    // Gemini CLI says nothing more about a call that was refused.
    if (answer === 'refuse') book.refuse(ask.call);
    return answer === 'cancelled' || stopped ? null : chooseOption(request.options, answer === 'allow');
  };

  const conversation = createConversation({
    ...ports,
    book,
    permission,
    elicit: (form, over) => elicit(form, { ask: (question) => tools.ask(question, over) }),
    pull: () => delivery.pulled(),
    saw: (update) => delivery.saw(update),
    servers: () => tools.servers(),
    listed: () => tools.listed(),
  });
  const delivery = createDelivery({ host, clock, conversation, uriOf });
  const tools = createWorkerTools(ports.tools, { brief, host, delivery, keepMode: conversation.keepMode });
  const watchTools = createToolWatch(ports, tools);

  /** Says these words, and gives what the agent replied, what it was told, and what it forgot with a reply that was cut off. */
  const say = async (
    state: TurnState,
    session: LiveSession,
    words: string,
    why: PromptReason,
    arrived: readonly Message[] = [],
    begun?: () => void,
  ): Promise<TurnState> => {
    spoken = true;
    const known = delivery.delivered().length;
    const blocks = messageBlocks(words, arrived, uriOf);
    const { text, stop } = await watchTools(session, () => conversation.say(session, blocks, why, begun));
    delivery.replied(stop);
    const meanwhile = delivery.delivered().slice(known);
    const more = meanwhile.map(({ message }) => message).filter((message) => !arrived.includes(message));
    const forgets = stop === 'cancelled' && !ports.profile.keepsCancelled;
    return {
      ...state,
      session: session.id,
      text,
      told: joinMessages(joinMessages(state.told, arrived), more),
      forgot: forgets ? withMessages(words, more) : null,
    };
  };

  /** The agent of this process knows the conversation so far. Its session's id tells nothing: some agents number their sessions anew. */
  const knows = ({ remembers }: LiveSession): boolean => spoken || remembers;

  /** Sends the next prompt to the session it belongs to. */
  const prompt = async (ask: TurnAsk, state: TurnState, arrived: readonly Message[]): Promise<TurnState> => {
    const session = await conversation.session(state.session);
    const { text: words, why } = nextPrompt(ask, state, arrived, knows(session));
    const said = await say(state, session, words, why, arrived, () => {
      if (state.session === null) delivery.told(state.told.filter(isFromPerson));
      delivery.prompted(arrived);
    });
    return heard(ask, said);
  };

  /** Returns the state with the result of the reply. */
  const heard = (ask: TurnAsk, state: TurnState): TurnState => {
    const reading = readReply(ask.kind, brief, { update: tools.update(), text: state.text });
    if (reading.kind === 'answer' && reading.disagreement !== null)
      host.emit({ type: 'finding.noted', text: reading.disagreement });
    return reading.kind === 'answer'
      ? { ...state, answer: reading.answer, wrong: [] }
      : { ...state, answer: undefined, wrong: reading.wrong };
  };

  /** Sends one prompt that names the faults of the answer. Sends none if the agent said nothing at all. */
  const repaired = async (ask: TurnAsk, state: TurnState): Promise<TurnState> => {
    if (state.answer !== undefined || state.text.trim() === '') return state;
    const session = await conversation.session(state.session);
    const said = await say(state, session, repairPrompt(state.wrong), 'repair');
    return heard(ask, { ...said, text: `${state.text}\n${said.text}` });
  };

  /** Resolves when the engine announces mail. */
  const noticed = (): Promise<undefined> =>
    new Promise((resolve) => {
      wake = () => resolve(undefined);
    });

  /** Sends a person's answer as a new prompt. */
  const answered = async (
    ask: TurnAsk,
    state: TurnState,
    question: string,
    answer: string,
  ): Promise<TurnState> => {
    const session = await conversation.session(state.session);
    const words = `${promptPrefix}You asked: ${question}\nThe answer of the person in charge: ${answer}\n\nGo on with your work.`;
    const whole = knows(session) ? words : `${resumeText(ask, state, [])}\n\n${words}`;
    return heard(ask, await say(state, session, whole, 'messages'));
  };

  const conclude = (ask: TurnAsk, state: TurnState, escalated: readonly Message[]): TurnResult => {
    const delivered = [
      ...delivery.delivered(),
      ...escalated.map((message) => ({ message, detail: 'not sent' })),
    ];
    const detail = new Map(delivered.map(({ message, detail }) => [message.id, detail]));
    const messages = delivered.map(({ message }) => message);
    const way = ({ id }: Message): string => detail.get(id) ?? '';
    const steers = steerAnswers(messages, state.answer, way, ask.messages);
    reportSteers(steers, host.emit);
    const answer = escalated.length > 0 ? {} : state.answer;
    return answer === undefined
      ? { kind: 'no-result', raw: state.text, wrong: state.wrong }
      : {
          kind: 'answered',
          answer: withSteers(ask.kind, answer, steers),
        };
  };

  const turn = async (ask: TurnAsk, boundary: () => Promise<Directive>): Promise<TurnResult> => {
    const earlier = continuationOf(ask);
    let state: TurnState = earlier ?? {
      session: null,
      told: ask.messages,
      text: '',
      forgot: null,
      wrong: [],
      question: null,
    };
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
      const escalations = arrived.filter(isEscalation);
      if (escalations.length > 0) return conclude(ask, state, arrived);
      if (due) state = await prompt(ask, state, arrived);
      if (stopped) return { kind: 'stopped', why: stopped };
      const directive = await delivery.atEnd();
      if (stopped) return { kind: 'stopped', why: stopped };
      if (directive.kind === 'pause')
        return { kind: 'paused', continuation: { ...state, question: tools.question()?.text ?? null } };
      if (directive.kind !== 'go') return { kind: 'stopped', why: directive.kind };
      arrived = directive.messages;
      due = arrived.length > 0;
      if (due) continue;
      const question = state.answer === undefined ? tools.question() : null;
      if (question === null) break;
      // The agent ended its turn because nobody answered. Call no model until an answer or another message arrives.
      const answer = await Promise.race([question.answered, noticed()]);
      if (stopped) return { kind: 'stopped', why: stopped };
      if (typeof answer === 'string') state = await answered(ask, state, question.text, answer);
      else if (answer === null) break;
    }
    state = await repaired(ask, state);
    return stopped ? { kind: 'stopped', why: stopped } : conclude(ask, state, []);
  };

  return {
    turn: async (ask, boundary) => {
      if (stopped) return { kind: 'stopped', why: stopped };
      if (!contractOf(ask.kind))
        return {
          kind: 'failed',
          fault: { code: 'unknown-turn', what: `no agent is asked for "${ask.kind}"` },
        };
      try {
        return await turn(ask, boundary);
      } catch (error) {
        if (stopped) return { kind: 'stopped', why: stopped };
        return failedTurn(withLog(toFault(error, brief.invocation), ports.log), clock);
      }
    },
    stop: async (why) => {
      stopped ??= why;
      wake();
      tools.close();
      await conversation.cancel();
      await conversation.stop(grace);
    },
    notice: (mail) => {
      wake();
      if (mail.held !== true) delivery.notice(mail);
    },
    lastWords: () => ports.log.last(),
    end: async () => {
      tools.close();
      await conversation.end(grace);
    },
  };
};
