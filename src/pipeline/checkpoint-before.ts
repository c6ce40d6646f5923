import type { CheckpointId } from '../signals/checkpoints.ts';
import type { EventBody } from './event.ts';
import type { SessionState } from './state.ts';

/**
 * The checkpoint at which the orchestrator looks into the mailbox before this fact is committed (src/signals/README.md, "Checkpoints"): every state
 * boundary, every invocation, between tasks, between reviews, before a gate decides for itself, before the session stops. `null`: no look.
 */
export const checkpointBefore = (state: SessionState, body: EventBody): CheckpointId | null => {
  // No signal can change the result of an ABORT.
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
