import { z } from 'zod';

/** The engine's look after a turn. Turn 0 is the look before the first one. */
export const turnObservationSchema = z.object({
  /** Counts from 1; 0 before the first turn. */
  turn: z.number().int().min(0),
  /** One hash over every workspace file outside control files. Equal means unchanged. */
  fingerprint: z.string(),
  /** Number of files that differ from the last look; `null` when another program made that look. */
  changed: z.number().int().min(0).nullable(),
  /** The beginning of the turn's output. */
  head: z.string(),
  /** True when the last line of the reply is `<promise>COMPLETE</promise>`. */
  promise: z.boolean(),
  /** The turn's own summary, shortened. */
  summary: z.string(),
  /** The state of the focus file; `null` without one. */
  focus: z
    .object({
      open: z.number().int().min(0),
      done: z.number().int().min(0),
      /** `[x] TASK_COMPLETE` */
      marker: z.boolean(),
      /** `status` of its front matter, in lower case. */
      status: z.string().nullable(),
    })
    .nullable(),
});
export type TurnObservation = z.infer<typeof turnObservationSchema>;

/** The conditions that stop a loop by itself, in the order in which they are checked (src/discovery/README.md, The loop). */
export const stopConditionSchema = z.enum([
  'completion',
  'runtime',
  'turns',
  'loop-detected',
  'no-progress',
  'failed-turns',
]);
export type StopCondition = z.infer<typeof stopConditionSchema>;

/** One turn as the stop conditions see it. */
export interface TurnRecord extends TurnObservation {
  /** `null` while the turn is not settled: its verification may be pending. */
  readonly result: 'done' | 'failed' | 'cancelled' | null;
}

/** The input of the conditions after a turn. */
export interface LoopCourse {
  /** The look before the first turn, then one record per turn. The newest is last. */
  readonly turns: readonly TurnRecord[];
  /** The focus file, relative to the workspace; `null` for a loop over a goal alone. */
  readonly focus: string | null;
  readonly timeUp: boolean;
  /** Turns of earlier budgets. */
  readonly usedTurns: number;
}

/** The decision after a turn. `stop: null`: the loop continues. */
interface TurnDecision {
  readonly turn: number;
  readonly stop: StopCondition | null;
  readonly sentence: string;
}

/** The part of the state that only mode `loop` has. */
export interface LoopState {
  /** Workspace-relative; `null` for a loop over a goal alone. */
  readonly focus: string | null;
  /** The look before the first turn, then one after each. The newest is last. */
  readonly looks: readonly TurnObservation[];
  /** The turn for which the engine was asked to look; `null` while it was not. */
  readonly looking: number | null;
  /** One for each decided turn, the newest last. */
  readonly decisions: readonly TurnDecision[];
  readonly stop: { readonly condition: StopCondition; readonly sentence: string } | null;
  /** `loop.max_runtime` has run out. */
  readonly timeUp: boolean;
  /** Amounts used under earlier limits: a loop that stopped at a limit and is resumed gets the limit again. */
  readonly used: { readonly turns: number; readonly ms: number };
}
