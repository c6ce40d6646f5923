import type { TalkQuestion } from '../../skills/talk/question.ts';
import type { Talk } from '../../skills/talk/talk.ts';

/** How a conversation meets its person: on the screen or in lines. */
export interface TalkIo {
  /** Shows the conversation as it is now. */
  readonly show: (talk: Talk) => void;
  /** The answer to a question; `null` when the person leaves. */
  readonly ask: (question: TalkQuestion, talk: Talk) => Promise<string | null>;
}
