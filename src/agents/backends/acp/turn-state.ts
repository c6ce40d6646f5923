import { z } from 'zod';
import type { PromptReason } from '../../agent-facts.ts';
import type { Message, TurnAsk } from '../../port.ts';
import { joinMessages, messageSchema } from '../../roles/messages.ts';
import { continueText, messageText, summaryText } from './message-text.ts';

/** The state of a turn as plain data, so that another process can continue it after a pause. */
const stateSchema = z.object({
  /** The agent's own session, or `null` before it exists. */
  session: z.string().nullable(),
  told: z.array(messageSchema).readonly(),
  /** The agent's last words, including the answer. */
  text: z.string(),
  /** The prompt, and what was said meanwhile, that the agent forgot because its reply was cut off; else `null`. */
  forgot: z.string().nullable().default(null),
  answer: z.unknown().optional(),
  /** What is wrong with the answer. */
  wrong: z.array(z.string()).readonly(),
  /** A question to a person that was unanswered at the pause. */
  question: z.string().nullable().default(null),
});
export type TurnState = z.infer<typeof stateSchema>;

/** The state of a turn before its first prompt, which holds the messages that came before. */
export const firstState = ({ messages }: TurnAsk): TurnState => ({
  session: null,
  told: messages,
  text: '',
  forgot: null,
  wrong: [],
  question: null,
});

/** The state that a pause has kept in the turn's data, or `null`. */
export const continuationOf = (ask: TurnAsk): TurnState | null => {
  const data = z.object({ continuation: z.unknown().optional() }).safeParse(ask.data ?? {});
  const earlier = stateSchema.safeParse(data.success ? data.data.continuation : undefined);
  return earlier.success ? earlier.data : null;
};

/** What the next prompt says, and why it is sent. `knows`: the agent knows the conversation so far. */
export const nextPrompt = (
  ask: TurnAsk,
  state: TurnState,
  arrived: readonly Message[],
  knows: boolean,
): { readonly text: string; readonly why: PromptReason } => {
  const { text, forgot } = state;
  if (state.session === null) return { text: withMessages(ask.prompt, arrived), why: 'ask' };
  if (!knows) return { text: resumeText(ask, state, arrived), why: 'resume' };
  if (forgot !== null)
    return {
      text: withMessages(summaryText(forgot, text), arrived),
      why: arrived.length > 0 ? 'messages' : 'resume',
    };
  return arrived.length > 0
    ? { text: messageText(arrived, 'prompt'), why: 'messages' }
    : { text: continueText([]), why: 'resume' };
};

/** The prompt for an agent that knows nothing of the conversation: the task, its last words, and everything it was told meanwhile. */
export const resumeText = (
  { prompt, messages }: TurnAsk,
  { text, told }: TurnState,
  arrived: readonly Message[],
): string => {
  const meanwhile = told.filter(({ id }) => !messages.some((message) => message.id === id));
  return withMessages(summaryText(prompt, text), joinMessages(meanwhile.filter(isFromPerson), arrived));
};

/** A message that a person wrote, not the engine. */
export const isFromPerson = ({ kind }: Message): boolean => kind !== 'RETRY';

/** The words of a prompt, with messages behind them. */
export const withMessages = (prompt: string, arrived: readonly Message[]): string =>
  arrived.length === 0 ? prompt : `${prompt}\n\n${messageText(arrived, 'prompt')}`;
