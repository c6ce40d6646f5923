import { describe, expect, onTestFinished, test } from 'vitest';
import { choose, startBareClient } from '../helpers/bare-client.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { profileOf, startOf } from './agents.ts';
import { type Cost, costOf, costRow } from './cost.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { closingLanes, executorLane, plannerLanes, reviewerLane, threeTasks } from './story.ts';
import { installedAgents, makeHome, makeWorkspace, modelServer, replyMs } from './world.ts';

/** A session takes at most twice as long as the agent alone, where the model takes at least so long for a reply. */
const mostTimes = 2;
const thinksMs = 2_000;
/** Others work on the machine, too, and starts of programs suffer most. */
const noise = 0.3;

/** What is measured beside the agent alone. CI measures `small`; `whole-session.test.ts` counts the requests of `full`. */
const efforts = (process.env['RALPH_EFFORTS'] ?? 'small').split(',');

/** The session with nobody at a screen. */
const session = async (agent: RealAgent, effort: string): Promise<Cost> => {
  const world = createProgramWorld();
  const { hand } = agent;
  const named = modelOf(agent);
  const model = await modelServer(
    ...plannerLanes(threeTasks),
    ...threeTasks.map((task) => executorLane(task, hand, world.workspace)),
    ...(effort === 'full' ? [...threeTasks.map((task) => reviewerLane(task, hand)), ...closingLanes] : []),
  );
  world.configure({
    agents: { [agent.name]: realEntry(agent, world.home, model.url) },
    effort,
    ...(named === null ? {} : { models: Object.fromEntries(roles.map((role) => [role, named])) }),
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

const roles = ['planner', 'questioner', 'executor', 'reviewer', 'librarian'] as const;

/** With a model that is named, Gemini asks no other one which to take. */
const modelOf = ({ name }: RealAgent): string | null => (name === 'gemini' ? 'gemini-2.5-pro' : null);

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
  const modelId = modelOf(agent);
  if (modelId !== null) await client.agent.request('session/set_model', { sessionId, modelId });
  expect((await client.prompt(sessionId, 'Write three files')).stopReason).toBe('end_turn');
  expect(model.problems).toEqual([]);
  return costOf(model.requests, began);
};

describe.each(installedAgents())('$name', (agent) => {
  test.each(efforts)(
    'what a goal of three tasks costs with the effort %s, beside the agent alone',
    async (effort) => {
      const alone = await bare(agent);
      const cost = await session(agent, effort);
      const ratio = cost.seconds / alone.seconds;
      console.log(
        [
          costRow(agent.name, 'alone', alone),
          `${costRow(agent.name, effort, cost)}, ${ratio.toFixed(2)} times as long`,
        ].join('\n'),
      );
      // The plan and three tasks of three requests each; no role asks twice, and none only acknowledges. In the whole cycle the
      // questions, two a review, and two at the end.
      expect(cost.requests - cost.side).toBe(effort === 'small' ? 10 : 19);
      expect(cost.side).toBe(0);
      expect(cost.bytes).toBeLessThanOrEqual(1_200_000);
      // A model that answers at once leaves nothing but the starts of programs.
      if (replyMs >= thinksMs) expect(ratio).toBeLessThanOrEqual(mostTimes + noise);
    },
  );
});
