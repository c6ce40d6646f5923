import { ownTask } from '../../issues/team/claim.ts';
import type { Standing } from '../../issues/team/door.ts';
import type { FlowState, TeamMember } from '../../pipeline/modes/flow/flow-state.ts';
import { joinRequestOf } from '../../pipeline/modes/flow/foreign.ts';
import { claimableList } from '../../pipeline/modes/flow/team.ts';
import type { Core } from '../core.ts';

/** The flow of an open session; `null`: it has not begun, is over, or does not work on issues. */
export const openFlow = ({ loop }: Core): FlowState | null =>
  loop.begun() && loop.isOpen() ? loop.state().flow : null;

export const memberOf = (core: Core, worker: string): TeamMember | null =>
  openFlow(core)?.workers.get(worker) ?? null;

export const standingOf = (core: Core, worker: string): Standing => {
  const member = memberOf(core, worker);
  if (member === null) return { kind: 'left', why: 'the session has no such worker' };
  if (member.left !== null) return { kind: 'left', why: member.left };
  if (member.foreign !== null && member.foreign.admittedBy === null)
    return { kind: 'waits', request: joinRequestOf(worker) };
  return { kind: 'member', task: ownTask(claimableList(core.loop.state()), member)?.id ?? null };
};

/** The sentence for a call that only a member may make. */
export const notMember = 'you are not a worker of this session';
