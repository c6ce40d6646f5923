import { type ClaimAnswer, claimWords } from '../../issues/team/claim.ts';
import type { Door } from '../../issues/team/door.ts';
import type { ToolAnswer } from '../tool.ts';

/** A task that the worker has now, or what stands in its way for good; `null`: it may come with the next event. */
export const settledClaim = (
  door: Door,
  worker: string,
  wanted: string | null,
): { readonly task: string } | { readonly answer: ToolAnswer } | null => {
  const reply = door.claim(worker, wanted);
  switch (reply.kind) {
    case 'standing':
      return reply.standing.kind === 'left'
        ? { answer: refused(`you are no longer in the team: ${reply.standing.why}`) }
        : null;
    case 'held':
      return null;
    case 'none':
      return reply.isOver ? { answer: { body: { claimed: null, idle: reply.why } } } : null;
    case 'answered':
      if (reply.answer.kind === 'claimed' || reply.answer.kind === 'yours') return { task: reply.task };
      return { answer: refusedClaim(reply.task, reply.answer) };
  }
};

/** The time is up: what it waits for. */
export const unsettledClaim = (door: Door, worker: string, wanted: string | null): ToolAnswer => {
  const reply = door.claim(worker, wanted);
  if (reply.kind === 'standing' && reply.standing.kind === 'waits')
    return { body: { claimed: null, waits: waitsText, next: againNext } };
  if (reply.kind === 'held')
    return { body: { claimed: null, waits: 'the session is paused', next: againNext }, endsTurn: true };
  return {
    body: { claimed: null, idle: reply.kind === 'none' ? reply.why : 'nothing is free', next: againNext },
    endsTurn: true,
  };
};

/** Names no command: an agent with a shell would let itself in with it. */
const waitsText = 'the person in charge was asked whether you may join; that answer is not yours to give';

/** `taken_by`, `blocked_by` and the like are fields of the answer, beside its sentence. */
const refusedClaim = (task: string, answer: ClaimAnswer): ToolAnswer => {
  const fields = {
    ...(answer.kind === 'taken_by' ? { taken_by: answer.worker } : {}),
    ...(answer.kind === 'blocked_by' ? { blocked_by: answer.tasks } : {}),
    ...(answer.kind === 'busy' ? { busy: answer.task } : {}),
    ...(answer.kind === 'wrong_role' ? { wrong_role: answer.role } : {}),
  };
  return { failed: true, body: { error: claimWords(answer, task), refused: answer.kind, ...fields } };
};

/** An answer that says why nothing was done. */
export const refused = (error: string): ToolAnswer => ({ failed: true, body: { error } });

const againNext = 'End your turn, or call task_claim again to wait.';
