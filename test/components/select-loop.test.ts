import { describe, expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { selectNow } from '../../components/frame/select-now.ts';
import { selectLoop } from '../../components/loop/select-loop.ts';
import { turnLines } from '../../components/loop/turn-lines.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import type { PipelineRun } from '../helpers/pipeline-run.ts';
import { loopRun } from '../helpers/scenes/looping.ts';

const minute = 60_000;

const progress = (run: PipelineRun, later = 0) =>
  selectLoop(run.state(), Date.parse(run.state().startedAt) + later);

const same = { fingerprint: 'same', changed: 0 };

describe('the progress of a loop', () => {
  test('names the turn and the limits', () => {
    expect(progress(loopRun().work())).toEqual({
      turn: 'turn 3 of 10',
      until: '9h00',
      soon: null,
    });
    const endless = loopRun({ loop: { max_turns: null, max_runtime: null }, look: () => ({}) }).work();
    expect(progress(endless)).toEqual({ turn: 'turn 3', until: '', soon: null });
  });

  test('counts on after a limit that was granted again', () => {
    const run = loopRun({ loop: { max_turns: 4 }, look: () => ({}), lasting: 6 });
    run.finish();
    run.start().work();
    expect(progress(run)?.turn).toBe('turn 6 of 8');
  });

  test.each([
    [{ loop: { max_turns: 8 } }, 0, null],
    [{ loop: { max_turns: 7 } }, 0, 'ends soon: 4 turns left after this one'],
    [{ loop: { max_turns: 3 } }, 0, 'ends soon: this is the last turn'],
    [{}, 8 * 60 * minute - 1, null],
    [{}, 8 * 60 * minute + 1, 'ends soon: 59:59 left'],
    [{ loop: { max_runtime: 10 * minute } }, 9_000, 'ends soon: 9:51 left'],
    [{ loop: { max_runtime: 10 * minute } }, 10 * minute - 59_000, 'ends soon: 0:59 left'],
    [{ look: () => same, lasting: 2 }, 0, 'ends soon: no file changed; the same output again ends the loop'],
    [{ look: () => same }, 0, 'ends soon: 2 turns in a row changed no files; one more ends the loop'],
    [{ failing: [1, 2] }, 0, 'ends soon: 2 turns failed in a row; one more ends the loop'],
    [{ failing: [2] }, 0, null],
  ] as const)('%j after %i ms ends soon: %s', (course, later, soon) => {
    expect(progress(loopRun(course).work(), later)?.soon?.text ?? null).toBe(soon);
  });

  test('does not end soon any more once it drains', () => {
    const run = loopRun({ loop: { max_turns: 3 } }).work();
    run.tell({ type: 'drain.requested', signal: 'd', by: 'kim' });
    expect(progress(run)?.soon).toBeNull();
  });
});

describe('a turn in the Details', () => {
  const lines = (run: PipelineRun, turn: number): readonly string[] => {
    const task = run.state().tasks.get(`turn-${turn}`);
    return task ? turnLines(run.state(), task).map(({ text }) => text) : [];
  };

  test('says Observe, Orient, Decide and Act', () => {
    expect(lines(loopRun().work(), 1)).toEqual([
      'Observe',
      '1 file changed',
      '1 of 5 boxes ticked in focus.md',
      'verify: runs when the work looks complete',
      'Orient',
      'no sign of completion',
      'no earlier output to compare with yet',
      'turn 1 of 10',
      'Decide',
      'turn 2 follows',
      'Act',
      'Wrote greetings/English.txt',
    ]);
  });

  test('waits for the end of a turn that works', () => {
    expect(lines(loopRun().work(), 3)).toEqual(['Observe, Orient, Decide', 'Shown once the turn has ended.']);
  });

  test('names the sign of completion, the verification and the stop', () => {
    const told = lines(loopRun({ lasting: 0 }).finish(), 5);
    expect(told).toContain('verify: passed');
    expect(told).toContain('every box is ticked (confidence 0.9, needs 0.7)');
    expect(told).toContain('stop: complete: every box is ticked');
  });

  test('names the turn it repeats', () => {
    const run = loopRun({ lasting: 0, look: () => ({ ...same, head: 'I looked around' }) }).finish();
    expect(lines(run, 2)).toContain('repeated what turn 1 said, and no file changed in between');
  });
});

test('the now line of a loop that drains at its time limit says why, and what it waits for', () => {
  const run = loopRun({ loop: { max_runtime: 10 * minute } }).work();
  run.elapse();
  expect(run.state().state).toBe('DRAINING');
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(run.events);
  const { text } = selectNow(store.getState(), { ms: Date.parse(run.state().at), offset: 0 });
  expect(text).toMatch(
    /^Draining \(loop\.max_runtime is reached\): waiting for script works on turn-3 .*, then stopping$/,
  );
});
