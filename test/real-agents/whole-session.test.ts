import { describe, expect, test } from 'vitest';
import { costOf, costRow } from './cost.ts';
import { createProgramWorld, type JournalEvent, realEntry } from './program-world.ts';
import { closingLanes, executorLane, plannerLanes, replies, reviewerLane, threeTasks } from './story.ts';
import { installedAgents, modelServer } from './world.ts';

/** The processes of agents: one that waits for the next work is reported by each. */
const pidsOf = (events: readonly JournalEvent[]): readonly unknown[] =>
  events.flatMap((event) => (event.type === 'agent.process-started' ? [event['pid']] : []));

describe.each(installedAgents())('$name', (agent) => {
  const hand = agent.hand;

  test('a whole session: plan, two tasks side by side and one after them, review, knowledge, and few starts', async () => {
    const world = createProgramWorld();
    const model = await modelServer(
      ...plannerLanes(threeTasks),
      ...threeTasks.map((task) => executorLane(task, hand, world.workspace)),
      // In the process that worked on the task, a session has our tools again.
      ...threeTasks.map((task) => reviewerLane(task, hand, replies(hand.ours('task_list', {})))),
      ...closingLanes,
    );
    world.configure({
      agents: { [agent.name]: realEntry(agent, world.home, model.url) },
      knowledge: { approval_timeout: '10m' },
    });
    const goal = [
      'run',
      'Write three files',
      '--agent',
      agent.name,
      '--permissions',
      'workspace',
      '--headless',
    ];
    const began = Date.now();
    const program = world.start(...goal);
    await program.waitFor('to keep or drop');
    expect(model.problems).toEqual([]);
    expect(model.left()).toEqual([]);
    // A person decides in a second terminal.
    expect((await world.start('approve').done).code).toBe(0);
    const { code, stdout, stderr } = await program.done;
    expect(code, stdout + stderr).toBe(0);
    expect(world.read('.docs/how-to/write-a-file.md')).toContain('# Write a file');
    for (const { file, line } of threeTasks) expect(world.read(file)).toBe(`${line}\n`);

    const started = (id: string): number =>
      world.events().findIndex((event) => event.type === 'task.started' && event['task'] === id);
    const settled = (id: string): number =>
      world.events().findIndex((event) => event.type === 'task.submitted' && event['task'] === id);
    expect(Math.max(started('left'), started('right'))).toBeLessThan(
      Math.min(settled('left'), settled('right')),
    );
    expect(world.agents()).toEqual([]);

    const cost = costOf(model.requests, began);
    console.log(costRow(agent.name, 'full, with a call of ours in each review', cost));
    // 19 without the calls of ours: two of planning, three a task, two a review, two at the end.
    const ours = threeTasks.length * hand.ours('task_list', {}).length;
    expect(cost.requests - cost.side - ours).toBe(19);
    // Gemini has a small model choose the model for each prompt; no agent asks for a title.
    expect(cost.side).toBeLessThanOrEqual(agent.name === 'gemini' ? 10 : 0);
    const processes = new Set(pidsOf(world.events()));
    expect(processes.size).toBeLessThanOrEqual(6);
  });
});
