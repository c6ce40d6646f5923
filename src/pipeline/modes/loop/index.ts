import type { LoopStateName } from '../../../session/status.ts';
import type { PipelineMode } from '../mode.ts';
import type { Stage } from '../stage.ts';
import { entering } from './entering.ts';
import { running } from './running.ts';
import { created, reopened, started } from './starting.ts';
import { strip } from './strip.ts';
import { waits, windDown } from './wind-down.ts';

/** Total: a new state does not compile without its stage. */
const stages: Readonly<Record<LoopStateName, Stage>> = {
  RUNNING: running,
  DRAINING: waits,
  STOPPED: waits,
};

/** One agent over a focus file, turn after turn (src/discovery/README.md, The loop). */
export const loop: PipelineMode = {
  name: 'loop',
  first: 'RUNNING',
  last: 'STOPPED',
  stages,
  plansAgain: false,
  readsFeedback: false,
  created,
  started,
  windDown,
  reopened,
  strip,
  entering,
};
