import { askWords } from '../../agents/permissions.ts';
import { safe } from '../../base/safe.ts';
import type { EventOf } from '../../pipeline/event.ts';
import type { AgentEventType } from '../../pipeline/events/agents.ts';
import { agentNote, toolText } from '../agent-words.ts';

/** Events from a live agent: its reports and its questions. */
type AgentEvent = EventOf<AgentEventType>;

/** The sentence for an event from a live agent; `null` when it is left out. */
export const formatAgentEvent = (event: AgentEvent): string | null => {
  switch (event.type) {
    case 'tool.started':
      return `${subjectOf(event)} ${toolText(event)}`;
    case 'tool.ended':
      // A refusal has a line of its own.
      return event.ok || event.refused
        ? null
        : `${subjectOf(event)} tool failed: ${safe(event.title ?? event.call)}`;
    case 'thought.noted':
    case 'agent-plan.noted':
      return null;
    case 'permission.asked':
      return `${subjectOf(event)} ${safe(event.agent)} asks: ${safe(askWords(event))}`;
    case 'permission.answered':
      return `${subjectOf(event)} permission: ${event.decision}${event.why ? `, ${safe(event.why)}` : ''}`;
    case 'permission.revoked':
      return `permission taken back by ${safe(event.by)}`;
    default: {
      const note = agentNote(event);
      return note === null ? null : `${event.invocation} ${note.text}`;
    }
  }
};

const subjectOf = ({
  task,
  invocation,
}: {
  readonly task?: string | undefined;
  readonly invocation: string;
}): string => (task === undefined ? invocation : safe(task));
