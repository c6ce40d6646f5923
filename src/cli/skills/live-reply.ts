import { createRecentText } from '../../agents/backends/recent-text.ts';
import type { Cancel } from '../../base/clock.ts';
import { growingParts, replyParts } from '../../skills/agent/reply-parts.ts';
import type { SkillRun } from './skill-run.ts';

/** The agent's reply while it arrives: the conversation shows it as it grows. */
interface LiveReply {
  readonly take: (bytes: Uint8Array) => void;
  /** Shows the conversation now, with what arrived. */
  readonly show: () => void;
  /** Something comes between these words and the next: a tool call or a question. What was said so far becomes a turn of the conversation. */
  readonly pause: () => void;
  /** Ends the reply. Its words that are no turn yet become one. */
  readonly end: () => void;
}

/** How often the screen shows a growing reply, in ms. */
const rhythm = 80;
const longestKept = 262_144;

export const createLiveReply = ({ world: { clock }, journal, io }: SkillRun): LiveReply => {
  let text = createRecentText(longestKept);
  let shown = Number.NEGATIVE_INFINITY;
  let timer: Cancel | null = null;
  /** The document stays in sight while the agent reads on. */
  let document: string | null = null;
  const show = (): void => {
    timer?.();
    timer = null;
    shown = clock.monotonic();
    const parts = growingParts(text.text());
    document = parts.document ?? document;
    const growing = parts.words === '' && document === null ? null : { words: parts.words, document };
    io.show({ ...journal.talk(), growing });
  };
  const say = (words: string): void => {
    timer?.();
    timer = null;
    text = createRecentText(longestKept);
    if (words !== '') journal.add({ type: 'said', by: 'agent', text: words });
  };
  return {
    show,
    take: (bytes) => {
      text.add(bytes);
      timer ??= clock.after(Math.max(0, rhythm - (clock.monotonic() - shown)), show);
    },
    pause: () => {
      const { words, inBlock } = growingParts(text.text());
      if (!inBlock) say(words.trim());
    },
    end: () => {
      document = null;
      say(replyParts(text.text()).words);
    },
  };
};
