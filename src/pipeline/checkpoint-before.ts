import type { CheckpointId } from '../signals/checkpoints.ts';
import type { EventBody } from './event.ts';
import type { SessionState } from './state.ts';

/**
 * At which checkpoint the orchestrator looks into the mailbox before this fact is committed (signals.md, "Who checks where"): every state boundary,
 * every invocation, between tasks, between reviews, and before a gate decides for itself or the session stops. `null`: it does not look.
 */
export const checkpointBefore = (state: SessionState, body: EventBody): CheckpointId | null => {
  // What an ABORT came to cannot be changed by a signal any more.
  if (state.abort) return null;
  switch (body.type) {
    case 'state.entered':
    case 'session.stopped':
      return 'Orchestrator.boundary';
    case 'gate.decided':
      return 'Orchestrator.approval';
    case 'invocation.started':
      return beforeInvocation(state, body.mode);
    default:
      return null;
  }
};

const beforeInvocation = (state: SessionState, mode: string): CheckpointId => {
  if (state.startedHere === 0) return 'Orchestrator.invoke';
  if (mode === 'IMPLEMENT') return 'Orchestrator.between-tasks';
  if (mode === 'TASK_REVIEW') return 'Orchestrator.between-reviews';
  return 'Orchestrator.invoke';
};
