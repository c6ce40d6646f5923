import { expect, test } from 'vitest';
import type { Criterion } from '../../src/agents/answers.ts';
import {
  commandAgentSchema,
  createCommandBackend,
} from '../../src/agents/backends/command/create-command-backend.ts';
import { withCodeTurns } from '../../src/agents/backends/with-code-turns.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Greet
tasks:
  - id: one
    title: One
    files: [one.txt, more.txt]
    criteria: [it greets, one.txt exists, more.txt is complete, the tests pass]
    run: [say one]
    verify: [{cmd: look one, shows: the tests pass}]
`;

/** A session whose Reviewer is an agent with this answer; `makes`: the files of the attempt. */
const reviewedAs = async (
  criteria: readonly Partial<Criterion>[],
  { attended = false, makes = ['one.txt', 'more.txt'], review = 'agent' as const } = {},
) => {
  const session = createSimulatedSession({
    plan,
    attended,
    instructions: (mode) => `# ${mode}`,
    settings: {
      roles: { reviewer: 'mine' },
      planning: { max_cycles: 0 },
      commit: true,
      review,
      retries: { max_attempts: 1, backoff: [0] },
    },
    program: ({ input }) => ({
      output:
        input === undefined
          ? []
          : [
              {
                afterMs: 1,
                text: `${JSON.stringify(/^# SESSION_REVIEW$/mu.test(input) ? { assessment: 'ok', goals_achieved: true } : { verdict: 'Qualified', criteria, reasoning: 'fine' })}\n`,
              },
            ],
      runsMs: 2,
      effect: () => {
        for (const file of makes) session.disk.put(`/work/${file}`, 'x');
      },
    }),
    livingBackends: (clock, scripted) => {
      const { disk, random, spawn } = session;
      const agent = commandAgentSchema.parse({ type: 'command', command: ['mine'] });
      return [
        withCodeTurns(createCommandBackend({ disk, spawn, clock, random, env: {} }, 'mine', agent), scripted),
      ];
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  return { session, engine };
};

const met = (criterion: string, evidence = 'seen'): Criterion => ({ criterion, status: 'met', evidence });

const all = [met('it greets'), met('more.txt is complete')];

test.each([
  ['names no criterion', []],
  ['calls one met without evidence', [met('it greets', ' '), met('more.txt is complete')]],
  [
    'says itself that it did not check one',
    [{ ...met('it greets'), status: 'not checked' as const }, met('more.txt is complete')],
  ],
])('a review of an agent that %s makes no task done: a person is asked', async (_, criteria) => {
  const { session, engine } = await reviewedAs(criteria);
  expect(await session.settle(engine)).toMatchObject({ exitCode: 3 });
  expect(session.all('task.qualified')).toEqual([]);
  expect(session.find('question.asked')).toMatchObject({
    kind: 'review',
    text: expect.stringContaining('Its review shows nothing for "it greets"'),
  });
  session.publish({ type: 'ANSWER', request: 'review:one:1', message: 'accept' });
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(session.all('task.qualified')).toHaveLength(1);
});

test('what verify or a file proves needs no word of the review', async () => {
  const { session, engine } = await reviewedAs(all);
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  expect(session.all('question.asked')).toEqual([]);
  expect(session.all('task.qualified')).toHaveLength(1);
});

test('a criterion about a declared file that does not exist is not met, whatever the review says', async () => {
  const { session, engine } = await reviewedAs(all, { makes: ['one.txt'] });
  expect(await session.settle(engine)).toMatchObject({ exitCode: 1 });
  expect(session.find('task.failed')).toMatchObject({
    reason: 'review: "more.txt is complete" is not met: `more.txt` does not exist',
  });
});
