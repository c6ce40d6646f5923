import { describe, expect, onTestFinished, test } from 'vitest';
import { choose, startBareClient } from '../helpers/bare-client.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { profileOf, startOf } from './agents.ts';
import { type Cost, costOf, costRow } from './cost.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { executorLane, plannerLanes, threeTasks } from './story.ts';
import { installedAgents, makeHome, makeWorkspace, modelServer } from './world.ts';

/** The session with a small effort, with nobody at a screen. */
const session = async (agent: RealAgent): Promise<Cost> => {
  const world = createProgramWorld();
  const { hand } = agent;
  const model = await modelServer(
    ...plannerLanes(threeTasks),
    ...threeTasks.map((task) => executorLane(task, hand, world.workspace)),
  );
  world.configure({
    agents: { [agent.name]: realEntry(agent, world.home, model.url) },
    effort: 'small',
    knowledge: { gate: 'never' },
  });
  const began = Date.now();
  const run = ['run', 'Write files', '--agent', agent.name, '--permissions', 'workspace', '--headless'];
  const { code, stdout, stderr } = await world.start(...run).done;
  expect(code, stdout + stderr).toBe(0);
  expect(model.problems).toEqual([]);
  for (const { file, line } of threeTasks) expect(world.read(file)).toBe(`${line}\n`);
  return costOf(model.requests, began);
};

/** The same tool calls in one conversation of the agent itself. */
const bare = async (agent: RealAgent): Promise<Cost> => {
  const home = makeHome();
  const workspace = makeWorkspace(home);
  const { hand } = agent;
  const model = await modelServer({
    name: 'bare',
    when: [],
    steps: [
      ...threeTasks.flatMap((task) => executorLane(task, hand, workspace).steps.slice(0, 2)),
      { reply: [{ text: 'All done.' }] },
    ],
  });
  const began = Date.now();
  const client = startBareClient({
    ...startOf(agent, home, model.url),
    cwd: workspace,
    permission: (request) => choose(request, 'allow_once'),
  });
  onTestFinished(async () => {
    await client.end();
  });
  await client.initialize();
  const { sessionId } = await client.newSession([]);
  const { askingMode: modeId } = profileOf(agent);
  if (modeId !== null) await client.agent.request('session/set_mode', { sessionId, modeId });
  expect((await client.prompt(sessionId, 'Write three files')).stopReason).toBe('end_turn');
  expect(model.problems).toEqual([]);
  return costOf(model.requests, began);
};

describe.each(installedAgents())('$name', (agent) => {
  test('what a goal of three tasks costs with a small effort, beside the agent alone', {
    timeout: 400_000,
  }, async () => {
    const alone = await bare(agent);
    const small = await session(agent);
    console.log([costRow(agent.name, 'alone', alone), costRow(agent.name, 'small', small)].join('\n'));
    // The plan and three tasks of three requests each; no role asks twice, and none only acknowledges.
    expect(small.requests - small.side).toBe(10);
    expect(small.side).toBeLessThanOrEqual(agent.name === 'gemini' ? 4 : 0);
  });
});
