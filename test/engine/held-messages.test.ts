import { expect, test } from 'vitest';
import type { Backend } from '../../src/agents/port.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const count = 40;

test('messages that an agent took and works with are looked for once in each look, however many they are', async () => {
  const taken = Promise.withResolvers<void>();
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false, asks: true },
    start: (_brief, host) => ({
      turn: async (_ask, boundary) => {
        for (let n = 0; n < count; n += 1)
          session.publish({ type: 'INFO', target: 'Executor', message: `Number ${n}` });
        const directive = await boundary();
        taken.resolve();
        await new Promise<void>((resolve) => void session.clock.after(60_000, resolve));
        for (const { id } of directive.kind === 'go' ? directive.messages : [])
          host.emit({ type: 'message.arrived', id, way: 'prompt', detail: 'with a new prompt' });
        return { kind: 'answered', answer: { status: 'completed' } };
      },
      stop: async () => {},
    }),
  };
  const session = createSimulatedSession({
    plan: `goal: Ship it\ntasks:\n  - {id: one, title: One, verify: ['true']}\n`,
    settings: { roles: { executor: 'mine' }, permissions: 'all', planning: { max_cycles: 0 } },
    instructions: () => '# Mine',
    backends: [agent],
  });
  const counted = { lists: 0, reads: 0 };
  const { readdir, openRead } = session.disk;
  Object.assign(session.disk, {
    readdir: (path: string) => {
      if (path.endsWith('/claimed')) counted.lists += 1;
      return readdir(path);
    },
    openRead: (path: string) => {
      if (path.includes('/claimed/')) counted.reads += 1;
      return openRead(path);
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const settled = session.settle(engine);
  await taken.promise;
  const { poll_interval } = engine.state().settings.signals;
  await session.clock.advanceAsync(2 * poll_interval);
  expect(session.disk.readdir(`${session.paths.signals}/claimed`)).toHaveLength(count);
  Object.assign(counted, { lists: 0, reads: 0 });
  const looks = 10;
  await session.clock.advanceAsync(looks * poll_interval);
  expect(counted.reads).toBe(0);
  expect(counted.lists).toBeLessThan((looks * count) / 2);
  await settled;
  expect(session.all('signal.withdrawn')).toEqual([]);
  expect(session.all('signal.handled')).toHaveLength(count);
});
