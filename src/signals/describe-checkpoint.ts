import { type CheckpointId, checkpointOf, type Reaction } from './checkpoints.ts';

/** A checkpoint for people: `Executor.3.5 (after every command or tool call)`. */
export const describeCheckpoint = (id: CheckpointId): string => `${id} (${checkpointOf(id).where})`;

/** What each reaction of the matrix means, for the help. */
export const reactionWords: Readonly<Record<Reaction, string>> = {
  context: 'joins what the agent knows',
  tree: 'restarts the step, adjusts in place, or hands the task back',
  pause: 'stops here until RESUME',
  abort: 'stops for good',
  'skip-commit': 'stops without the commit, with partial results',
  're-evaluate': 'looks at the verdict again, at most twice',
  guide: 'kept as guidance for later invocations',
  leave: 'left for the agents',
};
