import type { Settings } from '../../../session/settings.ts';
import { completionOf } from './completion.ts';
import { saysTheSame } from './similarity.ts';
import type { LoopCourse, StopCondition, TurnRecord } from './turn-record.ts';

/** A condition that applies, and its sentence. */
export interface Stop {
  readonly condition: StopCondition;
  readonly sentence: string;
}

/** Number of earlier outputs that a turn is compared with. */
const comparedTurns = 5;

/** Number of consecutive turns without a change, or failed, that ends a loop. */
export const mostInARow = 3;

/** The first condition that ends the loop after its last turn, in the order of src/discovery/README.md. `null`: the loop continues. */
export const stopAfterTurn = (loop: LoopCourse, settings: Settings): Stop | null => {
  for (const condition of conditions) {
    const sentence = condition.holds(loop, settings);
    if (sentence !== null) return { condition: condition.name, sentence };
  }
  return null;
};

/** The limit of turns, when it is reached. */
export const turnLimit = (loop: LoopCourse, settings: Settings): Stop | null => {
  const sentence = turns.holds(loop, settings);
  return sentence === null ? null : { condition: turns.name, sentence };
};

/** The words of a sign of completion that nothing contradicts. `verify` has still to pass. */
export const completionCandidate = (loop: LoopCourse, settings: Settings): string | null => {
  const found = completionOf(loop, settings);
  return found?.against === null ? found.sign : null;
};

/** An earlier turn that the newest repeats. */
interface Repetition {
  readonly turn: number;
  /** Files changed since, and changed back. */
  readonly wentBack: boolean;
}

/**
 * One of the last five turns that the newest repeats: its output says the same, and the files are again as that turn left them. `null` when there
 * is none: a change that stays is progress, even when the output repeats. Turns that say nothing repeat each other only by going back.
 */
export const repeatedTurn = (turns: readonly TurnRecord[]): Repetition | null => {
  const last = turns.at(-1);
  if (last === undefined) return null;
  let wentBack = false;
  const earlier = turns.filter(({ turn }) => turn > 0 && turn < last.turn).slice(-comparedTurns);
  for (const candidate of earlier.reverse()) {
    if (candidate.fingerprint !== last.fingerprint) wentBack = true;
    else if (saysTheSame(candidate.head, last.head) || (wentBack && bothSilent(candidate, last)))
      return { turn: candidate.turn, wentBack };
  }
  return null;
};

const bothSilent = (one: TurnRecord, other: TurnRecord): boolean =>
  one.head.trim() === '' && other.head.trim() === '';

/** What a repetition is, as a clause: "repeated what turn 2 said, and no file changed in between". */
export const repetitionWords = ({ turn, wentBack }: Repetition): string =>
  wentBack
    ? `left every file as it was after turn ${turn} and repeated that turn's output`
    : `repeated what turn ${turn} said, and no file changed in between`;

/** Number of latest turns that changed no file. */
export const unchangedInARow = (turns: readonly TurnRecord[]): number => {
  const last = turns.at(-1)?.fingerprint;
  const changedAt = turns.findLastIndex(({ fingerprint }) => fingerprint !== last);
  return Math.max(0, turns.length - changedAt - 2);
};

/** Number of latest turns that failed. */
export const failedInARow = (turns: readonly TurnRecord[]): number => {
  const done = turns.filter(({ turn }) => turn > 0);
  return done.length - 1 - done.findLastIndex(({ result }) => result !== 'failed');
};

interface Condition {
  readonly name: StopCondition;
  /** The sentence for people, or `null` when it does not apply. */
  readonly holds: (loop: LoopCourse, settings: Settings) => string | null;
}

const completion: Condition = {
  name: 'completion',
  holds: (loop, settings) => {
    const found = completionCandidate(loop, settings);
    if (found === null || loop.turns.at(-1)?.result !== 'done') return null;
    return `complete: ${found}`;
  },
};

const runtime: Condition = {
  name: 'runtime',
  holds: ({ timeUp }) => (timeUp ? runtimeSentence : null),
};

/** Also the sentence when the limit passes during a turn. */
export const runtimeSentence = 'loop.max_runtime is reached';

const turns: Condition = {
  name: 'turns',
  holds: (loop, settings) => {
    const most = settings.loop.max_turns;
    const done = (loop.turns.at(-1)?.turn ?? 0) - loop.usedTurns;
    return most !== null && done >= most ? `loop.max_turns reached: ${most} turns` : null;
  },
};

const loopDetected: Condition = {
  name: 'loop-detected',
  holds: (loop) => {
    const repeated = repeatedTurn(loop.turns);
    return repeated === null
      ? null
      : `loop detected: turn ${loop.turns.at(-1)?.turn} ${repetitionWords(repeated)}`;
  },
};

const noProgress: Condition = {
  name: 'no-progress',
  holds: ({ turns: looks }) =>
    unchangedInARow(looks) >= mostInARow ? `no progress: ${mostInARow} turns changed no files` : null,
};

const failedTurns: Condition = {
  name: 'failed-turns',
  holds: ({ turns: looks }) =>
    failedInARow(looks) >= mostInARow ? `${mostInARow} turns failed in a row` : null,
};

const conditions: readonly Condition[] = [completion, runtime, turns, loopDetected, noProgress, failedTurns];
