import { namesIn } from '../base/names-in.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { World } from './world.ts';

/** Whether something lies where feedback for the next iteration does (session-format.md). Whether it can be used, the engine says when it reads it. */
export const feedbackWaits = ({ disk }: World, paths: SessionPaths, iteration: number): boolean =>
  namesIn(disk, paths.iteration(iteration + 1).feedbacks).length > 0;
