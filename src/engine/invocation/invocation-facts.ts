import { markerOf } from '../../agents/marker.ts';
import type { Brief, NoResult, RoleEnd } from '../../agents/port.ts';
import type { RoleFact } from '../../agents/role-fact.ts';
import type { EventBody, EventOf } from '../../pipeline/event.ts';
import { proseLines } from '../../tasks/markdown/prose-lines.ts';

/** Why an invocation is stopped from outside. */
export type StopReason = 'cancel' | 'timeout' | 'stall' | 'retry' | 'abort' | 'quit';

/** Position of one command's output in the log. */
export type CommandLog = NonNullable<EventOf<'command.ended'>['log']>;

/** The event for a stopped invocation: a deadline is a failed call, every other stop an interruption. */
export const stopBody = ({ invocation }: Brief, reason: StopReason): EventBody => {
  if (reason !== 'timeout' && reason !== 'stall')
    return { type: 'invocation.interrupted', invocation, reason };
  const what = reason === 'timeout' ? 'ran longer than allowed' : 'gave no sign of life for too long';
  return { type: 'invocation.failed', invocation, kind: reason, fault: { code: reason, what } };
};

/** What an invocation knows of itself when its procedure has ended. */
interface Ended {
  readonly brief: Brief;
  readonly stop: StopReason | null;
  readonly log: { readonly file: string };
  readonly refused: string | null;
}

/** The event for a procedure's end. A completed result counts even when a stop arrived at the same time. */
export const endOf = ({ brief, stop, log, refused }: Ended, end: RoleEnd): EventBody => {
  const { invocation } = brief;
  const isResult = end.kind === 'outcome' && end.outcome.status === 'completed';
  const isPause = end.kind === 'outcome' && end.outcome.status === 'paused';
  if (stop !== null && !isResult && !(isPause && stop === 'quit')) return stopBody(brief, stop);
  switch (end.kind) {
    case 'failed': {
      const { quotaUntil, fault } = end;
      return quotaUntil === undefined
        ? { type: 'invocation.failed', invocation, kind: 'call', fault }
        : {
            type: 'invocation.failed',
            invocation,
            kind: 'quota',
            fault,
            ...(quotaUntil === null ? {} : { until: quotaUntil }),
          };
    }
    case 'no-result': {
      const fault = { code: 'no-result', what: noResultText(end, refused), where: log.file };
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

/** The end of an Executor whose attempt has failed, whatever it reports. */
export const failedWith = (end: RoleEnd, why: string): RoleEnd =>
  end.kind !== 'outcome' || end.outcome.role !== 'Executor'
    ? end
    : { ...end, outcome: { ...end.outcome, status: 'failed', blockers: [why] } };

/** "ended without a result", with the wrong fields of an answer that did not fit, the reply's last words, and the request at whose refusal it may have ended. */
const noResultText = ({ raw, wrong = [] }: NoResult, refused: string | null): string => {
  const [first, ...more] = wrong;
  const why = first === undefined ? '' : `: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
  const last = refused === null ? '' : `; its last request was refused: ${refused}`;
  return `ended without a result${why}${lastWords(raw)}${last}`;
};

/** The last line of a reply's prose, unless it is data. Some agents report the failure of their model there and nowhere else. */
const lastWords = (raw: string): string => {
  const line = proseLines(raw).at(-1) ?? '';
  if (line === '' || /[}\]`]$/u.test(line)) return '';
  // No word is cut in two: half a secret would not be known as one.
  const quote = line.length <= longestQuote ? line : `${line.slice(0, longestQuote).replace(/\S*$/u, '')}…`;
  return `, after "${quote}"`;
};

/** Characters of the last words that the sentence quotes. */
const longestQuote = 200;

/** The event for a fact of an invocation, with its place. */
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
      return {
        type: 'task.started',
        task: task ?? brief.role,
        attempt,
        invocation,
        owner: brief.worker ?? backend,
      };
    case 'command.started':
      return { ...fact, invocation, ...of, marker: markerOf(brief) };
    case 'process.started':
      return { ...fact, invocation };
    case 'tool.started':
    case 'reply.ended':
    case 'command.ended':
      return { ...fact, invocation, ...of, ...(log ? { log: { ...log } } : {}) };
    case 'steer.decided':
      return { ...fact, invocation, ...(task === undefined ? {} : { task }) };
    case 'finding.noted':
      return { ...fact, invocation };
    case 'agent.launched':
      return { ...fact, invocation, ...of, marker: fact.marker ?? markerOf(brief) };
    default:
      return { ...fact, invocation, ...of };
  }
};
