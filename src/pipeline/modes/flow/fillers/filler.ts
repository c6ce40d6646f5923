import type { EventBody } from '../../../event.ts';
import type { SessionState } from '../../../state.ts';
import type { FlowState } from '../flow-state.ts';
import type { Listed } from '../flow-tasks.ts';

export interface SlotFiller {
  /** Gives one of the tasks that could start now, and that none has claimed, to somebody. `null`: all wait. */
  readonly fill: (
    state: SessionState,
    flow: FlowState,
    list: readonly Listed[],
    unclaimed: readonly Listed[],
  ) => EventBody | null;
  /** What is left to do when the list is done; `null`: nothing. */
  readonly end: (state: SessionState, flow: FlowState) => EventBody | null;
}
