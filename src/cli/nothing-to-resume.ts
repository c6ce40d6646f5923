import { join } from 'node:path';
import { namesIn } from '../base/names-in.ts';
import { feedbackWaits } from './feedback-waits.ts';
import type { Showing } from './showing.ts';
import type { World } from './world.ts';

/** Why a complete session has nothing to go on with: no signal waits in its mailbox, no feedback for another iteration. */
export const nothingToResume = (world: World, { paths, store }: Showing): string | null => {
  const { session } = store.getState();
  // A program that was killed at the very end has left something to finish.
  if (paths === null || session?.state !== 'COMPLETE' || session.running) return null;
  if (namesIn(world.disk, join(paths.signals, 'inputs')).length > 0) return null;
  if (feedbackWaits(world, paths, session.iteration)) return null;
  const failed = [...session.tasks.values()].some((task) => task.status === 'failed');
  return failed
    ? 'Nothing to resume yet: open a failed task again, or say with `ralph-tui feedback add` what is to mend'
    : 'Nothing to resume: it is complete, and no feedback asks for another iteration';
};
