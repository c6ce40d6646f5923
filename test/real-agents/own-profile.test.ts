import { expect, test } from 'vitest';
import { agentVariables } from '../../src/agents/backends/acp/environment/agent-variables.ts';
import { profileOf } from './agents.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { executorLane, type StoryTask } from './story.ts';
import { installedAgents, modelServer } from './world.ts';

const task: StoryTask = { id: 'left', file: 'left.txt', line: 'left' };

test.each(installedAgents())(
  '$name works by an entry of the configuration alone: a command, variables and the mode in which it asks',
  async (agent) => {
    const world = createProgramWorld();
    const lane = executorLane(task, agent.hand, world.workspace);
    const model = await modelServer(lane);
    const { profile: _, ...entry } = realEntry(agent, world.home, model.url);
    const { askingMode, ...known } = profileOf(agent);
    const env = { ...agentVariables(known, {}), ...Object(entry['env']) };
    const mine = { ...entry, env, ...(askingMode === null ? {} : { mode: askingMode }) };
    world.configure({ agents: { mine }, roles: { executor: 'mine' }, knowledge: { gate: 'never' } });
    world.plan({ id: task.id, file: task.file });
    const run = ['run', '--plan', 'plan.yaml', '--permissions', 'workspace', '--headless'];
    const { code, stdout, stderr } = await world.start(...run).done;
    expect({ code, problems: model.problems, left: model.left() }, stdout + stderr).toEqual({
      code: 0,
      problems: [],
      left: [],
    });
    expect(world.read(task.file)).toBe(`${task.line}\n`);
    expect(world.agents()).toEqual([]);
  },
);
