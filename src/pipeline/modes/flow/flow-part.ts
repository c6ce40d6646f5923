import type { EventBody } from '../../event.ts';
import type { SessionState } from '../../state.ts';
import type { FlowState } from './flow-state.ts';
import type { Listed } from './flow-tasks.ts';

/** A part of EXECUTING_BATCH in a flow; `null` asks the next one. */
export type FlowPart = (state: SessionState, flow: FlowState, list: readonly Listed[]) => EventBody | null;
