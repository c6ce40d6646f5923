import type { PromptReason } from '../../agent-facts.ts';
import type { BackendHost, Brief, Message, TurnAsk } from '../../port.ts';
import type { AgentProfile } from '../../profiles/profile.ts';
import { readReply, repairPrompt } from '../../replies/read-reply.ts';
import { joinMessages } from '../../roles/messages.ts';
import { promptPrefix } from '../../roles/prompts/render-prompt.ts';
import type { Conversation } from './conversation.ts';
import type { Delivery } from './delivery.ts';
import { ofModel } from './faults.ts';
import type { LiveSession } from './live-session.ts';
import { messageBlocks } from './message-text.ts';
import type { WorkerTools } from './tool-calls.ts';
import { isFromPerson, nextPrompt, resumeText, type TurnState, withMessages } from './turn-state.ts';
import type { createToolWatch } from './unlisted-tools.ts';

interface PromptPorts {
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly profile: AgentProfile;
  readonly conversation: Conversation;
  readonly delivery: Delivery;
  readonly tools: WorkerTools;
  readonly watchTools: ReturnType<typeof createToolWatch>;
  readonly uriOf: (path: string) => string | null;
}

/** The prompts of a worker's turns. Each gives the turn's state with the resulting reply, read by the turn's contract. */
export interface Prompts {
  /** Sends the next prompt to the session it belongs to. */
  next(ask: TurnAsk, state: TurnState, arrived: readonly Message[]): Promise<TurnState>;
  /** Sends a person's answer to the agent's question. */
  answer(ask: TurnAsk, state: TurnState, question: string, answer: string): Promise<TurnState>;
  /** Names the faults of the answer, once. Sends nothing if the agent said nothing at all. */
  repair(ask: TurnAsk, state: TurnState): Promise<TurnState>;
}

export const createPrompts = ({
  brief,
  host,
  profile,
  conversation,
  delivery,
  tools,
  watchTools,
  uriOf,
}: PromptPorts): Prompts => {
  /** A prompt was sent to the agent of this process. */
  let spoken = false;

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
    const said = await watchTools(session, () => conversation.say(session, blocks, why, begun));
    const { text, stop } = ofModel(profile, said);
    delivery.replied(stop);
    const meanwhile = delivery.delivered().slice(known);
    const more = meanwhile.map(({ message }) => message).filter((message) => !arrived.includes(message));
    const forgets = stop === 'cancelled' && !profile.keepsCancelled;
    return {
      ...state,
      session: session.id,
      text,
      told: joinMessages(joinMessages(state.told, arrived), more),
      forgot: forgets ? withMessages(words, more) : null,
    };
  };

  /** The agent of this process knows the conversation so far. Its session's id tells nothing: some agents number their sessions again. */
  const knows = ({ remembers }: LiveSession): boolean => spoken || remembers;

  const next: Prompts['next'] = async (ask, state, arrived) => {
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
      : { ...state, answer: undefined, wrong: tools.refused() ?? reading.wrong };
  };

  const repair: Prompts['repair'] = async (ask, state) => {
    // A turn without a word has no answer to mend, unless it gave one by a call that was refused.
    if (state.answer !== undefined || (state.text.trim() === '' && tools.refused() === null)) return state;
    const session = await conversation.session(state.session);
    const said = await say(state, session, repairPrompt(state.wrong), 'repair');
    return heard(ask, { ...said, text: `${state.text}\n${said.text}` });
  };

  const answer: Prompts['answer'] = async (ask, state, question, words) => {
    const session = await conversation.session(state.session);
    const reply = `${promptPrefix}You asked: ${question}\nThe person in charge answered: ${words}\n\nContinue your work.`;
    const whole = knows(session) ? reply : `${resumeText(ask, state, [])}\n\n${reply}`;
    return heard(ask, await say(state, session, whole, 'messages'));
  };

  return { next, answer, repair };
};
