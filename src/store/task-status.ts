import { assertNever } from '../base/assert-never.ts';
import { safe } from '../base/safe.ts';
import type { HeldBack } from '../pipeline/dispatch.ts';
import type { Invocation, SessionState, TaskState } from '../pipeline/state.ts';
import { failedForGood, type Graph, type Standing } from '../tasks/graph.ts';

/** What a task is doing, finer than its mark in `progress.md`: one glyph, one colour and one word each. */
export type TaskLook =
  | 'ready'
  | 'waiting'
  | 'unreachable'
  | 'running'
  | 'paused'
  | 'to-review'
  | 'reviewing'
  | 'again'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'replaced';

/** What a row says of its task: one look and one word, the reason with it. */
export const statusOf = (
  session: SessionState,
  task: TaskState,
  invocation: Invocation | undefined,
  { graph, now, held, cutOff }: Around,
): { readonly look: TaskLook; readonly word: string } => {
  const id = task.definition.id;
  if (graph.replaced.has(id))
    return { look: 'replaced', word: `split into ${task.definition.replaced_by.join(', ')}` };
  const unreachable = now.unreachable.get(id);
  if (unreachable !== undefined) return { look: 'unreachable', word: unreachableWord(unreachable) };
  switch (task.status) {
    case 'done':
      return { look: 'done', word: task.uncommitted === null ? 'done' : 'done, not committed' };
    case 'cancelled':
      return { look: 'cancelled', word: reasoned('cancelled', task.reason) };
    case 'running':
      if (cutOff && invocation === undefined)
        return { look: 'again', word: `cut off, attempt ${task.attempt + 1} next` };
      return invocation?.stage === 'paused'
        ? { look: 'paused', word: 'paused' }
        : { look: 'running', word: 'running' };
    case 'review':
      if (invocation?.stage === 'paused') return { look: 'paused', word: 'review paused' };
      return invocation ? { look: 'reviewing', word: 'in review' } : { look: 'to-review', word: 'to review' };
    case 'failed':
      return failedForGood(task, session.settings.retries.max_attempts) || session.state === 'COMPLETE'
        ? { look: 'failed', word: reasoned('failed', task.reason) }
        : { look: 'again', word: `again, attempt ${task.attempt + 1} next` };
    case 'open':
      return session.state === 'COMPLETE'
        ? { look: 'waiting', word: 'not started' }
        : openStatus(session, task, now, held);
    default:
      return assertNever(task.status);
  }
};

const openStatus = (
  session: SessionState,
  task: TaskState,
  now: Standing,
  held: Held,
): { readonly look: TaskLook; readonly word: string } => {
  const missing = now.waitingFor.get(task.definition.id);
  if (task.replan !== null) return { look: 'waiting', word: 'waits for the Planner' };
  if (missing !== undefined) return { look: 'waiting', word: `waits for ${missing.join(', ')}` };
  const back = held(task.definition);
  if (back !== null) return { look: 'waiting', word: `after ${back.by}: ${heldWord(back)}` };
  if (task.attempt > 0) return { look: 'again', word: `again, attempt ${task.attempt + 1} next` };
  // A wave is worked on until all of it is settled, also where nothing else keeps a task (engine.md, EXECUTING_BATCH).
  const isLater = isAtWork(session) && !session.batch.includes(task.definition.id);
  return isLater ? { look: 'waiting', word: `after wave ${session.wave}` } : { look: 'ready', word: 'ready' };
};

const isAtWork = ({ state }: SessionState): boolean =>
  state === 'EXECUTING_BATCH' || state === 'REVIEWING_BATCH';

/** What a row is judged by beside its own task. */
export interface Around {
  readonly graph: Graph;
  readonly now: Standing;
  readonly held: Held;
  readonly cutOff: boolean;
}

type Held = (task: TaskState['definition']) => HeldBack | null;

const heldWord = ({ files }: HeldBack): string =>
  files.length === 0 ? 'runs alone' : `both change ${safe(files.join(', '))}`;

/** "blocked by task-4, failed" reads as "unreachable: task-4 failed" in a row that says what it blocks. */
const unreachableWord = (reason: string): string =>
  `unreachable: ${safe(reason.replace(/^blocked by /, '').replace(', ', ' '))}`;

const reasoned = (word: string, reason: string | null): string =>
  reason === null || reason === '' ? word : `${word}: ${safe(reason)}`;

/** A row's word in few letters: of a command that failed how it ended and what it said, for the command itself stands in the panes beside it. */
export const briefWord = (word: string): string =>
  word.replace(
    /^(failed: (?:review: )?)`.*?` (?:exited (\d+)|was ended by (\w+)|(timed out)) after [\d.]+ m?s\b/,
    (_, start: string, code?: string, signal?: string, late?: string) =>
      `${start}${code === undefined ? (signal ?? late ?? '') : `exit ${code}`}`,
  );
