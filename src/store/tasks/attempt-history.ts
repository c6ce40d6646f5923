import type { Event, EventOf } from '../../pipeline/event.ts';
import { steerWords } from '../../words/steer-words.ts';

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
  readonly outcome: 'running' | 'in review' | 'done' | 'failed' | 'interrupted' | 'escalated' | 'cancelled';
  readonly reason: string | null;
  readonly files: readonly string[];
  /** The commit with its changes, if known. */
  readonly commit: string | null;
  /** The Reviewer's findings, by criterion. */
  readonly criteria: { readonly [criterion: string]: 'met' | 'not met' | 'not checked' };
  /** What it did with the STEERs that reached it, in words for people. */
  readonly steers: readonly string[];
}

interface Work {
  readonly task: string;
  readonly number: number;
  readonly heldSince: string | null;
}

interface Parts {
  readonly tasks: Map<string, Attempt[]>;
  /** The task that each Reviewer at work looks at. */
  readonly reviews: Map<string, string>;
  /** Running attempts by invocation, and since when they are held. */
  readonly work: Map<string, Work>;
}

export const createAttemptHistory = (): AttemptHistory => {
  const parts: Parts = { tasks: new Map(), reviews: new Map(), work: new Map() };
  return { of: (task) => parts.tasks.get(task) ?? [], take: (event) => take(parts, event) };
};

const take = (parts: Parts, event: Event): void => {
  const { tasks, reviews, work } = parts;
  switch (event.type) {
    case 'task.started': {
      const known = (tasks.get(event.task) ?? []).filter((each) => each.number !== event.attempt);
      tasks.set(event.task, [...known, started(event.attempt, event.at)]);
      break;
    }
    case 'task.submitted':
      change(parts, event.task, event.attempt, {
        outcome: 'in review',
        endedAt: event.at,
        files: event.files,
      });
      break;
    case 'task.qualified':
      change(parts, event.task, event.attempt, {
        outcome: 'done',
        reason: null,
        commit: hash.test(event.commit ?? '') ? (event.commit ?? null) : null,
      });
      break;
    case 'task.failed':
      end(parts, event, 'failed', event.reason);
      break;
    case 'task.interrupted':
      end(parts, event, 'interrupted', event.reason);
      break;
    case 'task.escalated':
      end(parts, event, 'escalated', event.message);
      break;
    case 'task.cancelled':
      if (tasks.get(event.task)?.at(-1)?.endedAt === null)
        change(parts, event.task, null, { outcome: 'cancelled', reason: event.reason, endedAt: event.at });
      break;
    case 'invocation.started':
      if (event.role === 'Reviewer' && event.task) reviews.set(event.invocation, event.task);
      if (event.role === 'Executor' && event.task && event.attempt)
        work.set(event.invocation, { task: event.task, number: event.attempt, heldSince: null });
      break;
    case 'invocation.paused':
      hold(parts, event.invocation, event.at);
      break;
    case 'invocation.resumed':
      goOn(parts, event.invocation, event.at);
      break;
    case 'invocation.ended':
      endWork(parts, event);
      break;
    case 'steer.decided': {
      if (event.task === undefined) break;
      const steers = tasks.get(event.task)?.at(-1)?.steers ?? [];
      change(parts, event.task, null, { steers: [...steers, steerWords(event)] });
      break;
    }
    default:
      break;
  }
};

/** Changes an attempt; `null`: the last one. */
const change = ({ tasks }: Parts, task: string, number: number | null, with_: Partial<Attempt>): void => {
  const attempts = tasks.get(task) ?? [];
  const at = number === null ? attempts.length - 1 : attempts.findIndex((each) => each.number === number);
  const found = attempts[at];
  if (found !== undefined) attempts[at] = { ...found, ...with_ };
};

const end = (
  parts: Parts,
  event: Event & { readonly task: string; readonly attempt: number },
  outcome: Attempt['outcome'],
  reason: string | null,
): void => {
  // The work ended at the submission. The verdict may come much later.
  const known = parts.tasks.get(event.task)?.find((each) => each.number === event.attempt)?.endedAt;
  change(parts, event.task, event.attempt, { outcome, reason, endedAt: known ?? event.at });
};

const hold = ({ work }: Parts, invocation: string, at: string): void => {
  const held = work.get(invocation);
  if (held) work.set(invocation, { ...held, heldSince: at });
};

const goOn = (parts: Parts, invocation: string, at: string): void => {
  const held = parts.work.get(invocation);
  if (!held || held.heldSince === null) return;
  parts.work.set(invocation, { ...held, heldSince: null });
  const before = parts.tasks.get(held.task)?.find((each) => each.number === held.number)?.heldMs ?? 0;
  const heldMs = before + Date.parse(at) - Date.parse(held.heldSince);
  change(parts, held.task, held.number, { heldMs });
};

const endWork = (parts: Parts, { invocation, outcome }: EventOf<'invocation.ended'>): void => {
  const worked = parts.work.get(invocation);
  // For a failed attempt this is the only record of its files.
  if (worked && outcome.role === 'Executor')
    change(parts, worked.task, worked.number, { files: outcome.files_modified });
  const task = parts.reviews.get(invocation);
  parts.reviews.delete(invocation);
  parts.work.delete(invocation);
  if (task !== undefined && outcome.role === 'Reviewer')
    change(parts, task, null, { criteria: outcome.criteria_results });
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
