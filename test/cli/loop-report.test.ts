import { expect, test } from 'vitest';
import { selectAgain } from '../../components/frame/select-again.ts';
import { formatLoopReport, loopStatus, turnReports } from '../../src/cli/report/loop-report.ts';
import { loopRun } from '../helpers/scenes/looping.ts';

test('the report of a loop tells its end, and each turn with its result, its words and the decision', () => {
  const run = loopRun({ failing: [2, 3, 4], lasting: 0 }).finish();
  expect(formatLoopReport(run.state())).toBe(
    [
      'Loop over focus.md: 4 turns, 3 failed · 4 of 5 boxes',
      '3 turns failed in a row',
      '',
      'turn 1: done, 1 file, 1/5 boxes',
      '  Wrote greetings/English.txt',
      '  → turn 2 follows',
      '',
      'turn 2: failed: it failed, 1 file, 2/5 boxes',
      '  Wrote greetings/Vietnamese.txt',
      '  Ticked its box',
      '  → turn 3 follows',
      '',
      'turn 3: failed: it failed, 1 file, 3/5 boxes',
      '  did 3',
      '  → turn 4 follows',
      '',
      'turn 4: failed: it failed, 1 file, 4/5 boxes',
      '  did 4',
      '  → 3 turns failed in a row',
    ].join('\n'),
  );
  expect(loopStatus(run.state())).toEqual({
    focus: 'focus.md',
    turns: 4,
    last_turn: 10,
    runtime_until: 32_400_000,
    boxes: { open: 1, done: 4 },
    stop: 'failed-turns',
  });
});

test('what is offered to be done again is the newest failed turn, not the oldest', () => {
  const run = loopRun({ failing: [2, 3, 4], lasting: 0 }).finish();
  expect(selectAgain(run.state())).toBe('turn-4');
});

test('a turn that works has no result yet', () => {
  const run = loopRun().work();
  expect(turnReports(run.state()).at(-1)).toEqual({
    turn: 3,
    status: 'open',
    reason: null,
    changed: null,
    boxes: null,
    decision: null,
    summary: '',
  });
});
