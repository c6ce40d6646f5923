import type { Event, EventOf } from '../../src/pipeline/event.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { steerWords } from '../../src/words/steer-words.ts';

/** The outcome of every attempt of every task. The session's state keeps only the last one. Changes in place, like the output logs. */
export interface AttemptHistory {
  readonly of: (task: string) => readonly Attempt[];
  /** Adds an event. `session`: the state after it; `null` where nobody asks how long an attempt worked. */
  readonly take: (event: Event, session: SessionState | null) => void;
}

export interface Attempt {
  readonly number: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Milliseconds of work until it was submitted, as in the row of its task; `null` before its end. */
  readonly workedMs: number | null;
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
}

interface Parts {
  readonly tasks: Map<string, Attempt[]>;
  /** The task that each Reviewer at work looks at. */
  readonly reviews: Map<string, string>;
  /** Running attempts by invocation. */
  readonly work: Map<string, Work>;
}

export const createAttemptHistory = (): AttemptHistory => {
  const parts: Parts = { tasks: new Map(), reviews: new Map(), work: new Map() };
  return { of: (task) => parts.tasks.get(task) ?? [], take: (event, session) => take(parts, event, session) };
};

const take = (parts: Parts, event: Event, session: SessionState | null): void => {
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
        ...ended(parts, event.task, event.attempt, event.at, session),
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
      end(parts, event, session, 'failed', event.reason);
      break;
    case 'task.interrupted':
      end(parts, event, session, 'interrupted', event.reason);
      break;
    case 'task.escalated':
      end(parts, event, session, 'escalated', event.message);
      break;
    case 'task.cancelled': {
      const last = tasks.get(event.task)?.at(-1);
      if (last?.endedAt !== null) break;
      end(parts, { ...event, attempt: last.number }, session, 'cancelled', event.reason);
      break;
    }
    case 'invocation.started':
      if (event.role === 'Reviewer' && event.task) reviews.set(event.invocation, event.task);
      if (event.role === 'Executor' && event.task && event.attempt)
        work.set(event.invocation, { task: event.task, number: event.attempt });
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
  session: SessionState | null,
  outcome: Attempt['outcome'],
  reason: string | null,
): void => {
  const { task, attempt, at } = event;
  change(parts, task, attempt, { outcome, reason, ...ended(parts, task, attempt, at, session) });
};

/** The work ended at the submission. The verdict may come much later. */
const ended = (
  { tasks }: Parts,
  task: string,
  number: number,
  at: string,
  session: SessionState | null,
): Pick<Attempt, 'endedAt' | 'workedMs'> => {
  const known = tasks.get(task)?.find((each) => each.number === number);
  if (known === undefined || known.endedAt !== null)
    return { endedAt: known?.endedAt ?? at, workedMs: known?.workedMs ?? null };
  const heldMs = session?.tasks.get(task)?.heldMs ?? 0;
  return { endedAt: at, workedMs: Date.parse(at) - Date.parse(known.startedAt) - heldMs };
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
  workedMs: null,
  outcome: 'running',
  reason: null,
  files: [],
  commit: null,
  criteria: {},
  steers: [],
});
