import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Two at once
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a1, work a2], verify: [check a]}
  - {id: b, title: B, files: [b.txt], run: [work b1, work b2], verify: [check b]}
  - {id: c, title: C, files: [c.txt], blockedBy: [a, b], run: [work c1], verify: [check c]}
`;

const createSession = () => {
  const session = createSimulatedSession({
    plan,
    program: ({ command }) => ({
      runsMs: 5_000,
      effect: () => {
        const name = String(command).split(' ')[1]?.slice(0, 1);
        session.disk.put(`/work/${name}.txt`, 'done');
      },
    }),
  });
  return session;
};

test.each(['INFO', 'STEER'] as const)(
  '%s to ALL reaches whoever works once, is guidance for later ones, and is archived once',
  async (type) => {
    const session = createSession();
    const engine = session.begin();
    await engine.start();
    while (session.all('process.started').length < 2) await session.clock.advanceAsync(100);
    const id = session.publish({ type, message: 'Use short words', from: 'kim' });
    expect(await session.settle(engine)).toMatchObject({ status: 'completed' });

    const deliveries = session.all('signal.delivered').filter((event) => event.id === id);
    const workers = session
      .all('process.started')
      .slice(0, 2)
      .map(({ invocation }) => `Executor~${invocation}`);
    expect(deliveries.map(({ recipient }) => recipient).sort()).toEqual(
      [...workers, 'Orchestrator~1'].sort(),
    );
    const later = session.all('invocation.started').filter(({ seq }) => seq > (deliveries.at(-1)?.seq ?? 0));
    expect(later.length).toBeGreaterThan(2);
    for (const { messages } of later) expect(messages.filter((message) => message.id === id)).toHaveLength(1);

    const handled = session.all('signal.handled').filter((event) => event.id === id);
    expect(handled).toHaveLength(1);
    for (const worker of workers) expect(handled[0]?.action_taken).toContain(`${worker}: `);
    const entry = session
      .mailbox()
      .list()
      .find((each) => each.id === id);
    expect(entry?.stage).toBe('processed');
    expect(entry?.handling).toMatchObject({ handled_by: 'Ralph-v2-Orchestrator' });
    expect(entry?.handling?.acks.slice().sort()).toEqual([...workers, 'Orchestrator~1'].sort());
    expect(session.all('steer.decided').filter((event) => event.id === id)).toHaveLength(
      type === 'STEER' ? 2 : 0,
    );
  },
);

test('a STEER to ALL that escalates comes to each later agent once, whichever way', async () => {
  const session = createSession();
  const engine = session.begin();
  await engine.start();
  while (session.all('process.started').length < 2) await session.clock.advanceAsync(100);
  const words = 'Write a poem instead';
  const id = session.publish({ type: 'STEER', message: words, apply: 'escalate', from: 'kim' });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  const escalated = session.all('task.escalated');
  expect(escalated.map(({ task }) => task).sort()).toEqual(['a', 'b']);
  const later = session.all('invocation.started').filter(({ seq }) => seq > (escalated[0]?.seq ?? 0));
  expect(later.map(({ mode }) => mode)).toEqual(expect.arrayContaining(['REBREAKDOWN_TASK', 'IMPLEMENT']));
  for (const { invocation, messages } of later)
    expect({ invocation, told: messages.filter(({ text }) => text.includes(words)).length }).toEqual({
      invocation,
      told: 1,
    });
  expect(session.all('signal.handled').filter((event) => event.id === id)).toHaveLength(1);
});

test('a recipient that is stopped first is struck, and the broadcast is archived all the same', async () => {
  const session = createSession();
  const engine = session.begin();
  await engine.start();
  while (session.all('process.started').length < 2) await session.clock.advanceAsync(100);
  const id = session.publish({ type: 'INFO', message: 'Use short words' });
  while (session.all('signal.delivered').filter((event) => event.id === id).length < 1)
    await session.clock.advanceAsync(100);
  const first = session.find('signal.delivered', (event) => event.id === id)?.recipient;
  const other = session.all('process.started').find(({ invocation }) => `Executor~${invocation}` !== first);
  const task = engine.state().invocations.get(other?.invocation ?? '')?.task;
  if (first === 'Orchestrator~1' || !task) throw new Error('an Executor should have been first');
  session.publish({ type: 'CANCEL', task });
  expect(await session.settle(engine)).toMatchObject({ status: 'awaiting_feedback' });
  const handled = session.all('signal.handled').filter((event) => event.id === id);
  expect(handled).toHaveLength(1);
});

test('a message for a task that has not started waits for it, and is said to', async () => {
  const session = createSession();
  const engine = session.begin();
  await engine.start();
  while (session.all('process.started').length < 2) await session.clock.advanceAsync(100);
  const id = session.publish({ type: 'STEER', task: 'c', message: 'Also greet' });
  await session.clock.advanceAsync(1_500);
  expect(engine.state().signals.get(id)).toMatchObject({
    stage: 'pending',
    waitsFor: 'waits for the next agent on c',
  });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.find('signal.handled', (event) => event.id === id)).toMatchObject({
    handled_by: 'Ralph-v2-Executor',
    checkpoint: 'Executor.0',
  });
});

test('a message that can reach nobody any more is archived as undelivered at the end', async () => {
  const session = createSession();
  const engine = session.begin();
  await engine.start();
  while (session.all('process.started').length < 2) await session.clock.advanceAsync(100);
  const planner = session.publish({ type: 'INFO', target: 'Planner', message: 'Too late' });
  const late = session.publish({
    type: 'INFO',
    target: 'Executor',
    iteration: 2,
    message: 'For the next iteration',
  });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.find('signal.undelivered', ({ id }) => id === planner)?.reason).toMatch(
    /ended first|session/,
  );
  const stages = new Map(
    session
      .mailbox()
      .list()
      .map(({ id, stage }) => [id, stage]),
  );
  expect(stages.get(planner)).toBe('processed');
  expect(stages.get(late)).toBe('pending');
});

test('a signal that a person takes back is told as withdrawn', async () => {
  const session = createSession();
  const engine = session.begin();
  await engine.start();
  while (session.all('process.started').length < 2) await session.clock.advanceAsync(100);
  const id = session.publish({ type: 'INFO', task: 'c', message: 'Never mind' });
  await session.clock.advanceAsync(1_500);
  expect(session.mailbox().withdraw(id, 'kim')).toMatchObject({ kind: 'withdrawn' });
  await session.clock.advanceAsync(1_500);
  expect(session.find('signal.withdrawn', (event) => event.id === id)?.by).toContain('kim');
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
});
