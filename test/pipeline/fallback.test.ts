import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fallbacksOf } from '../../src/agents/fallback.ts';
import type { Brief } from '../../src/agents/port.ts';
import { agentInstead, quotaReported, quotaTried } from '../../src/pipeline/agents/quota.ts';
import type { EventBody } from '../../src/pipeline/event.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { createOwned } from '../../src/pipeline/maps.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { createPipelineRun, defineTask, failedCall, type PipelineRun } from '../helpers/pipeline-run.ts';

/** A run whose Executor is `first`. `quotas` says for each agent how its calls end; what it leaves is a success. */
const runWith = (
  fallbacks: Readonly<Record<string, string>>,
  quotas: Readonly<Record<string, readonly (number | null)[]>>,
  tasks = [defineTask('one')],
): PipelineRun => {
  const calls = new Map<string, number>();
  return createPipelineRun({
    tasks,
    settings: (old) => ({
      ...old,
      roles: { executor: 'first' },
      agents: Object.fromEntries(
        Object.entries(fallbacks).map(([name, fallback]) => [
          name,
          { type: 'command', command: ['x'], fallback },
        ]),
      ),
      concurrency: { ...old.concurrency, max_parallel_executors: 1 },
    }),
    script: (brief, run): readonly EventBody[] | undefined => {
      const agent = backendOf(run, brief);
      const call = calls.get(agent) ?? 0;
      calls.set(agent, call + 1);
      const until = brief.mode === 'IMPLEMENT' ? quotas[agent]?.[call] : undefined;
      return until === undefined ? undefined : [failedCall(brief, 'quota', until ?? undefined)];
    },
  })
    .start()
    .finish();
};

const backendOf = (run: PipelineRun, { invocation }: Brief): string =>
  run.of('invocation.started').find((event) => event.invocation === invocation)?.backend ?? '';

/** Which agent was started for the tasks, with the one that it stands for. */
const startsOf = (run: PipelineRun) =>
  run
    .of('invocation.started')
    .flatMap((event) =>
      event.mode === 'IMPLEMENT'
        ? [event.instead_of === undefined ? event.backend : `${event.backend} for ${event.instead_of}`]
        : [],
    );

const at = Date.UTC(2026, 1, 15, 20, 0, 0);

describe('when the quota of an agent is used up', () => {
  test('its fallback goes on with the task at once, in a new attempt that no cap counts', () => {
    const run = runWith({ first: 'second' }, { first: [at] });
    expect(startsOf(run)).toEqual(['first', 'second for first']);
    expect(run.state().tasks.get('one')).toMatchObject({ status: 'done', attempt: 2, failures: 0 });
    expect(run.of('timer.fired')).toEqual([]);
    expect(run.of('task.interrupted')).toMatchObject([{ reason: 'quota: the quota went wrong' }]);
  });

  test('later tasks go to the fallback too, and to the agent again when its time has come', () => {
    const run = runWith({ first: 'second' }, { first: [at] }, [
      defineTask('one'),
      defineTask('two', { blockedBy: ['one'] }),
    ]);
    expect(startsOf(run)).toEqual(['first', 'second for first', 'second for first']);
    const later = new Date(at).toISOString();
    expect(
      agentInstead(
        { ...run.state(), usedUp: new Map([['first', { until: at, times: 1 }]]), at: later },
        'first',
      ),
    ).toBe('first');
  });

  test('without a fallback, dispatch waits for the stated time as before', () => {
    const run = runWith({}, { first: [at] });
    expect(startsOf(run)).toEqual(['first', 'first']);
    expect(run.effects).toContainEqual({ type: 'arm-timer', timer: 'quota', at_ms: at });
  });

  test('a fallback whose quota is used up as well hands on to its own, and the last one waits', () => {
    const run = runWith({ first: 'second', second: 'third' }, { first: [at], second: [at], third: [at] });
    expect(startsOf(run)).toEqual(['first', 'second for first', 'third for first', 'first']);
    expect(run.state().tasks.get('one')?.status).toBe('done');
  });

  test('two agents that name each other do not go round: the second used-up quota waits for its time', () => {
    const early = at - 3_600_000;
    const run = runWith({ first: 'second', second: 'first' }, { first: [at], second: [early] });
    expect(startsOf(run)).toEqual(['first', 'second for first', 'first']);
    expect(run.effects).toContainEqual({ type: 'arm-timer', timer: 'quota', at_ms: early });
  });

  test('an agent that names no time is left alone twice as long after each report in a row', () => {
    const run = createPipelineRun({
      tasks: [defineTask('one')],
      settings: (old) => ({ ...old, agents: { script: { fallback: 'second' } } }),
      script: (brief) => (brief.mode === 'IMPLEMENT' ? null : undefined),
    }).start();
    run.work();
    const [invocation = ''] = run.open.keys();
    const report = {
      type: 'invocation.failed',
      invocation,
      kind: 'quota',
      fault: { code: 'q', what: 'out' },
    } as const;
    const state = run.state();
    let usedUp: SessionState['usedUp'] = new Map();
    const minutes = Array.from({ length: 10 }, () => {
      const event = { ...report, seq: 1, at: state.at };
      usedUp = quotaReported({ ...state, usedUp }, event, createOwned('one')).usedUp ?? usedUp;
      return ((usedUp.get('script')?.until ?? 0) - Date.parse(state.at)) / 60_000;
    });
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240]);
    // The session waits as long, and the try that follows does not begin at one minute again.
    const at = Date.parse(state.at);
    const tried = quotaTried({ ...state, usedUp, quotaUntil: at + 240 * 60_000 }, at);
    expect(tried.quotaUntil).toBeNull();
    const again = quotaReported(
      { ...state, ...tried },
      { ...report, seq: 1, at: state.at },
      createOwned('one'),
    );
    expect(again.usedUp?.get('script')?.until).toBe(at + 240 * 60_000);
  });

  test('the journal alone gives the same state', () => {
    const run = runWith({ first: 'second', second: 'first' }, { first: [at], second: [at] });
    expect(evolveAll(null, run.events)).toEqual(run.state());
  });
});

test('however agents name each other, each stands once in a row of fallbacks and none of them is the agent itself', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    fc.property(fc.dictionary(names, names), names, (fallbacks, name) => {
      const agents = Object.fromEntries(
        Object.entries(fallbacks).map(([own, fallback]) => [own, { fallback }]),
      );
      const row = fallbacksOf(agents, name);
      expect(new Set([name, ...row]).size).toBe(row.length + 1);
    }),
  );
});
