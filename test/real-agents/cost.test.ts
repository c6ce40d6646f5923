import { Buffer } from 'node:buffer';
import { describe, expect, onTestFinished, test } from 'vitest';
import { choose, startBareClient } from '../helpers/bare-client.ts';
import type { ModelRequest } from '../helpers/model-server/script.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { profileOf, startOf } from './agents.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { closingLanes, executorLane, plannerLanes, reviewerLane, threeTasks } from './story.ts';
import { installedAgents, makeHome, makeWorkspace, modelServer } from './world.ts';

/** What the same goal costs in model requests and bytes of prompts: three tasks with all roles, and the agent alone with the same tool calls. */
interface Cost {
  readonly requests: number;
  readonly bytes: number;
  readonly seconds: number;
}

const costOf = (requests: readonly ModelRequest[], began: number): Cost => ({
  requests: requests.length,
  bytes: requests.reduce((sum, { whole }) => sum + Buffer.byteLength(whole), 0),
  seconds: (Date.now() - began) / 1_000,
});

const row = (agent: string, what: string, { requests, bytes, seconds }: Cost): string =>
  `${agent} ${what}: ${requests} requests, ${Math.round(bytes / 1_000)} kB of prompts, ${seconds.toFixed(1)} s`;

/** The whole cycle, with nobody at a screen. */
const session = async (agent: RealAgent, effort: 'small' | 'full'): Promise<Cost> => {
  const world = createProgramWorld();
  const { hand } = agent;
  const model = await modelServer(
    ...plannerLanes(threeTasks),
    ...threeTasks.map((task) => executorLane(task, hand, world.workspace)),
    ...threeTasks.map((task) => reviewerLane(task, hand)),
    ...closingLanes,
  );
  world.configure({
    agents: { [agent.name]: realEntry(agent, world.home, model.url) },
    effort,
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
  test('what a goal of three tasks costs with a small and with a full effort, beside the agent alone', {
    timeout: 400_000,
  }, async () => {
    const alone = await bare(agent);
    const small = await session(agent, 'small');
    const full = await session(agent, 'full');
    console.log(
      [row(agent.name, 'alone', alone), row(agent.name, 'small', small), row(agent.name, 'full', full)].join(
        '\n',
      ),
    );
    expect(small.requests).toBeLessThanOrEqual(20);
    expect(small.requests).toBeLessThan(full.requests);
  });
});
