import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Part } from '../helpers/model-server/script.ts';
import type { Hand, RealAgent } from './agents/real-agent.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { executorHeading, type StoryTask } from './story.ts';
import { installedAgents, modelServer } from './world.ts';

const task: StoryTask = { id: 'left', file: 'left.txt', line: 'left' };

/** What the agent does when an order comes, in each of its steps. */
const states: Readonly<Record<string, (hand: Hand, step: number) => Part[]>> = {
  streaming: (_, step) => [{ text: 'Half of it. ' }, { hold: `reply ${step}` }],
  'in a tool': (hand, step) => [
    hand.shell(`touch ${step}.runs; until [ -e ${step}.go ]; do sleep 0.1; done`),
  ],
  silent: (_, step) => [{ hold: `reply ${step}` }, { text: 'All of it.' }],
};

/** More than any agent takes for three orders. */
const steps = Array.from({ length: 12 }, (_, step) => step);
/** A command that runs when the order comes ends so much later. */
const toolMs = 3_000;
/** A reply that streams or is silent when the order comes would end so much later. */
const replyMs = 40_000;

const begin = async (agent: RealAgent, state: string) => {
  const world = createProgramWorld();
  const parts = states[state];
  if (parts === undefined) throw new Error(`no state ${state}`);
  const model = await modelServer({
    name: 'held',
    when: executorHeading(task),
    steps: steps.map((step) => ({ reply: parts(agent.hand, step) })),
  });
  world.configure({
    agents: { [agent.name]: realEntry(agent, world.home, model.url) },
    roles: { executor: agent.name, librarian: 'script' },
    timeouts: { abort_grace: '1s' },
  });
  world.plan({ id: task.id, file: task.file });
  const run = ['run', '--plan', 'plan.yaml', '--permissions', 'workspace', '--screen-reader'];
  const program = world.converse(...run);
  const asked = () => model.requests.filter(({ kind }) => kind === 'step');
  const file = (name: string): string => join(world.workspace, name);
  /** The agent is in its state; gives the number of its step. */
  const settled = async (): Promise<number> => {
    await expect.poll(() => asked().length).toBeGreaterThan(0);
    if (state === 'in a tool') await expect.poll(() => existsSync(file(`${last()}.runs`))).toBe(true);
    return last();
  };
  const last = (): number => asked().at(-1)?.step ?? -1;
  /** Sends an order, and ends the command or the reply a while later. Gives when it was sent. */
  const order = async (...args: readonly string[]): Promise<number> => {
    const step = last();
    expect((await world.start('signal', ...args).done).code).toBe(0);
    const at = Date.now();
    if (state === 'in a tool') void pass(toolMs).then(() => writeFileSync(file(`${step}.go`), ''));
    else void pass(replyMs).then(() => model.release(`reply ${step}`));
    return at;
  };
  return { world, program, settled, order, asked };
};

/** Milliseconds from each order to what follows it: the pause holds; the next request is asked; a request has the words. */
const measured = async (agent: RealAgent, state: string) => {
  const { world, program, settled, order, asked } = await begin(agent, state);
  const since = (at: number) => asked().filter((request) => request.at >= at);
  const heldAt = (): number =>
    Date.parse(world.events().findLast(({ type }) => type === 'hold.begun')?.at ?? '') || 0;
  const carried = async (at: number, words: string): Promise<number> => {
    const found = () => since(at).find(({ whole }) => whole.includes(words))?.at;
    await expect.poll(found).toBeDefined();
    return (found() ?? 0) - at;
  };

  await settled();
  const paused = await order('PAUSE');
  await expect.poll(heldAt).toBeGreaterThan(paused);
  const pause = heldAt() - paused;
  await pass(Math.max(0, 35_000 - pause));
  expect(since(paused + 30_000)).toEqual([]);
  const whilePaused = since(paused).length;
  const resumed = await order('RESUME');
  await expect.poll(() => since(resumed).length).toBeGreaterThan(0);
  const resume = (since(resumed)[0]?.at ?? 0) - resumed;

  await settled();
  const steer = await carried(await order('STEER', 'Use the word blue'), 'the word blue');
  await settled();
  const now = await carried(await order('STEER', 'Use the word red', '--now'), 'the word red');
  expect((await world.start('signal', 'ABORT').done).code).toBe(0);
  await program.done;
  return { pause, whilePaused, resume, steer, now };
};

/** Mostly waiting, and for the tables of the READMEs: `RALPH_STEERING=1` measures it. */
describe.skipIf(process.env['RALPH_STEERING'] === undefined).each(installedAgents())('$name', (agent) => {
  test('how long each order takes, whatever the agent does', async () => {
    const found = await Promise.all(
      Object.keys(states).map(async (state) => [state, await measured(agent, state)] as const),
    );
    console.log(found.map(([state, times]) => `${agent.name} ${state}: ${JSON.stringify(times)}`).join('\n'));
    for (const [state, { pause }] of found) expect(pause, state).toBeLessThan(30_000);
  });
});
