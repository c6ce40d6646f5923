import { attemptLimit } from '../../agents/attempt-limit.ts';
import type { EventBody } from '../../event.ts';
import { invoke } from '../../invoke.ts';
import type { SessionState, TaskState } from '../../state.ts';
import type { Stage } from '../stage.ts';
import { completionOf } from './completion.ts';
import { defineTurn } from './define-turn.ts';
import { completionCandidate, type Stop, stopAfterTurn, turnLimit } from './stop-conditions.ts';
import type { LoopState } from './turn-record.ts';
import { courseOf, lastTurn, turnId } from './turns.ts';

/** One turn after the other: work, look, settle, decide. A turn that a person reopened comes first. */
export const running: Stage = (state) => {
  const { loop } = state;
  if (loop === null || state.invocations.size > 0) return null;
  // A turn that runs without an invocation waits for the retry of its failed call, or for a quota.
  const open = [...state.tasks.values()].find(({ status }) => status === 'open' || status === 'running');
  if (open) return work(state, open);
  const turn = lastTurn(state);
  if ((loop.looks.at(-1)?.turn ?? -1) < turn)
    return loop.looking === turn ? null : { type: 'turn.returned', turn };
  const returned = [...state.tasks.values()].find(({ status }) => status === 'review');
  if (returned) return settle(state, loop, returned);
  if (turn > 0 && (loop.decisions.at(-1)?.turn ?? 0) < turn) return decide(state, loop, turn);
  // A reopened turn or a SET may have moved the limit since the last decision.
  const limit = turnLimit(courseOf(state, loop), state.settings);
  if (limit !== null) return decided(turn, limit);
  return attemptLimit(state) ?? { type: 'tasks.defined', tasks: [defineTurn(state, loop, turn + 1)] };
};

/** A loop cannot plan again: a turn whose task a person redefined fails, and the next one gets the reason. */
const work = (state: SessionState, task: TaskState): EventBody | null => {
  // A reopened turn is again as its file has it: its verification was added when it looked complete.
  if (task.definition.verify.length > 0)
    return { type: 'tasks.defined', tasks: [{ ...task.definition, verify: [] }] };
  return task.replan === null
    ? ((task.status === 'open' ? attemptLimit(state) : null) ?? invoke(state, { mode: 'IMPLEMENT', task }))
    : {
        type: 'task.failed',
        task: task.definition.id,
        attempt: task.attempt,
        reason: task.replan,
        cause: { who: 'person' },
        counts: false,
      };
};

/** Verifies a candidate for completion, commits where that is wanted, and otherwise qualifies the turn at once. */
const settle = (state: SessionState, loop: LoopState, task: TaskState): EventBody | null => {
  const { definition } = task;
  const commands = state.settings.loop.verify;
  const isNewest = definition.id === turnId(lastTurn(state));
  const isCandidate = isNewest && completionCandidate(courseOf(state, loop), state.settings) !== null;
  if (isCandidate && commands.length > 0 && definition.verify.length === 0)
    return { type: 'tasks.defined', tasks: [{ ...definition, verify: commands.map((cmd) => ({ cmd })) }] };
  if (definition.verify.length > 0 || state.settings.commit)
    return invoke(state, { mode: 'TASK_REVIEW', task });
  return { type: 'task.qualified', task: definition.id, attempt: task.attempt, commit: 'skipped' };
};

const decide = (state: SessionState, loop: LoopState, turn: number): EventBody => {
  const course = courseOf(state, loop);
  const refused = completionOf(course, state.settings);
  const why = refused?.against == null ? '' : `: ${refused.sign}, but ${refused.against}`;
  return decided(turn, stopAfterTurn(course, state.settings), why);
};

/** `refused`: a sign of completion that does not count, and why. */
const decided = (turn: number, stop: Stop | null, refused = ''): EventBody => ({
  type: 'turn.decided',
  turn,
  stop: stop?.condition ?? null,
  sentence: stop?.sentence ?? `turn ${turn + 1} follows${refused}`,
});
