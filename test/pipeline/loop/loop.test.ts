import { describe, expect, test } from 'vitest';
import type { EventBody } from '../../../src/pipeline/event.ts';
import { mergeSettings } from '../../../src/session/settings/partial-settings.ts';
import type { PartialSettings } from '../../../src/session/settings.ts';
import {
  createPipelineRun,
  ended,
  failedCall,
  failedOutcome,
  failedReview,
  goodOutcome,
  type PipelineRun,
  type PipelineRunOptions,
  startedTask,
} from '../../helpers/pipeline-run.ts';

const looping = (options: PipelineRunOptions = {}, loop: PartialSettings['loop'] = {}): PipelineRun =>
  createPipelineRun({
    loop: { focus: 'plan.md' },
    settings: (defaults) => mergeSettings(defaults, { loop }),
    ...options,
  });

const decisions = (run: PipelineRun) => run.of('turn.decided').map(({ turn, stop }) => [turn, stop]);
const boxes = (open: number, done: number) => ({ focus: { open, done, marker: false, status: null } });
const tickedInTurnOne = (turn: number) => (turn === 0 ? boxes(1, 0) : boxes(0, 1));

describe('a loop', () => {
  test('works turn after turn in fresh contexts, passes RUNNING, DRAINING and STOPPED, and ends complete with 0', () => {
    const run = looping({ look: (turn) => boxes(3 - turn, turn) })
      .start()
      .finish();
    expect(run.path()).toEqual(['DRAINING', 'STOPPED']);
    expect(decisions(run)).toEqual([
      [1, null],
      [2, null],
      [3, 'completion'],
    ]);
    expect(run.end()).toMatchObject({ status: 'completed', reason: 'completed', exit_code: 0 });
    expect([...run.state().tasks]).toMatchObject([
      ['turn-1', { status: 'done', attempt: 1 }],
      ['turn-2', { status: 'done', attempt: 1 }],
      ['turn-3', { status: 'done', attempt: 1 }],
    ]);
    expect(run.of('invocation.started').map(({ mode }) => mode)).toEqual(Array(3).fill('IMPLEMENT'));
  });

  test('tells each turn the focus file and what the last one did', () => {
    const run = looping({ look: (turn) => boxes(2 - turn, turn) })
      .start()
      .finish();
    const [first, second] = [...run.state().tasks.values()].map(({ definition }) => definition);
    expect(first).toMatchObject({ grounded_in: 'plan.md', notes: '' });
    expect(second?.notes).toContain('Turn 1 said:\ndid 1');
  });

  test('tells a turn what a person said to the last one, which may have ended by then', () => {
    const signal = { type: 'INFO', target: 'Executor', task: 'turn-1', message: 'Use short words' } as const;
    const pending = { id: 'i1', file: 'i1.yaml', signal };
    const run = looping({
      look: (turn) => boxes(3 - turn, turn),
      script: (brief) =>
        brief.task?.id === 'turn-1'
          ? [
              startedTask(brief),
              { type: 'signal.pending', pending, waits_for: 'the next step' },
              {
                type: 'signal.handled',
                ...pending,
                handled_by: 'Executor',
                checkpoint: 'Executor.3.5',
                action_taken: 'added to the context',
                invocation: brief.invocation,
              },
              ended(brief, goodOutcome(brief)),
            ]
          : undefined,
    })
      .start()
      .finish();
    const feedback = [...run.state().tasks.values()].map(
      ({ definition }) => definition.metadata?.['feedback'],
    );
    expect(feedback).toEqual([[], ['said to turn-1: Use short words'], []]);
  });

  test('tries a failed call of a turn again, inside the attempt, before the next turn', () => {
    let calls = 0;
    const run = looping({
      look: (turn) => boxes(2 - turn, turn),
      script: (brief) => {
        calls += 1;
        return calls <= 2 ? [startedTask(brief), failedCall(brief)] : undefined;
      },
    })
      .start()
      .finish();
    expect(run.of('invocation.started').map(({ task, attempt }) => `${task}#${attempt}`)).toEqual([
      'turn-1#1',
      'turn-1#1',
      'turn-1#1',
      'turn-2#1',
    ]);
    expect(decisions(run)).toEqual([
      [1, null],
      [2, 'completion'],
    ]);
  });

  test('fails a turn whose call keeps failing, and gives up after three of them', () => {
    const run = looping({ script: (brief) => [startedTask(brief), failedCall(brief)] })
      .start()
      .finish();
    expect(run.end()).toMatchObject({ status: 'awaiting_feedback', reason: '3 turns failed in a row' });
    expect(run.state().tasks.size).toBe(3);
  });

  test('does not verify before it is a candidate, and does not end before the verification has passed', () => {
    let reviews = 0;
    const run = looping(
      {
        look: (turn) => boxes(Math.max(0, 2 - turn), turn),
        script: (brief) => {
          if (brief.mode !== 'TASK_REVIEW') return undefined;
          reviews += 1;
          expect(brief.task?.verify).toEqual([{ cmd: 'npm test' }]);
          return [ended(brief, reviews === 1 ? failedReview(brief, 'a test fails') : goodOutcome(brief))];
        },
      },
      { verify: ['npm test'] },
    )
      .start()
      .finish();
    expect(decisions(run)).toEqual([
      [1, null],
      [2, null],
      [3, 'completion'],
    ]);
    expect(run.state().tasks.get('turn-2')).toMatchObject({
      status: 'failed',
      reason: 'review: a test fails',
    });
    expect(run.state().tasks.get('turn-3')?.definition.notes).toContain(
      'Turn 2 failed: review: a test fails',
    );
    expect(run.of('invocation.started').filter(({ mode }) => mode === 'TASK_REVIEW')).toMatchObject([
      { task: 'turn-2', backend: 'script' },
      { task: 'turn-3', backend: 'script' },
    ]);
  });
});

describe('a RETRY of a turn', () => {
  const retry = { type: 'task.reset', task: 'turn-1', reason: 'asked by kim', signal: 'r1' } as const;

  const again = (run: PipelineRun, task: string): void => {
    run.commit({ ...run.of('session.started')[0], reason: 'resume' } as EventBody);
    run.tell({ ...retry, task });
    run.finish();
    expect(run.path()).toEqual(['DRAINING', 'STOPPED', 'RUNNING', 'DRAINING', 'STOPPED']);
    expect(run.state().tasks.get(task)).toMatchObject({ status: 'done', attempt: 2 });
  };

  test('continues an ended loop: the newest turn is looked at and decided again', () => {
    const run = looping({ look: () => ({ fingerprint: 'same' }) })
      .start()
      .finish();
    expect(run.end()).toMatchObject({ status: 'awaiting_feedback' });
    again(run, 'turn-3');
    expect(decisions(run).slice(2)).toEqual([
      [3, 'no-progress'],
      [3, 'no-progress'],
    ]);
  });

  test('continues an ended loop: after an older turn the next one follows', () => {
    const run = looping({ look: () => ({ fingerprint: 'same' }) })
      .start()
      .finish();
    again(run, 'turn-1');
    expect(decisions(run).slice(2)).toEqual([
      [3, 'no-progress'],
      [4, 'no-progress'],
    ]);
  });

  test('begins no turn beyond the limit', () => {
    const run = looping({ look: (turn) => boxes(2 - turn, turn) }, { max_turns: 2 })
      .start()
      .finish();
    expect(run.end()?.status).toBe('completed');
    again(run, 'turn-1');
    expect(decisions(run).slice(1)).toEqual([
      [2, 'completion'],
      [2, 'turns'],
    ]);
  });

  test('that arrives after the decision to stop is not lost', () => {
    let asked = false;
    const run = looping({
      look: tickedInTurnOne,
      poll: (checkpoint, { state, tell }) => {
        if (checkpoint !== 'Orchestrator.boundary' || asked || state().state !== 'DRAINING') return;
        asked = true;
        tell(retry);
      },
    })
      .start()
      .finish();
    expect(run.end()).toMatchObject({ status: 'completed', exit_code: 0 });
    expect(run.state().tasks.get('turn-1')).toMatchObject({ status: 'done', attempt: 2 });
  });
});

describe('it stops', () => {
  test('at the limit of turns, resumable, and a resume grants the limit again', () => {
    const run = looping({}, { max_turns: 4 }).start().finish();
    expect(run.state().tasks.size).toBe(4);
    expect(run.end()).toMatchObject({
      status: 'paused',
      reason: 'limit: loop.max_turns reached: 4 turns',
      exit_code: 4,
    });
    run.start().finish();
    expect(run.state().tasks.size).toBe(8);
    expect(run.path()).toEqual(['DRAINING', 'STOPPED', 'RUNNING', 'DRAINING', 'STOPPED']);
  });

  test('after a crash it goes on counting turns', () => {
    const run = looping(
      { script: (brief) => (brief.task?.id === 'turn-3' ? null : undefined) },
      { max_turns: 4 },
    );
    run.start().work();
    run.crash();
    run.answer();
    expect(run.state().loop?.used).toEqual({ turns: 0, ms: 0 });
  });

  test('when a turn says what an earlier one said and no file changed in between', () => {
    const run = looping({
      look: (turn) =>
        turn < 2 ? {} : { fingerprint: 'same', head: turn === 3 ? 'other' : 'I looked around' },
    })
      .start()
      .finish();
    expect(run.end()).toMatchObject({ status: 'awaiting_feedback', exit_code: 1 });
    expect(run.end()?.reason).toBe(
      'loop detected: turn 4 repeated what turn 2 said, and no file changed in between',
    );
  });

  test.each([
    ['say the same', (turn: number) => (turn % 2 === 0 ? 'even' : 'odd')],
    ['say nothing', () => ''],
  ])('when turns write files back and forth and %s', (_name, head) => {
    const run = looping({ look: (turn) => ({ fingerprint: turn % 2 === 0 ? 'A' : 'B', head: head(turn) }) })
      .start()
      .finish();
    expect(run.end()).toMatchObject({
      status: 'awaiting_feedback',
      exit_code: 1,
      reason: "loop detected: turn 3 left every file as it was after turn 1 and repeated that turn's output",
    });
  });

  test('not when a turn takes a change back and says so', () => {
    const names = ['added a', 'added b, too', 'removed b, which was wrong', 'added c', 'wrote the tests'];
    const run = looping(
      { look: (turn) => ({ head: names[turn] ?? 'end', ...(turn === 3 ? { fingerprint: 'f1' } : {}) }) },
      { max_turns: 4 },
    )
      .start()
      .finish();
    expect(run.end()?.reason).toContain('max_turns');
  });

  test('before a turn that `limits.max_attempts_total` does not allow', () => {
    const run = createPipelineRun({
      loop: { focus: 'plan.md' },
      settings: (defaults) => mergeSettings(defaults, { limits: { max_attempts_total: 2 } }),
    })
      .start()
      .finish();
    expect(run.state().tasks.size).toBe(2);
    expect(run.end()).toMatchObject({ status: 'paused', reason: 'limit: 2 attempts in total', exit_code: 4 });
  });

  test('not for a promise that the focus file contradicts; the decision and the next turn name the reason', () => {
    const run = looping(
      { look: (turn) => ({ ...boxes(turn < 3 ? 2 : 0, turn < 3 ? 0 : 2), promise: turn === 2 }) },
      { max_turns: 9 },
    )
      .start()
      .finish();
    expect(run.of('turn.decided').map(({ sentence }) => sentence)).toEqual([
      'turn 2 follows',
      'turn 3 follows: the agent promised it, but 2 boxes are open in plan.md',
      'complete: every box is ticked',
    ]);
    expect(run.state().tasks.get('turn-3')?.definition.objective).toContain(
      'Turn 2 looked complete (the agent promised it), but the loop did not end: 2 boxes are open in plan.md.',
    );
    expect(run.state().tasks.get('turn-2')?.definition.objective).not.toContain('looked complete');
  });

  test('not as complete when the promise deleted the focus file', () => {
    const run = looping(
      { look: (turn) => (turn === 0 ? boxes(2, 0) : { focus: null, promise: true, fingerprint: 'same' }) },
      { max_turns: 2 },
    )
      .start()
      .finish();
    expect(run.end()).toMatchObject({ status: 'paused', exit_code: 4 });
    expect(run.of('turn.decided')[0]?.sentence).toContain('but plan.md cannot be read');
  });

  test('not when two turns say OK and files changed between them', () => {
    const run = looping({ look: () => ({ head: 'OK' }) }, { max_turns: 6 })
      .start()
      .finish();
    expect(run.end()?.reason).toContain('max_turns');
  });

  test('after three turns without a change', () => {
    const run = looping({ look: () => ({ fingerprint: 'same' }) })
      .start()
      .finish();
    expect(run.state().tasks.size).toBe(3);
    expect(run.end()).toMatchObject({
      status: 'awaiting_feedback',
      reason: 'no progress: 3 turns changed no files',
      exit_code: 1,
    });
  });

  test('after three failed turns in a row, and not after two', () => {
    const failing = new Set([1, 2, 4, 5, 6]);
    const run = looping({
      script: (brief) =>
        failing.has(Number(brief.task?.id.slice('turn-'.length)))
          ? [startedTask(brief), ended(brief, failedOutcome(brief))]
          : undefined,
    })
      .start()
      .finish();
    expect(run.end()).toMatchObject({
      status: 'awaiting_feedback',
      reason: '3 turns failed in a row',
      exit_code: 1,
    });
    expect(run.state().tasks.size).toBe(6);
  });

  test('with the first condition that holds: completion before the limit of turns before no progress', () => {
    const all = (turn: number) => ({ ...tickedInTurnOne(turn), fingerprint: 'same', head: 'same' });
    expect(decisions(looping({ look: all }, { max_turns: 1 }).start().finish())).toEqual([[1, 'completion']]);
    const limit = looping({ look: () => ({ fingerprint: 'same' }) }, { max_turns: 3 })
      .start()
      .finish();
    expect(limit.of('turn.decided').at(-1)?.stop).toBe('turns');
  });
});

describe('its runtime', () => {
  const minute = 60_000;
  const silent = (loop: PartialSettings['loop']) =>
    looping({ script: () => null }, loop)
      .start()
      .work();

  test('ends a single turn that is longer than the limit: DRAINING at the limit, stopped after the grace', () => {
    const run = silent({ max_runtime: 10 * minute, grace: 30_000 });
    const began = Date.parse(run.of('session.started')[0]?.at ?? '');
    expect(run.timers.get('loop:max_runtime')).toBe(began + 10 * minute);
    expect(run.elapse()).toBe('loop:max_runtime');
    expect(run.state().state).toBe('DRAINING');
    expect(run.end()).toBeUndefined();
    expect(run.elapse()).toBe('loop:grace');
    expect(run.end()).toMatchObject({
      status: 'paused',
      reason: 'limit: loop.max_runtime is reached',
      exit_code: 4,
    });
    expect(run.state().tasks.get('turn-1')?.status).toBe('open');
  });

  test('counts over several programs, and not the time between them', () => {
    const run = silent({ max_runtime: 10 * minute });
    const began = run.timers.get('loop:max_runtime') ?? 0;
    run.quit();
    const spent = run.state().spentMs;
    run.start();
    const again = Date.parse(run.of('session.started')[1]?.at ?? '');
    expect(run.timers.get('loop:max_runtime')).toBe(again + 10 * minute - spent);
    expect(began).toBeGreaterThan(0);
  });

  test('is granted again after the limit', () => {
    const run = silent({ max_runtime: 10 * minute });
    run.elapse();
    run.elapse();
    run.start();
    const again = Date.parse(run.of('session.started')[1]?.at ?? '');
    expect(run.timers.get('loop:max_runtime')).toBe(again + 10 * minute);
    expect(run.open.size).toBe(1);
  });
});

describe('DRAIN', () => {
  const drain = { type: 'drain.requested', signal: 'd1', by: 'kim' } as const;
  const silent = () =>
    looping({ script: () => null })
      .start()
      .work();

  test('waits for the turn, at most the grace, and stops resumable', () => {
    const run = silent();
    run.tell(drain);
    expect(run.state().state).toBe('DRAINING');
    run.elapse();
    expect(run.state().state).toBe('STOPPED');
    expect(run.end()).toMatchObject({ status: 'paused', reason: 'drain requested by kim', exit_code: 4 });
    run.start();
    expect(run.state()).toMatchObject({ state: 'RUNNING', status: 'in_progress', drain: null });
    expect([...run.open.values()]).toMatchObject([{ attempt: 2, task: { id: 'turn-1' } }]);
  });

  test('stops at once while held', () => {
    const run = silent();
    run.tell({ type: 'hold.requested', signal: 'p', by: 'kim' });
    run.tell({ type: 'invocation.paused', invocation: [...run.open.keys()][0] ?? '', continuation: null });
    run.tell(drain);
    expect(run.end()).toMatchObject({ status: 'paused', exit_code: 4 });
  });

  test('wins over the end that the turn would have brought', () => {
    const run = looping({ look: tickedInTurnOne, script: () => null })
      .start()
      .work();
    run.tell(drain);
    const [invocation] = run.open.values();
    if (!invocation) throw new Error('nothing runs');
    run.tell(ended(invocation, goodOutcome(invocation)));
    expect(run.end()?.reason).toBe('drain requested by kim');
    run.start().finish();
    expect(run.end()).toMatchObject({ status: 'completed', exit_code: 0 });
  });
});

test('ABORT leads straight to STOPPED and aborted', () => {
  const run = looping({ script: () => null })
    .start()
    .work();
  for (const brief of run.open.values()) run.tell(startedTask(brief));
  run.tell({ type: 'abort.requested', signal: 'a1', by: 'kim' });
  expect(run.path()).toEqual(['STOPPED']);
  expect(run.end()).toMatchObject({ status: 'aborted', exit_code: 130 });
  expect(run.state().tasks.get('turn-1')).toMatchObject({ status: 'failed' });
});

test('a STEER that redefines a turn ends it, and the next turn is told', () => {
  let escalated = false;
  const run = looping({
    look: (turn) => boxes(Math.max(0, 2 - turn), turn),
    script: (brief) => {
      if (escalated) return undefined;
      escalated = true;
      return [startedTask(brief), ended(brief, failedOutcome(brief, 'blocked'), undefined, 'do B instead')];
    },
  })
    .start()
    .finish();
  expect(run.state().tasks.get('turn-1')).toMatchObject({
    status: 'failed',
    reason: 'do B instead',
    failures: 0,
  });
  expect(run.state().tasks.get('turn-2')?.definition.notes).toContain('do B instead');
});

test('a loop that has ended only tells its end again', () => {
  const run = looping({ look: tickedInTurnOne }).start().finish();
  run.start();
  expect(run.of('session.stopped')).toMatchObject([{ exit_code: 0 }, { exit_code: 0 }]);
  expect(run.state().tasks.size).toBe(1);
});

test('a crash at any event loses nothing and repeats no settled turn', () => {
  const whole = looping({ look: (turn) => boxes(3 - turn, turn) })
    .start()
    .finish();
  for (let lost = 1; lost < whole.events.length - 2; lost += 1) {
    const run = looping({ look: (turn) => boxes(Math.max(0, 3 - turn), turn) })
      .start()
      .finish();
    run.crash(lost).finish();
    expect(run.end(), `${lost} lost`).toMatchObject({ status: 'completed', exit_code: 0 });
    expect(run.state().tasks.size, `${lost} lost`).toBe(3);
  }
});

test('an ABORT that meets a stopped loop at its resume cleans up as anywhere', () => {
  let asked = false;
  const run = looping(
    {
      poll: (_checkpoint, { state, tell, of }) => {
        if (asked || state().state !== 'STOPPED' || of('session.started').length < 2) return;
        asked = true;
        tell({ type: 'abort.requested', signal: 'a1', by: 'kim' });
      },
    },
    { max_turns: 1 },
  )
    .start()
    .finish();
  run.start().finish();
  expect(run.path().slice(-1)).toEqual(['STOPPED']);
  expect(run.path()).not.toContain('RUNNING');
  expect(run.effects).toContainEqual({
    type: 'sweep-signals',
    why: 'session-end',
    reason: 'the session ended',
  });
  expect(run.end()).toMatchObject({ status: 'aborted', exit_code: 130 });
});
