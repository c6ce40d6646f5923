import { setTimeout as pass } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limits } from '../helpers/limits.ts';
import type { ModelServer } from '../helpers/model-server/model-server.ts';
import type { ModelRequest } from '../helpers/model-server/script.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { createProgramWorld, type ProgramWorld, realEntry } from './program-world.ts';
import { answer, doneOutcome, executorHeading, replies, type StoryTask } from './story.ts';
import { installedAgents, modelServer, nothingAsked } from './world.ts';

/** How long nothing may be asked of a model; longer than a question waits in its call. */
const seconds = Math.max(50, Number(process.env['RALPH_HOLD_SECONDS'] ?? 150));

const task: StoryTask = { id: 'left', file: 'left.txt', line: 'left' };

const begin = async (agent: RealAgent, first: 'talks' | 'asks') => {
  const world = createProgramWorld();
  const hand = agent.hand;
  const model = await modelServer({
    name: 'held',
    when: executorHeading(task),
    steps: [
      ...(first === 'talks'
        ? [{ reply: [{ text: 'Half of it. ' }, { hold: 'go' }, { text: 'The rest later.' }] }]
        : [
            ...replies(hand.ours('ask_person', { question: 'Which port?' })),
            { expects: 'End your turn now', reply: [{ text: 'I wait for the answer.' }] },
          ]),
      { reply: [hand.create(world.workspace, task.file, task.line)] },
      { reply: [answer(doneOutcome(task))] },
    ],
  });
  world.configure({
    agents: { [agent.name]: realEntry(agent, world.home, model.url) },
    roles: { executor: agent.name, librarian: 'script' },
  });
  world.plan({ id: task.id, file: task.file });
  const run = ['run', '--plan', 'plan.yaml', '--permissions', 'workspace', '--screen-reader'];
  return { world, model, program: world.converse(...run) };
};

/** So long without a request, and those of the agent's start are over, however slow the machine is. */
const quietMs = 10_000;

/** Requests of the agent while it has to wait, side requests included. */
const requestsMeanwhile = async (model: ModelServer): Promise<readonly ModelRequest[]> => {
  await nothingAsked(model, quietMs);
  const before = model.requests.length;
  await pass(seconds * 1_000);
  return model.requests.slice(before);
};

const order = async (world: ProgramWorld, ...args: readonly string[]): Promise<void> => {
  const { code, stdout, stderr } = await world.start(...args).done;
  expect(code, stdout + stderr).toBe(0);
};

const seen = (world: ProgramWorld, type: string) =>
  expect.poll(() => world.events().some((event) => event.type === type)).toBe(true);

const paused = async (agent: RealAgent): Promise<readonly ModelRequest[]> => {
  const { world, model } = await begin(agent, 'talks');
  await model.step('held', 0);
  await order(world, 'signal', 'PAUSE');
  model.release('go');
  await seen(world, 'hold.begun');
  const meanwhile = await requestsMeanwhile(model);
  await order(world, 'signal', 'RESUME');
  await model.step('held', 2);
  expect(model.problems).toEqual([]);
  // Its process waited: starting it again would delay RESUME by what a start takes.
  const began = world.events().filter(({ type }) => type === 'agent.process-started');
  expect(began.map((event) => event['pid'])).toEqual([began[0]?.['pid'], began[0]?.['pid']]);
  return meanwhile;
};

const asked = async (agent: RealAgent): Promise<readonly ModelRequest[]> => {
  const { world, model } = await begin(agent, 'asks');
  await seen(world, 'question.asked');
  const meanwhile = await requestsMeanwhile(model);
  await order(world, 'answer', 'ask:left:1', '8080');
  const last = agent.hand.ours('', {}).length + 2;
  expect((await model.step('held', last - 1)).whole).toContain('8080');
  await model.step('held', last);
  expect(model.problems).toEqual([]);
  return meanwhile;
};

test('a paused agent and one that asked a person call no model, and go on when they may', {
  timeout: limits.test + seconds * 1_000,
}, async () => {
  const agents = installedAgents();
  const found = await Promise.all(
    agents.map(async (agent) => Promise.all([agent.name, paused(agent), asked(agent)] as const)),
  );
  for (const [name, whilePaused, whileAsking] of found) {
    expect(whilePaused, name).toEqual([]);
    // Its call waits for 45 s; then the agent is told to end its turn. That is the one request; Codex gives the conversation a title after it.
    const [turnEnd, ...more] = whileAsking.filter(({ kind }) => kind !== 'side');
    expect(more, name).toEqual([]);
    expect(
      whileAsking.filter(({ at }) => Math.abs(at - (turnEnd?.at ?? 0)) > 20_000),
      name,
    ).toEqual([]);
  }
});
