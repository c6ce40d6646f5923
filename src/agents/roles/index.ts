import type { Role } from '../../signals/signal.ts';
import type { Procedure } from '../port.ts';
import { executor } from './executor.ts';
import { librarian } from './librarian.ts';
import { briefFault } from './passing.ts';
import { planner } from './planner.ts';
import { reviewer } from './reviewer.ts';

const unwritten: Procedure = async (port) => briefFault(port, 'a procedure');

/** Every role's procedure, in the order of the state machine. */
export const procedures: Readonly<Record<Role, Procedure>> = {
  Planner: planner,
  Questioner: unwritten,
  Executor: executor,
  Reviewer: reviewer,
  Librarian: librarian,
};
