import type { Fault } from '../base/fault.ts';
import type { Core } from './core.ts';

/** Records a fault as a problem of the session, unless its loop has ended meanwhile. */
export const tellProblem = ({ loop, problem }: Pick<Core, 'loop' | 'problem'>, fault: Fault): void => {
  if (loop.isOpen()) loop.run(() => problem(fault));
};
