import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { createFlowSession, type FlowSessionOptions } from '../helpers/flow-session.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { sized } from '../helpers/test-form.ts';

const started = async (engine: Engine): Promise<Engine> => {
  expect(await engine.start()).toBeNull();
  return engine;
};

const sessionOf = (fill: 'fresh' | 'team', options: FlowSessionOptions) =>
  createFlowSession({ ...options, start: { ...options.start, fill } });

const three: FlowSessionOptions['issues'] = {
  1: 'state: research-needed',
  2: 'state: research-needed\nparent: 1',
  3: 'state: research-needed\nparent: 1',
};

describe('a team', () => {
  test('has the roster of its work, each task is claimed by a worker of its role, and all leave at the end', async () => {
    const session = sessionOf('team', { issues: three });
    const end = await session.settle(await started(session.begin()));
    expect(end).toMatchObject({ status: 'completed', exitCode: 0 });
    const workers = session.all('team.formed').flatMap((event) => event.workers);
    expect(workers.map(({ name }) => name)).toContain('builder-1');
    const roleOf = new Map(workers.map(({ name, role }) => [name, role]));
    const tasks = session.all('tasks.defined').flatMap((event) => event.tasks);
    const claims = session.all('task.claimed');
    expect(claims.length).toBeGreaterThan(5);
    for (const { task, worker } of claims)
      expect(roleOf.get(worker ?? '')).toBe(tasks.find(({ id }) => id === task)?.role);
    for (const { task, worker } of session.all('invocation.started'))
      if (task !== undefined) expect(worker).toBe(claims.findLast((claim) => claim.task === task)?.worker);
    expect(session.all('worker.left').map(({ worker }) => worker)).toEqual(workers.map(({ name }) => name));
  });

  test('has a list with a task for a worker before the worker exists', async () => {
    const session = sessionOf('team', { issues: { 1: 'state: research-needed' } });
    await session.settle(await started(session.begin()));
    const types = session.events.map(({ type }) => type);
    expect(types.indexOf('tasks.defined')).toBeLessThan(types.indexOf('team.formed'));
    expect(types.indexOf('team.formed')).toBeLessThan(types.indexOf('task.claimed'));
    expect(types.indexOf('task.claimed')).toBeLessThan(types.indexOf('invocation.started'));
  });

  test('has nobody in its roster who never works', async () => {
    const session = sessionOf('team', { issues: { 1: 'state: ready-for-plan' } });
    await session.settle(await started(session.begin()));
    const roster = session.all('team.formed').flatMap(({ workers }) => workers.map(({ name }) => name));
    const worked = new Set(session.all('invocation.started').map(({ worker }) => worker));
    expect(roster).toEqual(roster.filter((name) => worked.has(name)));
    expect(roster.some((name) => name.startsWith('analyst'))).toBe(false);
  });

  test('lets one worker have one task at a time', async () => {
    const session = sessionOf('team', { issues: three });
    await session.settle(await started(session.begin()));
    const has = new Map<string, string>();
    for (const event of session.events) {
      if (event.type === 'invocation.started' && event.worker !== undefined) {
        expect(has.get(event.worker)).toBeUndefined();
        has.set(event.worker, event.invocation);
      }
      if (event.type === 'task.submitted' || event.type === 'task.failed')
        for (const [worker, invocation] of has) if (invocation === event.invocation) has.delete(worker);
    }
  });
});

test('hero and team give the same task list and the same end, for generated groups', async () => {
  for (let seed = 1; seed <= sized({ short: 2, long: 12 }); seed += 1) {
    const random = createSeededRandom(seed);
    const states = ['research-needed', 'ready-for-plan', 'backlog', 'in-progress'];
    const count = 1 + Math.floor(random.next() * 4);
    const issues: Record<string, string> = {};
    for (let id = 1; id <= count; id += 1) {
      const state = states[Math.floor(random.next() * states.length)];
      const blocked = id > 2 && random.next() < 0.4 ? `\nblockedBy: [${id - 1}]` : '';
      issues[id] = `state: ${state}${id === 1 ? '' : '\nparent: 1'}${blocked}`;
    }
    const runs = await Promise.all(
      (['fresh', 'team'] as const).map(async (fill) => {
        const session = sessionOf(fill, { issues });
        const end = await session.settle(await started(session.begin()));
        const states = await Promise.all(
          Object.keys(issues).map(async (id) => (await session.issue(id)).state),
        );
        return {
          end: { status: end.status, exitCode: end.exitCode },
          states,
          tasks: [
            ...new Set(session.all('tasks.defined').flatMap(({ tasks }) => tasks.map(({ id }) => id))),
          ].sort(),
          done: session
            .all('task.qualified')
            .map(({ task }) => task)
            .sort(),
        };
      }),
    );
    expect(runs[1], `seed ${seed}`).toEqual(runs[0]);
    expect(new Set(runs[0]?.done).size).toBe(runs[0]?.done.length);
  }
});
