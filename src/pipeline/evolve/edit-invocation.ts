import type { Patch } from '../handler.ts';
import { change, type Owned } from '../maps.ts';
import type { Invocation, SessionState } from '../state.ts';

/** Changes one invocation; an unknown id changes nothing. */
export const editInvocation = (
  state: SessionState,
  own: Owned,
  id: string,
  with_: (invocation: Invocation) => Invocation,
): Patch => ({ invocations: change(own, state.invocations, id, with_) });
