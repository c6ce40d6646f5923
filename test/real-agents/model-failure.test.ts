import { describe, expect, test } from 'vitest';
import { createProgramWorld, realEntry } from './program-world.ts';
import { executorHeading, type StoryTask } from './story.ts';
import { installedAgents, modelServer } from './world.ts';

const task: StoryTask = { id: 'left', file: 'left.txt', line: 'left' };

/** Codex alone: Gemini CLI tries a 500 again for minutes, silently. */
const agents = installedAgents().filter(({ name }) => name === 'codex');

describe.each(agents)('$name', (agent) => {
  test('a model that fails is no result of the agent, and the sentence says what it said', async () => {
    const world = createProgramWorld();
    const model = await modelServer({
      name: 'failing',
      when: executorHeading(task),
      steps: Array.from({ length: 20 }, () => ({ fail: 500 })),
    });
    world.configure({
      agents: { [agent.name]: realEntry(agent, world.home, model.url) },
      roles: { executor: agent.name },
      retries: { backoff: ['0s'] },
    });
    world.plan({ id: task.id, file: task.file });
    const run = ['run', '--plan', 'plan.yaml', '--permissions', 'workspace', '--headless'];
    const { code, stdout } = await world.start(...run).done;
    expect(code, stdout).toBe(3);
    expect(stdout).toMatch(
      /ended without a result: the reply contains no JSON object, after ".*currently experiencing/,
    );
    expect(world.events().filter(({ type }) => type === 'task.submitted')).toEqual([]);
    expect(world.agents()).toEqual([]);
    expect(model.problems).toEqual([]);
  });
});
