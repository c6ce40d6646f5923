import { namesIn } from '../../base/names-in.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { World } from '../world.ts';

/** Whether feedback for the next iteration exists (session-format.md). The engine reports on reading whether it is usable. */
export const feedbackWaits = ({ disk }: World, paths: SessionPaths, iteration: number): boolean =>
  namesIn(disk, paths.iteration(iteration + 1).feedbacks).length > 0;
