import { describe, expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Fail
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a], verify: [check a]}
`;

const createSession = () => {
  const session = createSimulatedSession({
    plan,
    program: () => ({ runsMs: 2_000, effect: () => session.disk.put('/work/a.txt', 'done') }),
  });
  return session;
};

test('feedback after the end starts iteration 2, and what was not decided about is carried into it', async () => {
  const session = createSession();
  const engine = session.begin();
  session.watchers.add((event) => {
    // Steered once: what was learnt from it is known to the first iteration only.
    if (event.type === 'process.started' && !session.find('signal.pending'))
      session.publish({ type: 'STEER', target: 'Executor', message: 'Also greet', apply: 'adjust' });
  });
  await engine.start();
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  const first = session.find('knowledge.staged')?.files ?? [];
  expect(first.length).toBeGreaterThan(0);
  const directory = `${session.paths.iteration(2).feedbacks}/20260215-120000`;
  session.disk.mkdir(directory);
  session.disk.put(
    `${directory}/feedbacks.md`,
    '---\niteration: 2\n---\n# Feedback\n## Critical Issues\n- [ ] **ISS-001**: The task `a` is wrong\n  - Evidence: a.txt\n',
  );
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'completed' });
  expect(again.state().iteration).toBe(2);
  expect(session.find('iteration.started')).toMatchObject({ iteration: 2 });
  const metadata = session.disk.text(session.paths.metadata);
  expect(metadata).toMatch(/iteration: 2/);
  expect(session.disk.text(session.paths.iteration(2).progress)).toContain(
    '## Replanning Progress (Iteration 2)',
  );
  expect(session.disk.text(session.paths.iteration(2).plan)).toContain('Replanning History (Iteration 2)');
  const second = session.all('knowledge.staged').at(-1);
  expect(second?.carried.length).toBeGreaterThan(0);
  for (const file of second?.carried ?? []) {
    expect(first).toContain(file);
    const text = session.disk.text(`${session.paths.iteration(2).knowledge}/${file}`);
    expect(text).toContain('carried_from_iteration: 1');
  }
});

test('written feedback needs an agent with a model, and the finished iteration keeps its result', async () => {
  const session = createSession();
  const engine = session.begin();
  await engine.start();
  expect(await session.settle(engine)).toMatchObject({ status: 'completed', exitCode: 0 });
  const directory = `${session.paths.iteration(2).feedbacks}/20260215-120000`;
  session.disk.mkdir(directory);
  session.disk.put(
    `${directory}/feedbacks.md`,
    '---\niteration: 2\n---\n# Feedback\n## Critical Issues\n- [ ] **ISS-001**: The page is ugly\n',
  );
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(again.state()).toMatchObject({ iteration: 1, state: 'COMPLETE' });
  expect([...again.state().tasks.values()].map(({ status }) => status)).toEqual(['done']);
  expect(again.state().problems.map(({ what }) => what)).toContain(
    'written feedback needs an agent with a model',
  );
});

describe('what waits beside new feedback', () => {
  const withFeedback = async (send: (session: ReturnType<typeof createSession>) => void) => {
    const session = createSession();
    const engine = session.begin();
    await engine.start();
    expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
    const directory = `${session.paths.iteration(2).feedbacks}/20260215-120000`;
    session.disk.mkdir(directory);
    session.disk.put(
      `${directory}/feedbacks.md`,
      '---\niteration: 2\n---\n# Feedback\n## Critical Issues\n- [ ] **ISS-001**: The task `a` is wrong\n  - Evidence: a.txt\n',
    );
    send(session);
    const again = session.resume();
    expect(await again.start()).toBeNull();
    expect(await session.settle(again)).toMatchObject({ status: 'completed' });
    expect(again.state().iteration).toBe(2);
    return { session, state: again.state() };
  };

  test('and names no iteration goes into the one that the feedback starts', async () => {
    const { session, state } = await withFeedback(({ publish }) => {
      publish({ type: 'INFO', target: 'ALL', message: 'Mind the port' });
      publish({ type: 'STEER', target: 'Executor', message: 'Also greet', apply: 'adjust' });
    });
    expect(session.all('signal.undelivered')).toEqual([]);
    expect(session.all('signal.delivered').map(({ message }) => message?.text)).toEqual([
      'Mind the port',
      'Also greet',
    ]);
    // Guidance that the orchestrator took just before the iteration began stands in it.
    expect(state.standing.map(({ text }) => text)).toContain('Mind the port');
  });

  test('and names the ended iteration is put aside, as `signal` says when it sends it', async () => {
    const { session, state } = await withFeedback(({ publish }) =>
      publish({ type: 'INFO', target: 'ALL', message: 'Mind the port', iteration: 1 }),
    );
    expect(session.all('signal.undelivered')).toMatchObject([{ reason: 'the session ended' }]);
    expect(state.standing).toEqual([]);
  });
});

describe('beside a task that is opened again', () => {
  const withRetry = async (
    send: (publish: ReturnType<typeof createSession>['publish'], retry: () => void) => void,
  ) => {
    const session = createSession();
    const engine = session.begin();
    await engine.start();
    expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
    const publish: typeof session.publish = (signal) => {
      session.clock.advance(1_000);
      return session.publish(signal);
    };
    send(publish, () => void publish({ type: 'RETRY', task: 'a', message: 'Once more', iteration: 1 }));
    const again = session.resume();
    expect(await again.start()).toBeNull();
    expect(await session.settle(again)).toMatchObject({ status: 'completed' });
    const words = (type: 'signal.handled' | 'signal.undelivered' | 'signal.delivered') =>
      session
        .all(type)
        .flatMap((event) => ('signal' in event ? (event.signal.message ?? '') : (event.message?.text ?? '')));
    return { words, standing: again.state().standing.map(({ text }) => text) };
  };

  test.each([{ iteration: 1 }, {}])('what was sent after that goes to its agents: %o', async (named) => {
    const { words, standing } = await withRetry((publish, retry) => {
      retry();
      publish({ type: 'INFO', target: 'ALL', message: 'Mind the port', ...named });
      publish({ type: 'INFO', target: 'Executor', message: 'Also greet', ...named });
    });
    expect(words('signal.undelivered')).toEqual([]);
    expect(words('signal.handled')).toEqual(
      expect.arrayContaining(['Once more', 'Mind the port', 'Also greet']),
    );
    expect(standing).toEqual(['Mind the port']);
  });

  test.each([{ iteration: 1 }, {}])(
    'what was sent to the ended session before is put aside, and what came between two of them is not: %o',
    async (named) => {
      const { words, standing } = await withRetry((publish, retry) => {
        publish({ type: 'INFO', target: 'ALL', message: 'Mind the port', ...named });
        publish({ type: 'STEER', target: 'Executor', message: 'Also greet', apply: 'adjust', ...named });
        retry();
        publish({ type: 'INFO', target: 'ALL', message: 'Mind the host', ...named });
        retry();
      });
      expect(words('signal.undelivered').sort()).toEqual(['Also greet', 'Mind the port']);
      expect(words('signal.delivered')).not.toContain('Mind the port');
      expect(words('signal.handled')).toContain('Mind the host');
      expect(standing).toEqual(['Mind the host']);
    },
  );
});
