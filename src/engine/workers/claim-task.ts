import { answerClaim, type Claimable, nextTask } from '../../issues/team/claim.ts';
import type { ClaimReply } from '../../issues/team/door.ts';
import { stopGate } from '../../issues/team/stop-gate.ts';
import type { TeamMember } from '../../pipeline/modes/flow/flow-state.ts';
import { claimableList, members } from '../../pipeline/modes/flow/team.ts';
import type { Core } from '../core.ts';
import { memberOf, notMember, openFlow, standingOf } from './team-state.ts';

/** Claims a task for a worker; `wanted` of `null`: the one it has, or the next one of its role. */
export const claimTask = (core: Core, worker: string, wanted: string | null): ClaimReply => {
  const { loop } = core;
  const now = standingOf(core, worker);
  const member = memberOf(core, worker);
  const flow = openFlow(core);
  if (now.kind !== 'member' || member === null || flow === null)
    return {
      kind: 'standing',
      standing: now.kind === 'member' ? { kind: 'left', why: 'the session is over' } : now,
    };
  const list = claimableList(loop.state());
  const task = wanted ?? now.task ?? nextTask(list, member)?.id ?? null;
  if (task === null) return { kind: 'none', ...idle(list, member) };
  if (loop.state().hold !== null && task !== now.task) return { kind: 'held' };
  const admitted = members(flow).filter(({ foreign }) => foreign === null || foreign.admittedBy !== null);
  const answer = answerClaim(list, admitted, { task, worker });
  if (answer.kind === 'claimed') loop.commit({ type: 'task.claimed', task, worker });
  return { kind: 'answered', task, answer };
};

/** Gives a worker's task back. A sentence: why not. */
export const releaseTask = (core: Core, worker: string, reason: string): string | null => {
  const now = standingOf(core, worker);
  if (now.kind !== 'member') return notMember;
  if (now.task === null) return 'you have no task';
  core.loop.commit({ type: 'task.released', task: now.task, worker, reason });
  return null;
};

const idle = (
  list: readonly Claimable[],
  member: TeamMember,
): { readonly why: string; readonly isOver: boolean } => {
  const gate = stopGate(list, member, null);
  const isOver = gate.kind === 'shutdown';
  if (isOver) return { why: 'the list is done', isOver };
  if (gate.kind !== 'idle' || gate.why === 'other-roles')
    return { why: `no task for the role ${member.role} is free`, isOver };
  const waits = list.find(({ id }) => id === gate.tasks[0])?.blockedBy ?? [];
  return { why: `${gate.tasks[0] ?? ''} waits for ${waits.join(', ')}`, isOver };
};
