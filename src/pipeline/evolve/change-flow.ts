import type { Patch } from '../handler.ts';
import type { FlowState } from '../modes/flow/flow-state.ts';
import type { SessionState } from '../state.ts';

/** Edits what only mode `flow` has; nothing in another mode. */
export const changeFlow = (state: SessionState, edit: (flow: FlowState) => Partial<FlowState>): Patch =>
  state.flow && { flow: { ...state.flow, ...edit(state.flow) } };
