import type { Event } from '../../pipeline/event.ts';

/** The outcome of every attempt of every task. The session's state keeps only the last one. Changes in place, like the output logs. */
export interface AttemptHistory {
  readonly of: (task: string) => readonly Attempt[];
  readonly take: (event: Event) => void;
}

export interface Attempt {
  readonly number: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Milliseconds between start and end during which the attempt was held. */
  readonly heldMs: number;
  readonly outcome:
    | 'running'
    | 'in review'
    | 'qualified'
    | 'failed'
    | 'interrupted'
    | 'escalated'
    | 'cancelled';
  readonly reason: string | null;
  readonly files: readonly string[];
  /** The commit with its changes, if known. */
  readonly commit: string | null;
  /** The Reviewer's findings, by criterion. */
  readonly criteria: { readonly [criterion: string]: 'met' | 'not met' | 'not checked' };
  /** The responses to the STEERs that reached it. */
  readonly steers: readonly string[];
}

export const createAttemptHistory = (): AttemptHistory => {
  const tasks = new Map<string, Attempt[]>();
  const reviews = new Map<string, string>();
  /** Running attempts by invocation, and since when they are held. */
  const work = new Map<
    string,
    { readonly task: string; readonly number: number; readonly heldSince: string | null }
  >();

  const change = (task: string, number: number | null, with_: Partial<Attempt>): void => {
    const attempts = tasks.get(task) ?? [];
    const at = number === null ? attempts.length - 1 : attempts.findIndex((each) => each.number === number);
    const found = attempts[at];
    if (found !== undefined) attempts[at] = { ...found, ...with_ };
  };
  const end = (
    event: Event & { readonly task: string; readonly attempt: number },
    outcome: Attempt['outcome'],
    reason: string | null,
  ): void => {
    // The work ended at the submission. The verdict may come much later.
    const known = tasks.get(event.task)?.find((each) => each.number === event.attempt)?.endedAt;
    change(event.task, event.attempt, { outcome, reason, endedAt: known ?? event.at });
  };

  const hold = (invocation: string, at: string): void => {
    const held = work.get(invocation);
    if (held) work.set(invocation, { ...held, heldSince: at });
  };
  const goOn = (invocation: string, at: string): void => {
    const held = work.get(invocation);
    if (!held || held.heldSince === null) return;
    work.set(invocation, { ...held, heldSince: null });
    const before = tasks.get(held.task)?.find((each) => each.number === held.number)?.heldMs ?? 0;
    const heldMs = before + Date.parse(at) - Date.parse(held.heldSince);
    change(held.task, held.number, { heldMs });
  };

  const take = (event: Event): void => {
    switch (event.type) {
      case 'task.started': {
        const known = (tasks.get(event.task) ?? []).filter((each) => each.number !== event.attempt);
        tasks.set(event.task, [...known, started(event.attempt, event.at)]);
        break;
      }
      case 'task.submitted':
        change(event.task, event.attempt, { outcome: 'in review', endedAt: event.at, files: event.files });
        break;
      case 'task.qualified':
        change(event.task, event.attempt, {
          outcome: 'qualified',
          reason: null,
          commit: hash.test(event.commit ?? '') ? (event.commit ?? null) : null,
        });
        break;
      case 'task.failed':
        end(event, 'failed', event.reason);
        break;
      case 'task.interrupted':
        end(event, 'interrupted', event.reason);
        break;
      case 'task.escalated':
        end(event, 'escalated', event.message);
        break;
      case 'task.cancelled':
        if (tasks.get(event.task)?.at(-1)?.endedAt === null)
          change(event.task, null, { outcome: 'cancelled', reason: event.reason, endedAt: event.at });
        break;
      case 'invocation.started':
        if (event.role === 'Reviewer' && event.task) reviews.set(event.invocation, event.task);
        if (event.role === 'Executor' && event.task && event.attempt)
          work.set(event.invocation, { task: event.task, number: event.attempt, heldSince: null });
        break;
      case 'invocation.paused':
        hold(event.invocation, event.at);
        break;
      case 'invocation.resumed':
        goOn(event.invocation, event.at);
        break;
      case 'invocation.ended': {
        const worked = work.get(event.invocation);
        // For a failed attempt this is the only record of its files.
        if (worked && event.outcome.role === 'Executor')
          change(worked.task, worked.number, { files: event.outcome.files_modified });
        const task = reviews.get(event.invocation);
        reviews.delete(event.invocation);
        work.delete(event.invocation);
        if (task !== undefined && event.outcome.role === 'Reviewer')
          change(task, null, { criteria: event.outcome.criteria_results });
        break;
      }
      case 'steer.decided': {
        if (event.task === undefined) break;
        const steers = tasks.get(event.task)?.at(-1)?.steers ?? [];
        change(event.task, null, { steers: [...steers, `${event.verdict}: ${event.action}`] });
        break;
      }
      default:
        break;
    }
  };
  return { of: (task) => tasks.get(task) ?? [], take };
};

/** Matches a commit id. A Reviewer may report only whether it committed ("skipped"), which names no commit. */
const hash = /^[0-9a-f]{7,40}$/;

const started = (number: number, at: string): Attempt => ({
  number,
  startedAt: at,
  endedAt: null,
  heldMs: 0,
  outcome: 'running',
  reason: null,
  files: [],
  commit: null,
  criteria: {},
  steers: [],
});
