import { toFault } from '../../../base/fault.ts';
import type { Places } from '../../places.ts';
import type { Directive, Message, TurnAsk, TurnResult, Worker } from '../../port.ts';
import { contractOf } from '../../replies/contracts.ts';
import { concludeTurn } from '../../replies/steers.ts';
import type { AgentTools } from '../../tools.ts';
import { type ConversationPorts, createConversation } from './conversation.ts';
import { createDelivery, isEscalation } from './delivery.ts';
import { elicit } from './elicitation/elicit.ts';
import { failedTurn, withLog } from './faults.ts';
import type { PermissionRequest } from './link.ts';
import { withoutImages } from './message-text.ts';
import { chooseOption } from './permission/choose-option.ts';
import { permissionAsk } from './permission/permission-ask.ts';
import { createPrompts } from './prompts.ts';
import { createToolBook } from './tool-book.ts';
import { createWorkerTools } from './tool-calls.ts';
import { continuationOf, firstState, type TurnState } from './turn-state.ts';
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
  const prompts = createPrompts({ ...ports, conversation, delivery, tools, watchTools, uriOf });

  /** Resolves when the engine announces mail. */
  const noticed = (): Promise<undefined> =>
    new Promise((resolve) => {
      wake = () => resolve(undefined);
    });

  /** Without an answer there is no result, unless an order made it needless. */
  const conclude = (ask: TurnAsk, state: TurnState, escalated: readonly Message[]): TurnResult => {
    const result = concludeTurn(ask, state.answer, delivery.delivered(), escalated, host.emit);
    return state.answer === undefined && escalated.length === 0
      ? { kind: 'no-result', raw: state.text, wrong: state.wrong }
      : result;
  };

  const turn = async (ask: TurnAsk, boundary: () => Promise<Directive>): Promise<TurnResult> => {
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
      const escalations = arrived.filter(isEscalation);
      if (escalations.length > 0) return conclude(ask, state, arrived);
      if (due) state = await prompts.next(ask, state, arrived);
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
      if (typeof answer === 'string') state = await prompts.answer(ask, state, question.text, answer);
      else if (answer === null) break;
    }
    state = await prompts.repair(ask, state);
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
