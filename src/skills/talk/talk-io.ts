import type { Question } from '../../session/forms/question.ts';
import type { Talk } from './talk.ts';

/** How a conversation meets its person: on the screen or in lines. */
export interface TalkIo {
  /** Aborted when the person leaves, also while an agent works. */
  readonly left: AbortSignal;
  /** Shows the conversation as it is now. */
  readonly show: (talk: Talk) => void;
  /** The answer to a question; `null` when the person leaves. */
  readonly ask: (question: Question, talk: Talk) => Promise<string | null>;
}
