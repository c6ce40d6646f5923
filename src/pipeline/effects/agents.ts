import { type AsksOf, nothing } from './table.ts';

/** A live agent's reports have no effects; they are for the screen. */
export const effectsOfAgents: AsksOf<
  | 'agent.launched'
  | 'agent.process-started'
  | 'agent.connected'
  | 'agent.mode-changed'
  | 'agent.usage-reported'
  | 'agent.context-compacted'
  | 'prompt.sent'
  | 'reply.ended'
  | 'tool.started'
  | 'tool.ended'
  | 'thought.noted'
  | 'agent-plan.noted'
  | 'message.arrived'
  | 'permission.asked'
  | 'permission.answered'
  | 'permission.revoked'
> = {
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
  'permission.asked': nothing,
  'permission.answered': nothing,
  'permission.revoked': nothing,
};
