import { spentUntil } from '../../src/pipeline/evolve/session.ts';
import { failedInARow, mostInARow, unchangedInARow } from '../../src/pipeline/modes/loop/stop-conditions.ts';
import { courseOf, lastTurn } from '../../src/pipeline/modes/loop/turns.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { count, formatElapsed } from '../../src/words/local-time.ts';

/** How far a loop is, in words for the header. Each is '' when it says nothing. */
export interface LoopProgress {
  /** "turn 3 of 99". */
  readonly turn: string;
  /** The time limit as a reading of the header's clock: "9:00:00". */
  readonly until: string;
  /** What would end the loop soon, and a shorter form; `null` while nothing is near. */
  readonly soon: { readonly text: string; readonly short: string } | null;
}

/** The progress of a running or stopped loop; `null` in another mode. `now`: milliseconds since the epoch. */
export const selectLoop = (session: SessionState, now: number): LoopProgress | null => {
  const { loop, settings } = session;
  if (loop === null) return null;
  const turn = lastTurn(session);
  const { max_turns: turns, max_runtime: runtime } = settings.loop;
  const goesOn = session.running && session.state === 'RUNNING';
  const soon = goesOn ? (nearest(session, now)[0] ?? null) : null;
  return {
    turn: turn === 0 ? '' : `turn ${turn}${turns === null ? '' : ` of ${loop.used.turns + turns}`}`,
    until: runtime === null ? '' : formatElapsed(loop.used.ms + runtime),
    soon: soon === null ? null : { text: `ends soon: ${soon.text}`, short: `ends soon: ${soon.short}` },
  };
};

interface Near {
  readonly text: string;
  readonly short: string;
}

/** Limits from which a loop ends soon (src/discovery/README.md, The loop). */
const fewTurns = 5;
const littleTimeMs = 3_600_000;

/** Everything that would end the loop soon, the nearest first. */
const nearest = (session: SessionState, now: number): readonly Near[] => {
  const { loop, settings } = session;
  if (loop === null) return [];
  const { turns } = courseOf(session, loop);
  const failed = failedInARow(turns);
  const unchanged = unchangedInARow(turns);
  const { max_turns: mostTurns, max_runtime: mostMs } = settings.loop;
  const turnsLeft = mostTurns === null ? Infinity : loop.used.turns + mostTurns - lastTurn(session);
  const msLeft = mostMs === null ? Infinity : loop.used.ms + mostMs - spentUntil(session, now);
  const lastOfRow = mostInARow - 1;
  return [
    ...(failed >= lastOfRow
      ? [{ text: `${failed} turns failed in a row; one more ends the loop`, short: `${failed} failed` }]
      : []),
    ...(unchanged >= lastOfRow
      ? [
          {
            text: `${unchanged} turns in a row changed no files; one more ends the loop`,
            short: 'no progress',
          },
        ]
      : []),
    ...(turnsLeft < fewTurns ? [turnsNear(turnsLeft)] : []),
    ...(msLeft < littleTimeMs
      ? [{ text: `${formatElapsed(msLeft)} left`, short: formatElapsed(msLeft) }]
      : []),
    ...(unchanged === 1
      ? [{ text: 'no file changed; the same output again ends the loop', short: 'no file changed' }]
      : []),
  ];
};

const turnsNear = (left: number): Near =>
  left <= 0
    ? { text: 'this is the last turn', short: 'last turn' }
    : { text: `${count(left, 'turn')} left after this one`, short: `${count(left, 'turn')} left` };
