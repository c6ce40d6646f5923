import type { AgentEventType } from '../events/agents.ts';
import { type AsksOf, nothing } from './table.ts';

/** A live agent's reports have no effects; they are for the screen. */
export const effectsOfAgents: AsksOf<AgentEventType> = {
  'agent.launched': nothing,
  'agent.process-started': nothing,
  'agent.connected': nothing,
  'agent.mode-changed': nothing,
  'agent.usage-reported': nothing,
  'agent.context-compacted': nothing,
  'prompt.sent': nothing,
  'reply.ended': nothing,
  'tool.started': nothing,
  'tool.ended': nothing,
  'thought.noted': nothing,
  'agent-plan.noted': nothing,
  'message.arrived': nothing,
  'message.carried': nothing,
  'permission.asked': nothing,
  'permission.answered': nothing,
  'permission.revoked': nothing,
};
