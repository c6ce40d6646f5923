import { stopAfterTurn } from '../../../src/pipeline/modes/loop/stop-conditions.ts';
import { defaultSettings } from '../../../src/session/settings.ts';
import { type Row, sampleTurns, turnsRow } from '../measure.ts';

/** Whether a loop stops after a turn, at its worst: five earlier outputs of 1,000 characters that miss the threshold by their last edits. */
export const loopStop = async (): Promise<readonly Row[]> => {
  const turns = Array.from({ length: 90 }, (_, turn) => ({
    turn,
    fingerprint: 'same',
    changed: 0,
    head: outputOf(turn),
    promise: false,
    summary: '',
    focus: { open: 1, done: 9, marker: false, status: null },
    result: 'done' as const,
  }));
  const worst = { turns, focus: 'plan.md', timeUp: false, usedTurns: 0 };
  const turned = sampleTurns(
    50,
    () => void stopAfterTurn(worst, defaultSettings),
    () => void turns.slice(-6).map(({ head }) => charactersOf(head)),
    10,
  );
  return [
    turnsRow('whether a loop stops after a turn', 'counting the characters of those texts', 3.5, turned),
  ];
};

const charactersOf = (text: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
};

/** Each differs from all others in more than 1 % of its characters, spread over its length. */
const outputOf = (turn: number): string =>
  Array.from({ length: 1_000 }, (_, at) =>
    String.fromCharCode(97 + (at % 61 === turn % 61 ? 25 : (at * at) % 23)),
  ).join('');
