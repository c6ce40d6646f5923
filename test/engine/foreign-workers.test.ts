import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession, type FlowSessionOptions } from '../helpers/flow-session.ts';
import { joinTeam } from '../helpers/foreign-worker.ts';

const never = () => new Promise(() => undefined);

const started = async (engine: Engine): Promise<Engine> => {
  expect(await engine.start()).toBeNull();
  return engine;
};

const leave = async (session: ReturnType<typeof createFlowSession>, engine: Engine): Promise<void> => {
  const left = engine.quit('over');
  await session.clock.advanceAsync(10_000);
  await left;
};

const settingsOf = (join: 'ask' | 'always' | 'never', executors = 3): FlowSessionOptions['settings'] => ({
  flow: { ...defaultSettings.flow, join },
  concurrency: { ...defaultSettings.concurrency, max_parallel_executors: executors },
});

/** A team whose own agents work at `busy` for ever, so that the rest is for others. */
const teamWith = (
  issues: FlowSessionOptions['issues'],
  options: Partial<FlowSessionOptions> = {},
  busy = 'research-2',
) =>
  createFlowSession({
    issues,
    start: { fill: 'team' },
    settings: settingsOf('always', 1),
    answers: (_ask, brief) => (brief.task?.id === busy ? never() : undefined),
    ...options,
  });

const three = {
  1: 'state: research-needed',
  2: 'state: research-needed\nparent: 1',
  3: 'state: research-needed\nparent: 1',
  4: 'state: research-needed\nparent: 1',
};

const research = { status: 'completed', result: { files: ['src/a.ts'] }, document: '# Found\n' };

describe('a worker in another program', () => {
  test('takes a task of its role, gets the work with its place, and its result is checked like any other', async () => {
    const session = teamWith(three);
    const engine = await started(session.begin());
    await session.clock.advanceAsync(2_000);
    const worker = await joinTeam(session, engine, 'analyst');
    const claimed = worker.claim();
    await session.clock.advanceAsync(2_000);
    const { body } = await claimed;
    expect(body).toMatchObject({ claimed: 'research-3', worker: worker.name });
    expect(body['work']).toContain('## Answer');
    // Without the keys of its phase it is no completion.
    const wrong = await worker.handIn({ status: 'completed', result: {}, document: '' });
    expect(wrong).toMatchObject({ failed: true, body: { wrong: expect.any(Array) } });
    expect(engine.state().tasks.get('research-3')?.status).toBe('running');
    expect(await worker.handIn(research)).toMatchObject({ body: { accepted: true } });
    await session.clock.advanceAsync(2_000);
    expect(engine.state().tasks.get('research-3')?.status).toBe('done');
    expect(session.find('task.submitted', ({ task }) => task === 'research-3')).toBeDefined();
    expect(session.all('invocation.started').find(({ task }) => task === 'research-3')).toMatchObject({
      backend: 'foreign',
      worker: worker.name,
    });
    expect(session.all('agent.connected')).toMatchObject([{ label: 'other' }]);
    await leave(session, engine);
  });

  test('gets nothing before a person lets it in, and nothing when he does not', async () => {
    const session = teamWith(three, { settings: settingsOf('ask', 1), attended: true, proofs: 'kept' });
    const engine = await started(session.begin());
    await session.clock.advanceAsync(2_000);
    const one = await joinTeam(session, engine, 'analyst');
    const two = await joinTeam(session, engine, 'validator');
    const early = one.claim();
    await session.clock.advanceAsync(50_000);
    // No command that an agent with a shell could let itself in with.
    expect((await early).body).toMatchObject({
      claimed: null,
      waits: expect.stringMatching(/^the person in charge was asked[^`]*$/),
    });
    expect(engine.state().flow?.claims.get('research-3')).toBeUndefined();
    // A file that any program may have written decides nothing.
    session.publish({ type: 'ANSWER', request: `join:${one.name}`, option: 'in', from: 'a program' });
    await session.clock.advanceAsync(10_000);
    expect(session.find('worker.admitted')).toBeUndefined();
    session.publish({ type: 'ANSWER', request: `join:${one.name}`, option: 'in' });
    session.publish({ type: 'ANSWER', request: `join:${two.name}`, option: 'out' });
    const late = one.claim();
    await session.clock.advanceAsync(10_000);
    expect((await late).body).toMatchObject({ claimed: 'research-3' });
    expect(session.find('worker.admitted')).toMatchObject({ worker: one.name, by: 'kim@host' });
    expect(await two.claim()).toMatchObject({
      failed: true,
      body: { error: expect.stringContaining('did not let it in') },
    });
    await leave(session, engine);
  });

  test('gets the reason for each claim that is refused', async () => {
    const session = teamWith(three);
    const engine = await started(session.begin());
    await session.clock.advanceAsync(2_000);
    const analyst = await joinTeam(session, engine, 'analyst');
    const other = await joinTeam(session, engine, 'analyst');
    const builder = await joinTeam(session, engine, 'builder');
    const plan = [...engine.state().tasks.keys()].find((id) => id.startsWith('plan-'));
    const claimed = analyst.claim('research-3');
    await session.clock.advanceAsync(2_000);
    expect((await claimed).body).toMatchObject({ claimed: 'research-3' });
    expect((await other.claim('research-3')).body).toMatchObject({ taken_by: analyst.name });
    expect((await analyst.claim('research-4')).body).toMatchObject({ busy: 'research-3' });
    expect((await builder.claim('research-4')).body).toMatchObject({ wrong_role: 'analyst' });
    expect((await builder.claim(plan)).body).toMatchObject({
      refused: 'blocked_by',
      blocked_by: expect.arrayContaining(['research-4', 'research-2', 'research-3']),
    });
    expect((await other.claim('no-such')).body).toMatchObject({ refused: 'unknown-task' });
    await leave(session, engine);
  });

  test('that is killed leaves its task free, for one other worker; a reused pid is not it', async () => {
    for (const end of ['kill', 'reuse'] as const) {
      const session = teamWith(three);
      const engine = await started(session.begin());
      await session.clock.advanceAsync(2_000);
      const one = await joinTeam(session, engine, 'analyst');
      const two = await joinTeam(session, engine, 'analyst');
      const claimed = one.claim('research-3');
      await session.clock.advanceAsync(2_000);
      await claimed;
      if (end === 'kill') one.die();
      else one.process.reuse();
      await session.clock.advanceAsync(5_000);
      expect(session.find('worker.left')).toMatchObject({ worker: one.name });
      // What it still says counts for nothing.
      expect(await one.claim()).toMatchObject({ failed: true });
      const again = two.claim('research-3');
      await session.clock.advanceAsync(2_000);
      expect((await again).body).toMatchObject({ claimed: 'research-3', work: expect.any(String) });
      await two.handIn(research);
      await session.clock.advanceAsync(2_000);
      expect(session.all('task.qualified').filter(({ task }) => task === 'research-3')).toHaveLength(1);
      expect(session.all('task.claimed').filter(({ task }) => task === 'research-3')).toMatchObject([
        { worker: one.name },
        { worker: two.name },
      ]);
      // Nothing counts against the task.
      expect(session.find('task.failed')).toBeUndefined();
      await leave(session, engine);
    }
  });

  test('gives its task back with a reason, and another one begins it anew', async () => {
    const session = teamWith(three);
    const engine = await started(session.begin());
    await session.clock.advanceAsync(2_000);
    const one = await joinTeam(session, engine, 'analyst');
    expect(await one.release('no')).toMatchObject({ failed: true, body: { error: 'you have no task' } });
    const claimed = one.claim('research-3');
    await session.clock.advanceAsync(2_000);
    await claimed;
    expect((await one.release('it needs a key')).body).toEqual({ released: true });
    await session.clock.advanceAsync(5_000);
    expect(session.find('task.released')).toMatchObject({
      task: 'research-3',
      reason: `${one.name} released it: it needs a key`,
    });
    expect(engine.state().tasks.get('research-3')?.status).toBe('open');
    await leave(session, engine);
  });

  test('keeps its task when the program that runs the session is killed, and hands it in to the next one', async () => {
    const session = teamWith(three);
    const engine = await started(session.begin());
    await session.clock.advanceAsync(2_000);
    const worker = await joinTeam(session, engine, 'analyst');
    const claimed = worker.claim('research-3');
    await session.clock.advanceAsync(2_000);
    await claimed;
    session.kill();
    const next = await started(session.resume());
    expect(await worker.back(next)).toBe(worker.name);
    await session.clock.advanceAsync(3_000);
    const again = worker.claim();
    await session.clock.advanceAsync(2_000);
    expect((await again).body).toMatchObject({ claimed: 'research-3' });
    await worker.handIn(research);
    await session.clock.advanceAsync(2_000);
    expect(session.all('task.qualified').filter(({ task }) => task === 'research-3')).toHaveLength(1);
    // With another key it is another worker.
    const stranger = await joinTeam(session, next, 'analyst');
    expect(stranger.name).not.toBe(worker.name);
    await leave(session, next);
  });

  test('that nobody can look for keeps its task until a person says it is gone, and is asked about only without a connection', async () => {
    const session = teamWith(three, { attended: true, proofs: 'kept' });
    const engine = await started(session.begin());
    await session.clock.advanceAsync(2_000);
    const worker = await joinTeam(session, engine, 'analyst', true);
    const asked = () =>
      session.all('question.asked').filter(({ request }) => request === `lost:${worker.name}`);
    const answered = () => engine.state().questions.get(`lost:${worker.name}`)?.option ?? null;
    const ownerOf = () => engine.state().flow?.claims.get('research-3')?.worker ?? null;
    worker.hangUp();
    await session.clock.advanceAsync(10_000);
    // Without a task nothing hangs on it.
    expect(asked()).toEqual([]);
    await worker.back(engine);
    const claimed = worker.claim('research-3');
    await session.clock.advanceAsync(10_000);
    await claimed;
    expect(asked()).toEqual([]);
    worker.hangUp();
    await session.clock.advanceAsync(10_000);
    expect(asked()).toMatchObject([
      { text: expect.stringMatching(/^Is analyst-\d still working on research-3\? /), kind: 'join' },
    ]);
    await worker.back(engine);
    await session.clock.advanceAsync(10_000);
    expect(answered()).toBe('works');
    expect(asked()).toHaveLength(1);
    worker.hangUp();
    await session.clock.advanceAsync(10_000);
    expect(asked()).toHaveLength(2);
    session.publish({ type: 'ANSWER', request: `lost:${worker.name}`, option: 'gone', from: 'a program' });
    await session.clock.advanceAsync(10_000);
    expect([answered(), ownerOf()]).toEqual([null, worker.name]);
    session.publish({ type: 'ANSWER', request: `lost:${worker.name}`, option: 'works' });
    await session.clock.advanceAsync(60_000);
    expect([answered(), ownerOf(), asked().length]).toEqual(['works', worker.name, 2]);
    // The next start of the session does not know what became of it.
    session.kill();
    const next = await started(session.resume());
    await session.clock.advanceAsync(10_000);
    expect(asked()).toHaveLength(3);
    session.publish({ type: 'ANSWER', request: `lost:${worker.name}`, option: 'gone' });
    await session.clock.advanceAsync(10_000);
    expect(session.find('worker.left')).toMatchObject({
      worker: worker.name,
      reason: expect.stringContaining('said that it had ended'),
    });
    expect(next.state().flow?.claims.get('research-3')?.worker).not.toBe(worker.name);
    expect(next.state().tasks.get('research-3')?.status).not.toBe('failed');
    await leave(session, next);
  });

  test('gets what our workers leave: a free task goes to an idle one of ours, and to it while they are busy', async () => {
    // Two slots and more tasks than that: the foreign one needs no slot.
    const session = teamWith(three, { settings: settingsOf('always', 2), answers: never });
    const engine = await started(session.begin());
    await session.clock.advanceAsync(2_000);
    const ours = session.all('task.claimed').map(({ task }) => task);
    expect(ours).toHaveLength(2);
    const worker = await joinTeam(session, engine, 'analyst');
    const claimed = worker.claim();
    await session.clock.advanceAsync(2_000);
    const { body } = await claimed;
    expect(body['claimed']).toMatch(/^research-/);
    expect(ours).not.toContain(body['claimed']);
    await leave(session, engine);
  });

  test('gets orders and pauses at its calls like any agent', async () => {
    const session = teamWith(three);
    const engine = await started(session.begin());
    await session.clock.advanceAsync(2_000);
    const worker = await joinTeam(session, engine, 'analyst');
    const claimed = worker.claim('research-3');
    await session.clock.advanceAsync(2_000);
    await claimed;
    session.publish({ type: 'STEER', target: 'Executor', task: 'research-3', message: 'Look at b.ts.' });
    expect(await worker.boundary()).toMatchObject({
      kind: 'go',
      messages: [{ kind: 'STEER', text: 'Look at b.ts.' }],
    });
    session.publish({ type: 'PAUSE' });
    await session.clock.advanceAsync(10_000);
    expect(await worker.boundary()).toMatchObject({ kind: 'pause' });
    await session.clock.advanceAsync(5_000);
    expect(session.find('invocation.paused')).toBeDefined();
    const paused = worker.claim();
    await session.clock.advanceAsync(50_000);
    expect((await paused).body).toMatchObject({ claimed: 'research-3', next: expect.any(String) });
    session.publish({ type: 'RESUME' });
    const resumed = worker.claim();
    await session.clock.advanceAsync(10_000);
    expect((await resumed).body).toMatchObject({ claimed: 'research-3', work: expect.any(String) });
    await leave(session, engine);
  });
});

test('a worker that comes when the list is done is not let in: nobody would send it away', async () => {
  const session = createFlowSession({
    issues: { 1: 'state: research-needed' },
    start: { fill: 'team' },
    settings: settingsOf('always'),
  });
  const late = Promise.withResolvers<string>();
  const engine = session.begin();
  session.watchers.add((event) => {
    if (event.type === 'state.entered' && event.state === 'SESSION_REVIEW')
      void Promise.resolve()
        .then(() => joinTeam(session, engine, 'builder'))
        .then(({ name }) => name, String)
        .then(late.resolve);
  });
  await session.settle(await started(engine));
  expect(await late.promise).toBe('Error: the list is done');
  expect(session.find('worker.knocked')).toBeUndefined();
});

test('messages of workers follow their policy, and a run without them counts 0', async () => {
  const session = teamWith(three, { proofs: 'kept' });
  const engine = await started(session.begin());
  await session.clock.advanceAsync(2_000);
  const one = await joinTeam(session, engine, 'analyst');
  const two = await joinTeam(session, engine, 'analyst');
  expect(engine.state().flow?.messages).toMatchObject({ sent: 0, refused: 0 });
  for (const [kind, to, why] of [
    ['answer', null, 'broadcasts are not supported'],
    ['answer', 'all', 'broadcasts are not supported'],
    ['wake', two.name, `${two.name} has no task, and messages do not assign tasks`],
    ['wake', 'builder-9', 'unknown worker builder-9'],
    ['wake', 'analyst-1', 'the program starts analyst-1 itself'],
    ['answer', one.name, 'you cannot message yourself'],
    ['escalation', null, 'you have no task to escalate'],
  ] as const)
    expect(await one.message(kind, to), `${kind} ${to}`).toMatchObject({
      failed: true,
      body: { error: expect.stringContaining(why) },
    });
  const claimed = two.claim('research-3');
  await session.clock.advanceAsync(2_000);
  await claimed;
  expect((await one.message('wake', two.name)).body['error']).toContain('less than 2 minutes ago');
  await session.clock.advanceAsync(121_000);
  expect((await one.message('wake', two.name)).body).toEqual({ sent: true });
  expect((await one.message('wake', two.name)).body['error']).toContain('has already been woken');
  expect(engine.state().flow?.messages).toMatchObject({ sent: 1, refused: 8 });
  // It reaches the other one as data.
  await session.clock.advanceAsync(5_000);
  expect(await two.boundary()).toMatchObject({ kind: 'go', messages: [{ kind: 'INFO', unproven: true }] });
  await leave(session, engine);
});

test('a message for a worker without a task waits for its next one, and reaches no other worker', async () => {
  const session = teamWith(three, { proofs: 'kept' });
  const engine = await started(session.begin());
  await session.clock.advanceAsync(2_000);
  const one = await joinTeam(session, engine, 'analyst');
  const two = await joinTeam(session, engine, 'analyst');
  const first = one.claim('research-3');
  await session.clock.advanceAsync(2_000);
  expect((await first).body).toMatchObject({ claimed: 'research-3' });
  expect((await one.message('answer', two.name, 'It is in b.ts.')).body).toEqual({ sent: true });
  await session.clock.advanceAsync(5_000);
  expect(await one.boundary()).toMatchObject({ kind: 'go', messages: [] });
  const second = two.claim('research-4');
  await session.clock.advanceAsync(2_000);
  expect((await second).body).toMatchObject({
    claimed: 'research-4',
    work: expect.stringContaining('It is in b.ts.'),
  });
  await leave(session, engine);
});
