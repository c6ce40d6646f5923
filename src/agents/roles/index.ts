import type { Role } from '../../signals/signal.ts';
import type { Procedure } from '../port.ts';
import { executor } from './executor.ts';
import { librarian } from './librarian.ts';
import { planner } from './planner.ts';
import { questioner } from './questioner.ts';
import { reviewer } from './reviewer.ts';

/** Every role's procedure, in the order of the state machine. */
export const procedures: Readonly<Record<Role, Procedure>> = {
  Planner: planner,
  Questioner: questioner,
  Executor: executor,
  Reviewer: reviewer,
  Librarian: librarian,
};
