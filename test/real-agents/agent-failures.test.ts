import { expect, onTestFinished, test } from 'vitest';
import { type Misbehaviour, misbehaviours } from '../helpers/scripted-agent/misbehaviours.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { createProgramWorld, scriptedEntry } from './program-world.ts';
import { processes } from './world.ts';

/** `run --agent odd` with an agent that misbehaves in this way, to its end. */
const runWith = async (misbehaviour: Misbehaviour) => {
  const world = createProgramWorld();
  const agent = createScriptedAgent(world.home, misbehaviours[misbehaviour], 'odd');
  world.configure({
    agents: { odd: scriptedEntry(agent) },
    planning: { max_cycles: 0 },
    retries: { backoff: ['0s'] },
    timeouts: { abort_grace: '300ms' },
  });
  const run = ['run', 'Try it', '--agent', 'odd', '--permissions', 'workspace', '--headless'];
  const { code, stdout } = await world.start(...run).done;
  return { world, agent, code, stdout };
};

/** Exit 1: the session is blocked and says why. Exit 3: a person decides what becomes of an agent without results. */
test.each([
  ['crashes at start', 1, 'odd exited with code 3'],
  ['speaks a protocol version of the future', 1, 'odd speaks version 99 of the Agent Client Protocol'],
  ['requires a login', 1, 'odd is not logged in'],
  ['exits 0 in a turn, without a result', 1, 'odd exited with code 0'],
  ['fails in a turn', 1, 'Internal error: model overloaded'],
  ['ends a turn without a word', 3, 'ended without a result'],
  ['answers prose instead of the contract', 3, 'ended without a result'],
  ['answers with almost the contract', 3, 'tasks: is required'],
  ['refuses to work', 3, 'the model refused to answer'],
  ['runs out of tokens', 3, 'reached the token limit'],
  ['prints garbage before it speaks', 3, 'after the garbage'],
  ['prints garbage in a turn', 3, 'after the garbage'],
  ['floods with 50 MB of text', 3, 'more bytes in the log'],
  ['floods with 5,000 tool calls', 3, 'call 4999'],
  ['asks 200 permissions at once', 3, 'a Planner does not edit files'],
  ['starts a turn unprompted', 3, 'ended without a result'],
  ['forks away', 3, 'ended without a result'],
] as const)(
  'the session ends with a reason and leaves nothing running when its agent %s',
  async (misbehaviour, code, sentence) => {
    const ended = await runWith(misbehaviour);
    expect(ended.code, ended.stdout.slice(-4_000)).toBe(code);
    expect(ended.stdout).toContain(sentence);
    expect(ended.world.agents()).toEqual([]);
    if (misbehaviour === 'asks 200 permissions at once')
      expect(
        ended.agent.log().filter(({ what, kind }) => what === 'permission' && kind !== 'reject_once'),
      ).toEqual([]);
  },
);

test('the session ends with what to do when its agent is not installed', async () => {
  const world = createProgramWorld();
  world.configure({ agents: { odd: { type: 'acp', command: ['odd-agent-that-is-nowhere'] } } });
  const run = ['run', 'Try it', '--agent', 'odd', '--permissions', 'workspace', '--headless'];
  const { code, stdout, stderr } = await world.start(...run).done;
  expect(code, stdout + stderr).not.toBe(0);
  expect(stdout + stderr).toContain('odd-agent-that-is-nowhere');
  expect(stdout + stderr).toContain('PATH');
});

/** What an agent leaves behind without a marker is stopped by nobody else. */
const endLeft = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

test('ABORT names what an agent left without marker and parent as possibly left, and calls nothing verified', async () => {
  const world = createProgramWorld();
  const daemon = `sleep 90.${process.pid}`;
  const actions = [
    // Its parent ends at once: neither a marker nor the tree of processes leads to it.
    { do: 'fork', command: `(ulimit -S -m unlimited; setsid ${daemon} &)`, unmarked: true },
    { do: 'hang' },
  ] as const;
  const agent = createScriptedAgent(world.home, { turns: [{ actions }] }, 'odd');
  world.configure({
    agents: { odd: scriptedEntry(agent) },
    planning: { max_cycles: 0 },
    timeouts: { abort_grace: '300ms' },
  });
  const program = world.start('run', 'Try it', '--agent', 'odd', '--permissions', 'workspace', '--headless');
  const left = (): number | undefined => processes().find(({ command }) => command.trim() === daemon)?.pid;
  await expect.poll(left).toBeDefined();
  // The shells that started it have it in their command: nothing leads to it once they have ended.
  await expect.poll(() => processes().filter(({ command }) => command.includes(daemon))).toHaveLength(1);
  const pid = left() ?? 0;
  onTestFinished(() => endLeft(pid));
  expect((await world.start('signal', 'ABORT').done).code).toBe(0);
  expect((await program.done).code).toBe(130);
  expect(world.agents()).toEqual([]);
  expect(left()).toBe(pid);
  expect(world.events().find(({ type }) => type === 'processes.stopped')).toMatchObject({
    unverified: [pid],
  });
  const abort = world.events().findLast(({ type }) => type === 'signal.handled');
  expect(abort).toMatchObject({ action_taken: `aborted; pid ${pid} may still be running` });
});
