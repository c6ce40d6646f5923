import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const diamond = `goal: Build the diamond
tasks:
  - id: top
    title: The top
    files: [top.txt]
    run: [make top]
    verify: [check top]
  - id: left
    title: The left side
    blockedBy: [top]
    files: [left.txt]
    run: [make left]
    verify: [check left]
  - id: right
    title: The right side
    blockedBy: [top]
    files: [right.txt]
    run: [make right]
    verify: [check right]
  - id: bottom
    title: The bottom
    blockedBy: [left, right]
    files: [bottom.txt]
    run: [make bottom]
    verify: [check bottom]
`;

test('a diamond whose right side fails its review once runs to its end on simulated parts', async () => {
  let checks = 0;
  const session = createSimulatedSession({
    plan: diamond,
    program: (command) => {
      const words = String(command.command).split(' ');
      if (words[0] === 'make')
        return {
          runsMs: 500,
          output: [{ text: `making ${words[1]}\n` }],
          effect: () => session.disk.put(`/work/${words[1]}.txt`, 'made'),
        };
      if (words[1] === 'right') {
        checks += 1;
        return { runsMs: 100, exit: checks === 1 ? 1 : 0 };
      }
      return { runsMs: 100 };
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const end = await session.settle(engine);
  expect(end).toEqual({ status: 'completed', reason: 'completed', exitCode: 0, unverified: [] });
  const state = engine.state();
  expect([...state.tasks.values()].map((task) => [task.definition.id, task.status, task.attempt])).toEqual([
    ['top', 'done', 1],
    ['left', 'done', 1],
    ['right', 'done', 2],
    ['bottom', 'done', 1],
  ]);
});
