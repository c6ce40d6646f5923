import { safe, safeBlock } from '../base/safe.ts';
import type { Event, EventOf } from '../pipeline/event.ts';
import { ownMessageOf } from '../pipeline/own-message.ts';
import type { Note } from './outcome-notes.ts';

/** A tool call in one line: `edit src/a.ts`, or the agent's own title, which nearly always begins with the action. */
export const toolText = (call: Pick<EventOf<'tool.started'>, 'title' | 'kind' | 'paths'>): string => {
  const [path] = call.paths;
  const title = safe(call.title).trim();
  if (title === '') return path === undefined ? call.kind : `${call.kind} ${safe(path)}`;
  const isSaid = title.toLowerCase().startsWith(call.kind);
  return isSaid || call.kind === 'other' || call.kind === 'execute' ? title : `${call.kind}: ${title}`;
};

/** The line of an ended call: its last title, unless the line says that already, and its changes. */
export const endedTool = (before: string, { title, changes }: EventOf<'tool.ended'>): string => {
  const [first] = changes;
  const late = title === undefined ? '' : safe(title).trim();
  const text = before.includes(late) ? before : late;
  if (first === undefined) return text;
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  const files = changes.length === 1 ? '' : ` in ${changes.length} files`;
  return `${text} +${added} −${removed}${files}`;
};

/** How a call ended that did not succeed. One that a person refused, or whose question nobody answered, never ran: it has no duration. */
export const failedCall = ({
  refused,
  unanswered,
}: Pick<EventOf<'tool.ended'>, 'refused' | 'unanswered'>): 'refused' | 'not run' | 'failed' =>
  refused ? 'refused' : unanswered ? 'not run' : 'failed';

/** The first changed lines of an edit, and the number of those left out. `null` for a call that changed none. */
export const startOfEdit = ({
  changes,
}: EventOf<'tool.ended'>): { readonly lines: readonly string[]; readonly more: number } | null => {
  const lines = changes.flatMap(({ path, start }) =>
    start === undefined
      ? []
      : [...(changes.length > 1 ? [` ${safe(path)}`] : []), ...safeBlock(start).split('\n')],
  );
  if (lines.length === 0) return null;
  const all = changes.reduce((sum, { added, removed }) => sum + added + removed, 0);
  return { lines, more: Math.max(0, all - lines.filter((line) => !line.startsWith(' ')).length) };
};

/** Characters of a thought in its one line. The event holds more. */
const shownThought = 160;

/** Other reports of a live agent than its words and tool calls, as a line of its log. `null` for events that make no line. */
export const agentNote = (event: Event): Note | null => {
  switch (event.type) {
    case 'agent.connected': {
      // Who works is in Details. A model or a mode that was set is worth its line.
      if (event.began === 'new' && !event.model && !event.mode) return null;
      const parts = [event.label, event.model ?? '', event.mode ? `mode ${event.mode}` : ''];
      const began = event.began === 'new' ? '' : `, its session ${event.began}`;
      return plain(`${parts.filter((part) => part !== '').join(' · ')}${began}`);
    }
    case 'agent.mode-changed':
      return plain(`mode ${event.mode}`);
    case 'agent.context-compacted':
      return plain('its context was compacted');
    case 'thought.noted': {
      const line = event.text.replace(/\s+/gu, ' ').trim();
      const more = line.length > shownThought || event.characters > event.text.length;
      const rest = event.characters > event.text.length ? '…' : '';
      return {
        ...plain(`thought: ${line.slice(0, shownThought)}${more ? '…' : ''}`),
        thought: safe(`thought: ${line}${rest}`),
      };
    }
    case 'agent-plan.noted': {
      const done = event.entries.filter(({ status }) => status === 'completed').length;
      const now = event.entries.find(({ status }) => status === 'in_progress');
      return plain(`plan ${done}/${event.entries.length}${now ? `: ${now.text}` : ''}`);
    }
    case 'prompt.sent':
      return event.index === 0 ? null : plain(promptWords[event.why]);
    case 'reply.ended':
      return event.stop === 'end_turn' ? null : { text: stopWords[event.stop], tone: 'bad' };
    case 'message.arrived':
      return arrivedNote(event);
    default:
      return null;
  }
};

/** Only a signal is a message of someone: the words of an earlier attempt came by themselves. */
const arrivedNote = ({ id, detail }: EventOf<'message.arrived'>): Note => {
  const own = ownMessageOf(id);
  if (own === null) return { text: safe(`message arrived ${detail}`), tone: 'steer' };
  return plain(`${ownWords[own.about]} attempt ${own.attempt} was passed on ${detail}`);
};

const ownWords = {
  failed: 'the failure of',
  review: 'the review of',
  merge: 'the refused merge of',
} as const;

const plain = (text: string): Note => ({ text: safe(text), tone: 'plain' });

const promptWords: Readonly<Record<EventOf<'prompt.sent'>['why'], string>> = {
  ask: 'prompted again',
  messages: 'prompted with the pending messages',
  resume: 'prompted to continue after the pause',
  repair: 'prompted to send its result again',
};

const stopWords: Readonly<Record<EventOf<'reply.ended'>['stop'], string>> = {
  end_turn: '',
  max_tokens: 'its reply reached the token limit',
  max_turn_requests: 'its turn reached the limit on model requests',
  refusal: 'the model refused to answer',
  cancelled: 'its reply was cancelled',
  lost: 'its reply was lost with the agent',
};
