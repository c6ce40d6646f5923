import { describe, expect, test } from 'vitest';
import type { Step } from '../helpers/model-server/script.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { formatTimes, type SignalTimes, timesOf } from './signal-times.ts';
import { answer, closingLanes, doneOutcome, executorHeading, replies, type StoryTask } from './story.ts';
import { installedAgents, modelServer } from './world.ts';

const tasks: readonly StoryTask[] = [
  { id: 'one', file: 'one.txt', line: 'one' },
  { id: 'two', file: 'two.txt', line: 'two' },
  { id: 'three', file: 'three.txt', line: 'three' },
];

/** A reply that has begun and goes on only when the test lets it. */
const talking = (name: string): Step => ({ reply: [{ text: `I work on ${name}. ` }, { hold: name }] });

const begin = async (agent: RealAgent) => {
  const world = createProgramWorld();
  const hand = agent.hand;
  const [one, two, three] = tasks.map((task) => executorHeading(task));
  const [first, , last] = tasks;
  if (!one || !two || !three || !first || !last) throw new Error('the story has three tasks');
  const model = await modelServer(
    {
      name: 'one again',
      when: [...one, 'Louder, please'],
      steps: [
        { reply: [hand.create(world.workspace, first.file, first.line)] },
        { reply: [answer(doneOutcome(first))] },
      ],
    },
    {
      name: 'interrupted',
      when: [...one, 'Use the word blue'],
      steps: [
        ...replies(hand.ours('ask_person', { question: 'Which port?' })),
        { expects: '8080', ...talking('answered') },
      ],
    },
    { name: 'one', when: one, steps: [talking('one')] },
    { name: 'two', when: two, steps: [talking('two')] },
    {
      name: 'three',
      when: three,
      steps: [
        { reply: [hand.create(world.workspace, last.file, last.line)] },
        { reply: [{ text: 'Nearly there. ' }, { hold: 'three' }, answer(doneOutcome(last))] },
      ],
    },
    ...closingLanes.filter(({ name }) => name === 'librarian'),
  );
  world.configure({
    agents: { [agent.name]: realEntry(agent, world.home, model.url) },
    roles: { executor: agent.name, librarian: agent.name },
  });
  world.plan(...tasks);
  return { world, model };
};

describe.each(installedAgents())('$name', (agent) => {
  test('every order reaches a working agent: SET, SKIP, STEER now, ANSWER, RETRY, CANCEL, DRAIN', async () => {
    const { world, model } = await begin(agent);
    const table: string[] = [];
    const note = (type: string, times: SignalTimes): void => {
      table.push(formatTimes(agent.name, type, times));
    };
    const order = async (...args: readonly string[]): Promise<void> => {
      const { code, stdout, stderr } = await world.start(...args).done;
      expect(code, stdout + stderr).toBe(0);
    };
    const event = (type: string, words: string) =>
      world.events().find((each) => each.type === type && JSON.stringify(each).includes(words));
    /** Waits for this event in the journal. */
    const seen = async (type: string, words: string) => {
      await expect.poll(() => event(type, words)).toBeDefined();
      return event(type, words);
    };
    // Somebody is there: a question waits for the answer, and the gate for its own.
    const program = world.converse(
      'run',
      '--plan',
      'plan.yaml',
      '--permissions',
      'workspace',
      '--screen-reader',
    );

    const talk = await model.step('one', 0);
    await order('signal', 'SET', '--set', 'limits.max_attempts_total=40');
    expect(await seen('signal.handled', '"SET"')).toMatchObject({
      action_taken: 'set limits.max_attempts_total = 40',
    });
    note('SET', timesOf(world, '"SET"'));
    await order('signal', 'SKIP');
    expect(await seen('signal.pending', '"SKIP"')).toMatchObject({
      waits_for: 'waits for the lessons from this session',
    });
    expect(talk.hungUp).toBe(false);
    expect(model.requests.filter(({ kind }) => kind === 'step')).toHaveLength(1);

    await order('signal', 'STEER', 'Use the word blue', '--now', '--target', 'Executor');
    const interrupted = await model.step('interrupted', 0);
    await model.until(() => talk.hungUp);
    expect(await seen('signal.pending', 'the word blue')).toMatchObject({
      waits_for: 'reaches the agent on one now: this interrupts its reply',
    });
    await seen('signal.delivered', String((await seen('signal.claimed', 'the word blue'))?.['id']));
    note('STEER now', timesOf(world, 'the word blue', interrupted));

    await seen('question.asked', 'Which port?');
    await order('answer', 'ask:one:1', '8080');
    const answered = await model.step('interrupted', agent.hand.ours('', {}).length);
    note('ANSWER', timesOf(world, '"ANSWER"', answered));

    await order('retry', 'one', 'Louder, please');
    const again = await model.step('one again', 0);
    // The order that the attempt before took is in force in this one.
    expect(again.whole).toContain('Use the word blue');
    await model.until(() => answered.hungUp);
    note('RETRY', timesOf(world, 'Louder, please', again));

    const second = await model.step('two', 0);
    await order('cancel', 'two');
    await model.until(() => second.hungUp);
    note('CANCEL', timesOf(world, '"CANCEL"', await model.step('three', 0)));

    await model.step('three', 1);
    await order('signal', 'DRAIN');
    expect(await seen('signal.handled', '"DRAIN"')).toMatchObject({
      action_taken: 'draining: waiting for Executor on three',
    });
    note('DRAIN', timesOf(world, '"DRAIN"'));
    model.release('three');
    expect((await program.done).code).toBe(4);
    expect(world.agents()).toEqual([]);
    expect(event('signal.handled', '"SKIP"')).toBeUndefined();

    await order('resume', '--headless');
    expect(await seen('signal.handled', '"SKIP"')).toMatchObject({ checkpoint: 'Orchestrator.approval' });
    note('SKIP', timesOf(world, '"SKIP"'));
    console.log(table.join('\n'));
    expect({ problems: model.problems, left: model.left() }).toEqual({ problems: [], left: [] });
  });
});
