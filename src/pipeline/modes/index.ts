import type { SessionState } from '../state.ts';
import { flow } from './flow/index.ts';
import { loop } from './loop/index.ts';
import type { PipelineMode } from './mode.ts';
import type { Stage } from './stage.ts';
import { waves } from './waves/index.ts';

/** Every mode of the pipeline, in the order users see them. */
export const modes: readonly PipelineMode[] = [waves, loop, flow];

/** The mode a session runs in. */
export const modeOf = ({ mode }: Pick<SessionState, 'mode'>): PipelineMode => {
  const found = modes.find(({ name }) => name === mode);
  if (!found) throw new Error(`no mode ${mode}`);
  return found;
};

/** The stage of the session's state. Throws for a state of another mode, which `evolve` never sets. */
export const stageOf = (state: SessionState): Stage => {
  const stage = modeOf(state).stages[state.state];
  if (!stage) throw new Error(`mode ${state.mode} has no state ${state.state}`);
  return stage;
};
