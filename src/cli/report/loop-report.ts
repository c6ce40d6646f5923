import { safe, safeBlock } from '../../base/safe.ts';
import type { TurnObservation } from '../../pipeline/modes/loop/turn-record.ts';
import { lastTurn, turnId } from '../../pipeline/modes/loop/turns.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { TaskStatus } from '../../tasks/task.ts';
import { loopSummary, turnWords } from '../../words/turn-words.ts';

/** A loop for scripts: fields are added, never renamed. */
export interface LoopStatus {
  readonly focus: string | null;
  /** Turns that have begun. */
  readonly turns: number;
  /** The last turn and the milliseconds of running time that the limits allow; `null` for no limit. */
  readonly last_turn: number | null;
  readonly runtime_until: number | null;
  readonly boxes: { readonly open: number; readonly done: number } | null;
  /** The condition that stopped it; `null` while it runs, and after a DRAIN or ABORT. */
  readonly stop: string | null;
}

/** One turn of a loop. */
interface TurnReport {
  readonly turn: number;
  readonly status: TaskStatus;
  readonly reason: string | null;
  /** Files changed, `null` when unknown or not looked at yet. */
  readonly changed: number | null;
  readonly boxes: LoopStatus['boxes'];
  /** The last decision after it; `null` before. */
  readonly decision: string | null;
  readonly summary: string;
}

/** `null` for a session in another mode. */
export const loopStatus = (state: SessionState): LoopStatus | null => {
  const { loop } = state;
  if (loop === null) return null;
  const { max_turns: turns, max_runtime: runtime } = state.settings.loop;
  return {
    focus: loop.focus,
    turns: lastTurn(state),
    last_turn: turns === null ? null : loop.used.turns + turns,
    runtime_until: runtime === null ? null : loop.used.ms + runtime,
    boxes: boxesOf(loop.looks.at(-1)),
    stop: loop.stop?.condition ?? null,
  };
};

const boxesOf = (look: TurnObservation | undefined): LoopStatus['boxes'] =>
  look?.focus ? { open: look.focus.open, done: look.focus.done } : null;

/** Every turn with its result, decision and summary, oldest first. */
export const turnReports = ({ loop, tasks }: SessionState): readonly TurnReport[] =>
  [...tasks.values()].map((task, index) => {
    const turn = index + 1;
    const look = loop?.looks.find((each) => each.turn === turn);
    return {
      turn,
      status: task.status,
      reason: task.reason,
      changed: look?.changed ?? null,
      boxes: boxesOf(look),
      decision: loop?.decisions.findLast((each) => each.turn === turn)?.sentence ?? null,
      summary: look?.summary ?? '',
    };
  });

/** `ralph-tui report` of a loop as text. */
export const formatLoopReport = (state: SessionState): string => {
  const status = state.loop?.stop?.sentence ?? state.stopReason ?? state.status;
  const turns = turnReports(state).flatMap(({ turn, status: result, reason, decision, summary }) => [
    '',
    `turn ${turn}: ${[result === 'failed' ? `failed: ${safe(reason ?? '')}` : result, turnWords(state, turnId(turn))].filter((part) => part !== '').join(', ')}`,
    ...safeBlock(summary)
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `  ${line}`),
    ...(decision === null ? [] : [`  → ${safe(decision)}`]),
  ]);
  return [
    `Loop over ${safe(state.loop?.focus ?? state.goal)}: ${loopSummary(state)}`,
    safe(status),
    ...turns,
  ].join('\n');
};
