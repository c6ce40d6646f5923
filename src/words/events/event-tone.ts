import type { Event, EventType } from '../../pipeline/event.ts';

/** How much a sentence matters to a person. */
export type EventTone = 'text' | 'secondary' | 'needs-you' | 'done' | 'failed' | 'held';

export const eventTone = (event: Event): EventTone => {
  switch (event.type) {
    case 'command.ended':
    case 'tool.ended':
      return event.ok || ('unanswered' in event && event.unanswered) ? 'secondary' : 'failed';
    case 'session.reviewed':
      return event.goals_achieved ? 'done' : 'failed';
    default:
      return tones[event.type] ?? 'text';
  }
};

const tones: { readonly [type in EventType]?: EventTone } = {
  'task.failed': 'failed',
  'task.interrupted': 'failed',
  'invocation.failed': 'failed',
  'problem.found': 'failed',
  'runner.lost': 'failed',
  'limit.reached': 'failed',
  'abort.requested': 'failed',
  'signal.rejected': 'failed',
  'gate.opened': 'needs-you',
  'question.asked': 'needs-you',
  'permission.asked': 'needs-you',
  'task.qualified': 'done',
  'knowledge.promoted': 'done',
  'hold.requested': 'held',
  'hold.begun': 'held',
  'signal.pending': 'held',
  'steer.decided': 'held',
  'task.escalated': 'held',
  'retry.scheduled': 'held',
  'plan-item.marked': 'secondary',
  'prompt.sent': 'secondary',
};
