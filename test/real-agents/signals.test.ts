import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { limits } from '../helpers/limits.ts';
import type { ModelServer } from '../helpers/model-server/model-server.ts';
import type { Lane } from '../helpers/model-server/script.ts';
import type { Hand, RealAgent } from './agents/real-agent.ts';
import { createProgramWorld, type ProgramWorld, realEntry } from './program-world.ts';
import { formatTimes, timesOf } from './signal-times.ts';
import { answer, doneOutcome, executorLane, plannerLanes, reviewerLane, type StoryTask } from './story.ts';
import { installedAgents, modelServer, nothingAsked, processes } from './world.ts';

const task: StoryTask = { id: 'left', file: 'left.txt', line: 'left' };

/** How long the real agents are held; 150 was tried by hand. */
const pauseSeconds = Number(process.env['RALPH_PAUSE_SECONDS'] ?? 5);

/** A command that says it runs and then waits for a file: the turn stands still until the test lets it go. */
const waiting = (hand: Hand, name: string) =>
  hand.shell(`touch ${name}.runs; while [ ! -e ${name}.go ]; do sleep 0.1; done`);

/** What the Executor does once it has read the order, however it reached it. */
const steeredLane = (hand: Hand, workspace: string): Lane => ({
  ...executorLane(task, hand, workspace),
  name: 'steered',
  when: [...executorLane(task, hand, workspace).when, 'Use the word left'],
  steps: [
    { reply: [waiting(hand, 'second')] },
    { reply: [hand.shell(`echo ${task.line} > ${task.file}`)] },
    {
      reply: [
        answer({
          ...doneOutcome(task),
          steers: [{ id: 'the order', verdict: 'adjust', evidence: 'left.txt was not written yet' }],
        }),
      ],
    },
  ],
});

const begin = async (agent: RealAgent) => {
  const world = createProgramWorld();
  const hand = agent.hand;
  const plain = executorLane(task, hand, world.workspace);
  const model = await modelServer(
    ...plannerLanes([task]),
    steeredLane(hand, world.workspace),
    { ...plain, steps: [{ reply: [waiting(hand, 'first')] }, { reply: [answer(doneOutcome(task))] }] },
    {
      ...reviewerLane(task, hand),
      steps: [{ reply: [hand.look('echo reviewing; while :; do sleep 0.1; done')] }],
    },
  );
  world.configure({
    agents: { [agent.name]: realEntry(agent, world.home, model.url) },
    planning: { max_cycles: 0 },
    timeouts: { abort_grace: '1s' },
  });
  const run = ['run', 'Write a file', '--agent', agent.name, '--permissions', 'workspace', '--headless'];
  return { world, model, program: world.start(...run) };
};

const fileOf = (world: ProgramWorld, name: string): string => join(world.workspace, name);
const runs = (world: ProgramWorld, name: string) =>
  expect.poll(() => existsSync(fileOf(world, `${name}.runs`))).toBe(true);
const go = (world: ProgramWorld, name: string): void => writeFileSync(fileOf(world, `${name}.go`), '');
const signal = async (world: ProgramWorld, ...args: readonly string[]): Promise<void> => {
  expect((await world.start('signal', ...args).done).code).toBe(0);
};
/** Processes whose arguments hold a token of our tools, as others of the account can read them: any of this machine, and by the bare token ours. */
const leakingTokens = (world: ProgramWorld): readonly string[] =>
  [
    ...processes().filter(({ command }) => /Bearer (?:ralph_mcp_)?[0-9a-f]{64}/.test(command)),
    ...world.agents().filter(({ command }) => /[0-9a-f]{64}/.test(command)),
  ].map(({ pid, command }) => `${pid} ${command.replace(/[0-9a-f]{64}/g, '…')}`);
const steps = ({ requests }: ModelServer) => requests.filter(({ kind }) => kind === 'step');
/** All but side requests, such as a title. */
const own = ({ requests }: ModelServer) => requests.filter(({ kind }) => kind !== 'side');

describe.each(installedAgents())('$name', (agent) => {
  test('INFO and STEER reach a working agent, PAUSE holds it without a model request, RESUME goes on, ABORT leaves nothing', {
    timeout: limits.test + pauseSeconds * 1_000,
  }, async () => {
    const { world, model, program } = await begin(agent);
    await runs(world, 'first');
    // Claude's SDK puts the headers of MCP servers into its arguments, where others of the account can read them. These agents do not.
    expect(leakingTokens(world)).toEqual([]);
    await signal(world, 'INFO', 'The person likes short files');
    await signal(world, 'STEER', 'Use the word left');
    await program.waitFor(/STEER "Use the word left" (?:reaches|waits|will) /);
    go(world, 'first');

    const heard = await model.step('steered', 0);
    expect(heard.whole).toContain('The person likes short files');
    await runs(world, 'second');
    await signal(world, 'PAUSE');
    await program.waitFor('pausing');
    go(world, 'second');
    // The next command needs a permission, which is held as well as a turn that has ended.
    await program.waitFor(/\bpaused\b|left echo left/);
    const heldSince = Date.now();
    const held = own(model).length;
    // A side request may still be on its way: it is over when nothing was asked for so long.
    await nothingAsked(model, pauseSeconds * 1_000);
    expect(own(model)).toHaveLength(held);

    await signal(world, 'RESUME');
    await model.step('reviewer left', 0);
    const resumed = steps(model).find(({ at }) => at > heldSince);
    expect(steps(model).filter(({ lane }) => lane === 'steered')).toHaveLength(3);
    const decided = world.events().find(({ type }) => type === 'steer.decided');
    expect(decided).toMatchObject({ verdict: 'adjust' });
    await expect.poll(() => world.agents().some(({ command }) => command.includes('sleep'))).toBe(true);

    await signal(world, 'ABORT');
    expect((await program.done).code).toBe(130);
    expect(world.agents()).toEqual([]);
    expect(model.problems).toEqual([]);
    const next = { 'short files': heard, 'the word left': heard, '"RESUME"': resumed };
    for (const [words, request] of Object.entries({ ...next, '"PAUSE"': undefined, '"ABORT"': undefined }))
      console.log(formatTimes(agent.name, words, timesOf(world, words, request)));
  });
});
