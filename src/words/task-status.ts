import { assertNever } from '../base/assert-never.ts';
import { safe } from '../base/safe.ts';
import { flowTaskOf } from '../issues/task-list/stored-task.ts';
import type { HeldBack } from '../pipeline/scheduling/start.ts';
import type { Invocation, SessionState, TaskState } from '../pipeline/state.ts';
import { isComplete } from '../session/status.ts';
import { isDoneByHand } from '../tasks/by-hand.ts';
import { failedForGood, type Graph, type Standing, type Unreachable } from '../tasks/graph.ts';
import { failureWords } from './events/failure-words.ts';
import { reasonWords } from './reason-words.ts';
import { truncateMiddle, widthOf } from './width.ts';

/** The status of a task, finer than its mark in `progress.md`: one glyph, one colour and one word each. */
export type TaskLook =
  | 'ready'
  | 'waiting'
  | 'unreachable'
  | 'running'
  | 'asks'
  | 'paused'
  | 'to-review'
  | 'reviewing'
  | 'again'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'replaced'
  /** A person wrote about it at the gate of the plan. */
  | 'commented';

/** The status in a row: one look and one word, with the reason. `brief` and `short` are less of it, where it has less. */
export interface Status {
  readonly look: TaskLook;
  readonly word: string;
  readonly brief?: string;
  readonly short?: string;
  /** The beginning of `word` before what the task waits for, and the tasks it names there alone. */
  readonly lead?: string;
  readonly names?: readonly string[];
}

export const statusOf = (
  session: SessionState,
  task: TaskState,
  invocation: Invocation | undefined,
  { graph, now, held, cutOff, asks, needing }: StatusContext,
): Status => {
  const id = task.definition.id;
  if (graph.replaced.has(id)) {
    const { replaced_by: by } = task.definition;
    return { look: 'replaced', word: `${by.length === 1 ? 'replaced by' : 'split into'} ${by.join(', ')}` };
  }
  if (asks.has(id)) return { look: 'asks', word: 'asks you' };
  const needs = task.status === 'done' ? null : needsWord(task, needing);
  if (needs !== null) return { look: 'asks', word: needs };
  const unreachable = now.unreachable.get(id);
  if (unreachable !== undefined) return { look: 'unreachable', word: unreachableWord(unreachable) };
  // The invocation begins before its task does: the attempt already counts, and nothing is repeated yet.
  if (invocation?.role === 'Executor' && (task.status === 'open' || task.status === 'failed'))
    return { look: 'running', word: 'starting' };
  switch (task.status) {
    case 'done':
      if (isDoneByHand(task)) return { look: 'done', word: 'done by hand' };
      return { look: 'done', word: task.uncommitted === null ? 'done' : 'done, not committed' };
    case 'cancelled':
      return { look: 'cancelled', word: reasoned('cancelled', task.reason) };
    case 'running':
      if (cutOff && invocation === undefined)
        return { look: 'again', word: `cut off, attempt ${task.attempt + 1} next` };
      if (invocation === undefined && session.retries.get(`IMPLEMENT:${id}`)?.fired === false)
        return { look: 'again', word: 'agent failed; will retry' };
      return invocation?.stage === 'paused'
        ? { look: 'paused', word: 'paused' }
        : { look: 'running', word: 'running' };
    case 'review':
      if (invocation?.stage === 'paused') return { look: 'paused', word: 'review paused' };
      return invocation
        ? { look: 'reviewing', word: 'in review' }
        : { look: 'to-review', word: waitingResult(session, task) };
    case 'failed':
      return isFailedForGood(session, task)
        ? failedStatus(task)
        : { look: 'again', word: `will retry: attempt ${task.attempt + 1}` };
    case 'open':
      return isComplete(session)
        ? {
            look: 'waiting',
            word: task.attempt === 0 ? 'not started' : `stopped during attempt ${task.attempt}`,
          }
        : openStatus(task, now, held);
    default:
      return assertNever(task.status);
  }
};

const failedStatus = ({ reason, cause }: TaskState): Status => {
  const { long, brief, short } = failureWords(reason, cause);
  const failed = (words: string): string => (words === '' ? 'failed' : `failed: ${words}`);
  return { look: 'failed', word: failed(long), brief: failed(brief), short: failed(short) };
};

/** What a result that nobody looks at waits for. */
const waitingResult = ({ changes: { train } }: SessionState, task: TaskState): string => {
  const place = train.findIndex((member) => member.task === task.definition.id);
  const ahead = train[place - 1]?.task;
  if (task.verifiesAlone) return 'to verify alone';
  if (task.review === 'repeated') return 'to verify again';
  if (task.review === 'verified' && ahead !== undefined) return `passed, after ${ahead}`;
  return task.review === 'passed' || task.review === 'verified' ? 'to merge' : 'to review';
};

/** A loop never repeats a failed turn: the next one gets its reason. */
const isFailedForGood = (session: SessionState, task: TaskState): boolean =>
  session.mode === 'loop' ||
  failedForGood(task, session.settings.retries.max_attempts) ||
  isComplete(session);

const openStatus = (task: TaskState, now: Standing, held: Held): Status => {
  const missing = now.waitingFor.get(task.definition.id);
  if (task.replan !== null) return { look: 'waiting', word: `${waitsFor}the Planner`, lead: waitsFor };
  if (missing !== undefined)
    return { look: 'waiting', word: `${waitsFor}${missing.join(', ')}`, lead: waitsFor, names: missing };
  const back = held(task.definition);
  if (back !== null) return { look: 'waiting', word: `after ${back.by}: ${heldWord(back)}`, lead: 'after ' };
  if (task.attempt > 0) return { look: 'again', word: `will retry: attempt ${task.attempt + 1}` };
  return { look: 'ready', word: 'ready' };
};

const waitsFor = 'waits for ';

/** Inputs of a row's status besides its task. */
export interface StatusContext {
  readonly graph: Graph;
  readonly now: Standing;
  readonly held: Held;
  readonly cutOff: boolean;
  /** Tasks whose agent or review waits for a person, and since when (ISO 8601). */
  readonly asks: ReadonlyMap<string, string>;
  /** Issues of a flow that only a person can move on, and why. */
  readonly needing: ReadonlyMap<string, string>;
}

/** "42 needs you: the plan was rejected 3 times"; `null` for a task of other issues. */
const needsWord = ({ definition }: TaskState, needing: StatusContext['needing']): string | null => {
  if (needing.size === 0) return null;
  const issue = flowTaskOf(definition)?.issues.find((id) => needing.has(id));
  return issue === undefined ? null : reasoned(`${safe(issue)} needs you`, needing.get(issue) ?? null);
};

type Held = (task: TaskState['definition']) => HeldBack | null;

const heldWord = ({ files }: HeldBack): string =>
  files.length === 0 ? 'runs alone' : `both change ${safe(files.join(', '))}`;

/** "unreachable: task-4 failed". */
const unreachableWord = ({ blocker, why }: Unreachable): string =>
  `unreachable: ${safe(blocker === null ? why : `${blocker} ${why}`)}`;

const reasoned = (word: string, reason: string | null): string => {
  const words = reasonWords(reason ?? '');
  return words === '' ? word : `${word}: ${words}`;
};

/** ` #2` behind the word of a task that is not at its first attempt. */
export const attemptMark = ({
  attempt,
  since,
  look,
}: {
  readonly attempt: number;
  readonly since: string | null;
  readonly look: TaskLook;
}): string => (attempt > 1 && (since !== null || look === 'done') ? ` #${attempt}` : '');

/**
 * "waits for a, b, c" in `width` cells: the first names and how many more, "waits for a +2", or only how many, "waits for 3". Other words as they are.
 */
export const waitWord = (
  { word, lead = '', names = [] }: Pick<Status, 'word' | 'lead' | 'names'>,
  width: number,
  ellipsis: string,
): string => {
  const [first] = names;
  if (first === undefined || widthOf(word) <= width) return word;
  const room = width - lead.length;
  if (names.length === 1 && room >= leastName) return `${lead}${truncateMiddle(first, room, ellipsis)}`;
  const forms = names.map((_, at) => `${lead}${names.slice(0, at + 1).join(', ')} +${names.length - at - 1}`);
  return forms.slice(0, -1).findLast((form) => widthOf(form) <= width) ?? `${lead}${names.length}`;
};

/** Cells in which a name that is cut still says which it is. */
const leastName = 8;
