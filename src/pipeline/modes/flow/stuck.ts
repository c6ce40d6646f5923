import { ends, stopped } from '../../ends.ts';
import type { EventBody } from '../../event.ts';
import type { SessionState } from '../../state.ts';
import { anyRunning } from '../../step.ts';
import type { FlowState } from './flow-state.ts';

/** Whether the tracker, or git, refused the last step. */
export const isStuck = ({ refusal }: FlowState): boolean => refusal !== null;

/** Stops the session with the reason once running work has ended. The next start tries again. `null`: something still runs. */
export const stuck = (state: SessionState, { refusal, unseen }: FlowState): EventBody | null =>
  refusal === null || anyRunning(state)
    ? null
    : stopped(state, unseen ? ends.gate(refusal) : ends.blocked(refusal));
