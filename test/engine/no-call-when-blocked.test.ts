import { expect, test } from 'vitest';
import type { Event } from '../../src/pipeline/event.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Fill up
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

test.each(['checkpoint.reached', 'task.started'] as const)(
  'no agent is called any more when the disk is found full at %s, just before the call',
  async (moment) => {
    const calls: string[] = [];
    const session = createSimulatedSession({
      plan,
      wrap: (backend) => ({
        ...backend,
        start: (brief, host) => {
          const worker = backend.start(brief, host);
          return {
            stop: (why) => worker.stop(why),
            turn: (ask, boundary) => {
              if (!engine.state().running) calls.push(brief.invocation);
              return worker.turn(ask, boundary);
            },
          };
        },
      }),
    });
    const engine = session.begin();
    const fill = (event: Event): void => {
      const isExecutor = event.type === 'checkpoint.reached' && event.agent === 'Executor';
      if (event.type === moment && (isExecutor || moment === 'task.started')) session.disk.setSpace(0);
    };
    session.watchers.add(fill);
    await engine.start();
    expect(await session.settle(engine)).toMatchObject({ status: 'blocked' });
    expect(calls).toEqual([]);
  },
);
