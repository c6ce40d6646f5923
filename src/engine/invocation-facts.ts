import { markerOf } from '../agents/marker.ts';
import type { Brief, RoleEnd, RoleFact } from '../agents/port.ts';
import type { EventBody, EventOf } from '../pipeline/event.ts';

/** Why an invocation is stopped from outside. */
export type StopReason = 'cancel' | 'timeout' | 'stall' | 'retry' | 'abort' | 'quit';

/** Where the output of one command stands. */
export type CommandLog = NonNullable<EventOf<'command.ended'>['log']>;

/** How an invocation that was stopped is recorded: a deadline is a failure of the call, the rest are interruptions. */
export const stopBody = ({ invocation }: Brief, reason: StopReason): EventBody => {
  if (reason !== 'timeout' && reason !== 'stall')
    return { type: 'invocation.interrupted', invocation, reason };
  const what = reason === 'timeout' ? 'ran longer than it may' : 'gave no sign of life for too long';
  return { type: 'invocation.failed', invocation, kind: reason, fault: { code: reason, what } };
};

/** The fact that a procedure's end comes to. What was completed is a result even when a stop came in the same moment; the rest is not. */
export const endOf = (brief: Brief, end: RoleEnd, stop: StopReason | null, logFile: string): EventBody => {
  const { invocation } = brief;
  const isResult = end.kind === 'outcome' && end.outcome.status === 'completed';
  const isPause = end.kind === 'outcome' && end.outcome.status === 'paused';
  if (stop !== null && !isResult && !(isPause && stop === 'quit')) return stopBody(brief, stop);
  switch (end.kind) {
    case 'failed': {
      const { fault, quotaUntil } = end;
      return quotaUntil === undefined
        ? { type: 'invocation.failed', invocation, kind: 'call', fault }
        : { type: 'invocation.failed', invocation, kind: 'quota', fault, until: quotaUntil };
    }
    case 'no-result': {
      const fault = { code: 'no-result', what: 'ended without result', where: logFile };
      return { type: 'invocation.failed', invocation, kind: 'no-result', fault };
    }
    case 'outcome':
      if (isPause) return { type: 'invocation.paused', invocation, continuation: end.continuation ?? null };
      return {
        type: 'invocation.ended',
        invocation,
        outcome: end.outcome,
        ...(end.tasks === undefined ? {} : { tasks: [...end.tasks] }),
        ...(end.escalation === undefined ? {} : { escalation: end.escalation }),
      };
  }
};

/** What an invocation reports, with the place it happened in. */
export const factBody = (
  brief: Brief,
  fact: RoleFact,
  backend: string,
  log: CommandLog | null,
): EventBody => {
  const { invocation } = brief;
  const task = brief.task?.id;
  const attempt = brief.attempt ?? 1;
  const of = task === undefined ? {} : { task, attempt };
  switch (fact.type) {
    case 'task.started':
      return { type: 'task.started', task: task ?? brief.role, attempt, invocation, owner: backend };
    case 'command.started':
      return { ...fact, invocation, ...of, marker: markerOf(brief) };
    case 'process.started':
      return { ...fact, invocation };
    case 'command.ended':
      return { ...fact, invocation, ...of, ...(log ? { log: { ...log } } : {}) };
    case 'steer.decided':
      return { ...fact, invocation, ...(task === undefined ? {} : { task }) };
    case 'finding.noted':
      return { ...fact, invocation };
  }
};
