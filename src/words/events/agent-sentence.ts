import { askWords } from '../../agents/permissions.ts';
import { safe } from '../../base/safe.ts';
import type { EventOf } from '../../pipeline/event.ts';
import type { AgentEventType } from '../../pipeline/events/agents.ts';
import { agentNote, toolText } from '../agent-words.ts';
import { subjectOf, type TaskOf } from './subject-of.ts';

/** Events from a live agent: its reports and its questions. */
type AgentEvent = EventOf<AgentEventType>;

/** The sentence for an event from a live agent; `null` when it is left out. */
export const formatAgentEvent = (event: AgentEvent, taskOf: TaskOf): string | null => {
  switch (event.type) {
    case 'tool.started':
      return `${subjectOf(event, taskOf)} ${toolText(event)}`;
    case 'tool.ended':
      // A refusal has a line of its own, and so has the end of a reply.
      return event.ok || event.refused || event.unanswered
        ? null
        : `${subjectOf(event, taskOf)}: tool call failed: ${safe(event.title ?? event.call)}`;
    case 'thought.noted':
    case 'agent-plan.noted':
      return null;
    case 'permission.asked':
      return `${subjectOf(event, taskOf)} ${safe(event.agent)} asks: ${safe(askWords(event))}`;
    case 'permission.answered':
      return `${subjectOf(event, taskOf)} permission: ${event.decision}${event.why ? `, ${safe(event.why)}` : ''}`;
    case 'permission.revoked':
      return `permission revoked by ${safe(event.by)}`;
    default: {
      const note = agentNote(event);
      return note === null ? null : `${subjectOf(event, taskOf)}: ${note.text}`;
    }
  }
};
