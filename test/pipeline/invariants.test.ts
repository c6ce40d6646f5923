import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Brief } from '../../src/agents/port.ts';
import { type Event, type EventBody, eventBodySchema } from '../../src/pipeline/event.ts';
import { evolve, evolveAll } from '../../src/pipeline/evolve.ts';
import { next } from '../../src/pipeline/next.ts';
import { conflict } from '../../src/pipeline/scheduling/start.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import {
  createPipelineRun,
  defineTask,
  ended,
  failedCall,
  failedOutcome,
  failedReview,
  goodOutcome,
  type PipelineRun,
  startedTask,
} from '../helpers/pipeline-run.ts';
import { draws } from '../helpers/test-form.ts';

/** A plan, and a list of numbers that decides everything else: one seed is one session. */
interface Scenario {
  readonly tasks: readonly TaskDefinition[];
  readonly choices: readonly number[];
  readonly parallel: number;
  readonly plan: boolean;
  /** Nothing odd happens before there are tasks. */
  readonly calm: boolean;
}

const taskArbitrary = (index: number) =>
  fc
    .record({
      blockedBy: fc.subarray(Array.from({ length: index }, (_, other) => `task-${other}`)),
      files: fc.subarray(['src/a.ts', 'src/b.ts', 'docs', 'docs/x.md'], { maxLength: 2 }),
      type: fc.constantFrom('Parallelizable', 'Parallelizable', 'Sequential'),
    } as const)
    .map((fields) => defineTask(`task-${index}`, fields));

const scenarioArbitrary: fc.Arbitrary<Scenario> = fc.integer({ min: 1, max: 7 }).chain((count) =>
  fc.record({
    tasks: fc.tuple(...Array.from({ length: count }, (_, index) => taskArbitrary(index))),
    choices: fc.array(fc.nat(9_999), { minLength: 60, maxLength: 300 }),
    parallel: fc.integer({ min: 1, max: 3 }),
    plan: fc.boolean(),
    calm: fc.constantFrom(true, true, true, false),
  }),
);

/** What an agent may come to, by chance. */
const answers: readonly ((brief: Brief, number: number) => EventBody[])[] = [
  (brief) => good(brief),
  (brief) => good(brief),
  (brief) => good(brief),
  (brief) => [failedCall(brief)],
  (brief) => [failedCall(brief, 'no-result')],
  (brief) => [failedCall(brief, 'timeout')],
  (brief) => [failedCall(brief, 'stall')],
  (brief, number) => [failedCall(brief, 'quota', 1_800_000_000_000 + number)],
  (brief) => [ended(brief, brief.mode === 'TASK_REVIEW' ? failedReview(brief) : failedOutcome(brief))],
  (brief) => [ended(brief, failedOutcome(brief, 'blocked'), undefined, 'STEER scope change: other')],
  (brief) => [
    ...(brief.mode === 'IMPLEMENT' ? [startedTask(brief)] : []),
    { type: 'invocation.paused', invocation: brief.invocation, continuation: { at: 1 } },
  ],
];

const good = (brief: Brief): EventBody[] => [
  ...(brief.mode === 'IMPLEMENT' ? [startedTask(brief)] : []),
  ended(brief, goodOutcome(brief), definitionsFor(brief)),
];

let planned: readonly TaskDefinition[] = [];
const definitionsFor = (brief: Brief): TaskDefinition[] | undefined => {
  if (brief.mode === 'TASK_BREAKDOWN') return [...planned];
  if (brief.mode !== 'REBREAKDOWN_TASK' || !brief.task) return undefined;
  const { task } = brief;
  if (task.id.length > 16) return [task];
  return [
    { ...task, id: `${task.id}-a` },
    { ...task, id: `${task.id}-b`, blockedBy: [`${task.id}-a`] },
  ];
};

/** The invariants of one event (test/README.md, "Whole-session simulation"). */
const watch = (before: SessionState | null, event: Event, after: SessionState): void => {
  for (const [id, task] of before?.tasks ?? [])
    if (task.status === 'done' && after.tasks.get(id)?.status !== 'done')
      expect(['task.reset', 'task.cancelled'], 'only a person undoes a result').toContain(event.type);
  if (event.type !== 'invocation.started' && event.type !== 'invocation.resumed') return;
  if (!before) throw new Error('an invocation before the session');
  expect(before.hold, 'nothing is invoked while held').toBeNull();
  expect(before.abort, 'nothing is invoked after ABORT').toBeNull();
  expect(before.quotaUntil, 'nothing is invoked while a quota is used up').toBeNull();
  expect(before.running, 'nothing is invoked by a stopped session').toBe(true);
  if (event.type !== 'invocation.started' || event.mode !== 'IMPLEMENT') return;
  const task = before.tasks.get(event.task ?? '');
  if (!task) throw new Error('an Executor without a task');
  for (const blocker of task.definition.blockedBy)
    expect(isDone(before, blocker, event.task ?? ''), `${event.task} waits for ${blocker}`).toBe(true);
  for (const invocation of before.invocations.values()) {
    const other = before.tasks.get(invocation.task ?? '');
    if (invocation.mode !== 'IMPLEMENT' || !other) continue;
    expect(other.definition.id).not.toBe(event.task);
    expect(conflict(task.definition, other.definition), 'files do not overlap').toBe(false);
    expect([task.definition.type, other.definition.type]).not.toContain('Sequential');
  }
};

/** Done itself, or split into parts that are done; `asker` may be one of the parts. */
const isDone = (state: SessionState, id: string, asker: string): boolean => {
  const task = state.tasks.get(id);
  const parts = task?.definition.replaced_by ?? [];
  if (parts.length === 0) return task?.status === 'done';
  return parts.includes(asker) || parts.every((part) => isDone(state, part, asker));
};

const play = ({ tasks, choices, parallel, plan, calm }: Scenario): PipelineRun => {
  planned = tasks;
  let turn = 0;
  const pick = (): number => choices[turn++] ?? 0;
  const run = createPipelineRun({
    attended: true,
    observe: watch,
    settings: (defaults) => ({
      ...defaults,
      gates: plan ? ['plan'] : [],
      concurrency: {
        max_parallel_executors: parallel,
        max_parallel_reviewers: parallel,
        max_parallel_checks: 1,
      },
    }),
    script: (brief) => {
      const number = pick();
      return turn > choices.length ? good(brief) : (answers[number % answers.length] ?? good)(brief, number);
    },
  });
  run.start();
  while (calm && run.state().tasks.size === 0) run.tell(...good(firstOpen(run)));
  while (turn < choices.length && !(run.state().state === 'COMPLETE' && !run.state().running))
    disturb(run, pick());
  finish(run);
  return run;
};

const firstOpen = (run: PipelineRun): Brief => {
  const [first] = run.open;
  if (!first) throw new Error('nobody works');
  return first[1];
};

const anyTask = (run: PipelineRun, number: number): string =>
  [...run.state().tasks.keys()][number % Math.max(1, run.state().tasks.size)] ?? 'task-0';

const anyOpen = (run: PipelineRun, number: number): string | undefined =>
  [...run.open.keys()][number % Math.max(1, run.open.size)];

/** A person, the clock and the machine, by chance; most of the time an agent just answers. */
const disturb = (run: PipelineRun, number: number): void => {
  if (!run.state().running) {
    run.start();
    return;
  }
  const kind = number % 100;
  const by = 'kim';
  if (kind < 5) run.elapse();
  else if (kind < 7) run.tell({ type: 'hold.requested', signal: 's', by });
  else if (kind < 12) run.tell({ type: 'hold.ended', signal: 's', by, message: 'continue' });
  else if (kind < 14)
    run.tell({ type: 'task.reset', task: anyTask(run, number), reason: 'RETRY', message: 'x' });
  else if (kind === 14) run.tell({ type: 'task.cancelled', task: anyTask(run, number), reason: 'CANCEL' });
  else if (kind < 19) run.crash(number % 7);
  else if (kind === 19) run.quit();
  else if (kind < 23) decideForPeople(run, number);
  else if (kind < 25) run.tell({ type: 'timer.fired', timer: `wip:${anyOpen(run, number)}` });
  else if (kind < 36) begin(run, anyOpen(run, number));
  else if (kind === 36 && number > 8_000) run.tell({ type: 'abort.requested', signal: null, by });
  else run.answer(anyOpen(run, number));
};

/** The Executor marks its task and works on. */
const begin = (run: PipelineRun, invocation: string | undefined): void => {
  const brief = run.open.get(invocation ?? '');
  if (brief?.mode === 'IMPLEMENT') run.tell(startedTask(brief));
};

/** Everything a person may be asked, answered. */
const decideForPeople = (run: PipelineRun, number: number): boolean => {
  const { gate, questions } = run.state();
  const signal = null;
  const by = 'kim';
  if (gate) {
    const decision = gate.gate === 'plan' || number % 3 > 0 ? 'approve' : 'skip';
    run.tell({ type: 'gate.decided', gate: gate.gate, decision, by, signal });
    return true;
  }
  for (const { request, answer } of questions.values()) {
    if (answer !== null) continue;
    run.tell({
      type: 'question.answered',
      request,
      answer: number % 7 === 1 ? 'stop' : 'retry',
      by,
      signal,
    });
    return true;
  }
  return false;
};

/** From here on everything goes well: whatever happened before, the session has to come to its end. */
const finish = (run: PipelineRun): void => {
  for (let steps = 0; steps < 3_000; steps += 1) {
    if (!run.state().running) {
      if (run.state().state === 'COMPLETE') return;
      run.start();
    }
    if (run.state().hold) run.tell({ type: 'hold.ended', signal: null, by: 'kim' });
    run.work();
    if (!run.state().running || decideForPeople(run, 10) || run.elapse() !== null) continue;
    throw new Error(`waits for nobody in ${run.state().state}: ${JSON.stringify(next(run.state()))}`);
  }
  throw new Error('never ends');
};

const ends = new Set(['completed', 'failed tasks', 'aborted']);

test('whatever happens, a session ends with a stated reason and no rule of dispatch is broken', () => {
  fc.assert(
    fc.property(scenarioArbitrary, (scenario) => {
      const run = play(scenario);
      const end = run.end();
      expect(ends.has(end?.reason ?? '')).toBe(true);
      expect(run.state().invocations.size).toBe(0);
      for (const stop of run.of('session.stopped')) expect(stop.reason).not.toBe('');
    }),
    draws(400),
  );
});

test('a journal replayed gives the state of the live run, and every event survives JSON and its schema', () => {
  fc.assert(
    fc.property(scenarioArbitrary, (scenario) => {
      const run = play(scenario);
      const read: Event[] = run.events.map((event) => JSON.parse(JSON.stringify(event)));
      expect(evolveAll(null, read)).toEqual(run.state());
      expect(read.reduce<SessionState | null>(evolve, null)).toEqual(run.state());
      for (const event of run.events) {
        const { seq, at, ...body } = event;
        expect(eventBodySchema().parse(JSON.parse(JSON.stringify(body)))).toEqual(body);
      }
    }),
    draws(60),
  );
});
