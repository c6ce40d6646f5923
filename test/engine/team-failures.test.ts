import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/base/hash.io.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { answerClaim, type Claimable } from '../../src/issues/team/claim.ts';
import { gateState, pendingTasksLine, stopGate } from '../../src/issues/team/stop-gate.ts';
import type { Worker } from '../../src/issues/team/worker.ts';
import { collate, mergeErrors } from '../../src/observability/debug/collate.ts';
import { plainRecord } from '../../src/observability/debug/debug-record.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { createFlowSession } from '../helpers/flow-session.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { SimulatedCrash } from '../helpers/simulated-disk.ts';

type Session = ReturnType<typeof createFlowSession>;

const started = async (engine: Engine): Promise<Engine> => {
  expect(await engine.start()).toBeNull();
  return engine;
};

const teamOf = (
  issues: Readonly<Record<string, string>>,
  answers?: Parameters<typeof createFlowSession>[0]['answers'],
) => createFlowSession({ issues, start: { fill: 'team' }, ...(answers === undefined ? {} : { answers }) });

const group = {
  1: 'state: research-needed',
  2: 'state: research-needed\nparent: 1',
  3: 'state: research-needed\nparent: 1',
};

/** The failures that the specification diagnosed in teams (src/issues/README.md, Hero and team). */
describe('diagnosed failure', () => {
  test('1: a worker that starts finds its task in the list', async () => {
    const session = teamOf(group);
    await session.settle(await started(session.begin()));
    const defined = new Set<string>();
    for (const event of session.events) {
      if (event.type === 'tasks.defined') for (const { id } of event.tasks) defined.add(id);
      if (event.type === 'team.formed') expect(defined.size).toBeGreaterThan(0);
      if (event.type === 'invocation.started' && event.task !== undefined)
        expect(defined.has(event.task)).toBe(true);
    }
  });

  test('2: no message is sent to assign work', async () => {
    const session = teamOf(group);
    await session.settle(await started(session.begin()));
    expect(session.events.filter(({ type }) => type.startsWith('signal.'))).toEqual([]);
    for (const { task, messages } of session.all('invocation.started'))
      if (task !== undefined) expect(messages).toEqual([]);
  });

  test('3: who completes a task hears nothing of it', async () => {
    const session = teamOf(group);
    await session.settle(await started(session.begin()));
    expect(
      session.events.filter(({ type }) => type === 'message.arrived' || type === 'message.carried'),
    ).toEqual([]);
  });

  test('4: the roster has exactly the roles that were started', async () => {
    const session = teamOf({ 1: 'state: ready-for-plan' });
    await session.settle(await started(session.begin()));
    const roles = session.all('team.formed').flatMap(({ workers }) => workers.map(({ role }) => role));
    const tasks = new Map(
      session
        .all('tasks.defined')
        .flatMap((event) => event.tasks)
        .map(({ id, role }) => [id, role]),
    );
    const worked = new Set(session.all('task.claimed').map(({ task }) => tasks.get(task)));
    expect(new Set(roles)).toEqual(worked);
  });

  test('5: of eight claimants each of 200 tasks has one winner', () => {
    const random = createSeededRandom(5);
    const workers = Array.from(
      { length: 8 },
      (_, at): Worker => ({ name: `builder-${at + 1}`, role: 'builder' }),
    );
    let list: readonly Claimable[] = Array.from({ length: 200 }, (_, at) => ({
      id: `task-${at}`,
      role: 'builder',
      owner: null,
      standing: 'pending',
      blockedBy: [],
    }));
    const winners = new Map<string, string>();
    for (const { id } of list) {
      const answers = random.shuffle(workers).map(({ name: worker }) => {
        const answer = answerClaim(list, workers, { task: id, worker });
        if (answer.kind === 'claimed') {
          expect(winners.has(id)).toBe(false);
          winners.set(id, worker);
          list = list.map((task) => (task.id === id ? { ...task, owner: worker } : task));
        }
        return answer.kind;
      });
      expect(answers.filter((kind) => kind === 'taken_by')).toHaveLength(7);
      list = list.map((task) => (task.id === id ? { ...task, standing: 'completed' } : task));
    }
    expect(winners.size).toBe(200);
  });

  test('6: a worker is kept from stopping by at most one line, once for a state', () => {
    const builder: Worker = { name: 'builder-1', role: 'builder' };
    const list: readonly Claimable[] = [
      { id: 'a', role: 'builder', owner: null, standing: 'pending', blockedBy: [] },
    ];
    expect(pendingTasksLine.split('\n')).toHaveLength(1);
    expect(stopGate(list, builder, null).kind).toBe('next');
    expect(stopGate(list, builder, gateState(list, builder)).kind).toBe('repeated');
  });

  test('7: a list that is made again after a restart adds nothing', async () => {
    let calls = 0;
    const session = teamOf({ 1: 'state: research-needed' }, ({ kind }) => {
      calls += 1;
      return kind === 'flow-plan' && calls < 4 ? new Promise(() => undefined) : undefined;
    });
    const engine = await started(session.begin());
    await session.clock.advanceAsync(5_000);
    expect(engine.state().running).toBe(true);
    session.kill();
    const end = await session.settle(await started(session.resume()));
    expect(end.exitCode).toBe(0);
    const ids = session.all('tasks.defined').flatMap(({ tasks }) => tasks.map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)]);
  });

  test('8: hero and team share every module but the slot filler', () => {
    const knowing = globSync('src/{pipeline,engine,issues}/**/*.ts').filter((file) =>
      /\bfill: 'team'|=== 'team'|=== 'fresh'|\.fill\b/.test(readFileSync(file, 'utf8')),
    );
    expect(knowing).toEqual(['src/pipeline/modes/flow/executing.ts']);
    const own = readFileSync('src/pipeline/modes/flow/executing.ts', 'utf8');
    expect(own.match(/flow\.fill\b/g)).toHaveLength(2);
    expect(own.match(/fillers\[flow\.fill\]/g)).toHaveLength(2);
  });

  test('9: errors of a team stay: each that was seeded is found again, once for its kind', () => {
    const seeded = [
      { ...plainRecord('tool', 'task_claim', 'call'), error: 'research-3 is taken by analyst-1' },
      { ...plainRecord('tool', 'task_claim', 'call'), error: 'research-4 is taken by analyst-2' },
      { ...plainRecord('hook', 'Stop', 'run'), error: 'stdin holds no Stop event' },
      {
        ...plainRecord('tool', 'send_message', 'call'),
        error: 'broadcasts are not supported: name one worker',
      },
    ].map((record, at) => ({
      log: `session-${at % 2}`,
      record: { ...record, ok: false, ts: `2026-02-15T10:15:0${at}Z` },
    }));
    const fine = {
      log: 'session-0',
      record: { ...plainRecord('hook', 'Stop', 'run'), ts: '2026-02-15T10:16:00Z' },
    };
    const errors = collate([...seeded, fine], sha256);
    expect(errors.reduce((sum, { count }) => sum + count, 0)).toBe(seeded.length);
    for (const { record } of seeded)
      expect(
        errors.filter(({ signature }) => signature.includes(record.name)),
        record.name,
      ).toHaveLength(1);
    expect(errors[0]).toMatchObject({ count: 2, sessions: { 'session-0': 1, 'session-1': 1 } });
    // The same logs read again add nothing.
    expect(mergeErrors(errors, collate(seeded, sha256))).toEqual(errors);
  });
});

test('a worker whose agent fails does its task again itself', async () => {
  let failures = 0;
  const session = teamOf({ 1: 'state: ready-for-plan' }, ({ kind }) => {
    if (kind !== 'flow-plan' || failures > 0) return undefined;
    failures += 1;
    return { status: 'failed', blockers: ['no idea'] };
  });
  const end = await session.settle(await started(session.begin()));
  expect(end.exitCode).toBe(0);
  const plans = session.all('invocation.started').filter(({ task }) => task === 'plan-1');
  expect(plans.map(({ worker }) => worker)).toEqual(['builder-1', 'builder-1']);
  expect(session.all('task.claimed').filter(({ task }) => task === 'plan-1')).toHaveLength(1);
});

test('a person cancels the task of a worker: it takes the next one, and no other worker hears of it', async () => {
  const session = teamOf(group, ({ kind }, { task, messages }) =>
    kind === 'flow-research' && task?.id === 'research-2' && messages.length === 0
      ? new Promise(() => undefined)
      : undefined,
  );
  const engine = await started(session.begin());
  await session.clock.advanceAsync(5_000);
  expect(engine.state().invocations.size).toBe(1);
  session.publish({ type: 'CANCEL', task: 'research-2' });
  await session.settle(engine);
  expect(session.find('task.cancelled', ({ task }) => task === 'research-2')).toBeDefined();
  // It takes nothing while the agent of that task still runs.
  const alive = new Map<string, string | undefined>();
  for (const event of session.events) {
    if (event.type === 'invocation.started') alive.set(event.invocation, event.worker);
    if (event.type === 'invocation.ended' || event.type === 'invocation.settled')
      alive.delete(event.invocation);
    if (event.type === 'task.claimed') expect([...alive.values()], event.task).not.toContain(event.worker);
  }
  // Its worker takes the next task, and who works on others has no message.
  for (const { task, messages } of session.all('invocation.started'))
    if (task !== undefined) expect(messages).toEqual([]);
  expect(session.all('task.claimed').filter(({ worker }) => worker === 'analyst-1').length).toBeGreaterThan(
    1,
  );
});

test('an implementation that a person redefines goes back, so that its builder can write the new plan', async () => {
  let works = 0;
  const session = teamOf({ 1: 'state: ready-for-plan' }, ({ kind }) => {
    if (kind !== 'implement') return undefined;
    works += 1;
    return works === 1
      ? { status: 'blocked', blockers: ['redefined'], escalation: 'use a queue' }
      : undefined;
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 0 });
  expect(session.find('task.released')).toMatchObject({ task: 'implement-1', worker: 'builder-1' });
  expect(session.asked.filter(({ kind }) => kind === 'flow-plan')).toHaveLength(2);
  expect((await session.issue('1')).state).toBe('In Review');
});

/** Runs to the end, or to the crash. */
const run = async (session: Session, kind: 'begin' | 'resume') => {
  try {
    const engine = session[kind]();
    const fault = await Promise.race([engine.start(), session.clock.advanceAsync(2_000).then(() => null)]);
    if (session.disk.crashed()) return null;
    return fault ? { fault } : { end: await session.settle(engine) };
  } catch (error) {
    if (error instanceof SimulatedCrash) return null;
    throw error;
  }
};

test('stopped at any write and resumed, a team does every task once, and each claim has one worker', async () => {
  const issues = { 1: 'state: research-needed' };
  const whole = teamOf(issues);
  const before = whole.disk.operations();
  await whole.settle(await started(whole.begin()));
  const total = whole.disk.operations() - before;
  const random = createSeededRandom(17);
  let crashes = 0;
  for (let at = 1 + random.int(20); at < total; at += 20 + random.int(30)) {
    const session = teamOf(issues);
    session.disk.crashAfter(at, { torn: random.chance(0.5) });
    let result = await run(session, 'begin');
    for (let again = 0; result === null && again < 5; again += 1) {
      crashes += 1;
      session.kill();
      if (session.disk.lstat(session.paths.journal) === null) break;
      result = await run(session, 'resume');
    }
    if (result === null || 'fault' in result) continue;
    const where = `stopped at operation ${at} of ${total}`;
    expect(result.end, where).toMatchObject({ status: 'completed', exitCode: 0 });
    // In the journal: an observer hears a fact again that a crash took before it was written.
    const { events } = readJournal(session.disk, session.paths.journal);
    const tasksOf = (type: 'task.qualified' | 'task.claimed') =>
      events.flatMap((event) => (event.type === type ? [event.task] : []));
    const done = tasksOf('task.qualified');
    expect([...new Set(done)], where).toEqual(done);
    expect(done.length, where).toBeGreaterThan(4);
    const claims = tasksOf('task.claimed');
    expect([...new Set(claims)], where).toEqual(claims);
    expect((await session.issue('1')).lock, where).toBeUndefined();
  }
  expect(crashes).toBeGreaterThan(8);
});
