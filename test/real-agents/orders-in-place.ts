import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { limits } from '../helpers/limits.ts';
import type { ModelRequest, Step } from '../helpers/model-server/script.ts';
import { canSsh } from '../helpers/ssh-machine.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { openPlace, type PlaceName } from './runner-places.ts';
import { formatTimes, timesOf } from './signal-times.ts';
import { answer, doneOutcome, executorHeading, replies, type StoryTask } from './story.ts';
import { installedAgents, modelServer } from './world.ts';

// In CI a missing sshd is a failure, not a reason to skip.
const isThere = process.env['CI'] !== undefined || canSsh();
if (!isThere) console.log('skipped: real agents over ssh (openssh-server is not installed)');

const tasks: readonly StoryTask[] = ['left', 'two', 'three'].map((id) => ({
  id,
  file: `${id}.txt`,
  line: id,
}));

/** How long the network is cut while the real agent works. */
const cutSeconds = Number(process.env['RALPH_CUT_SECONDS'] ?? 30);

const begin = async (agent: RealAgent, placeName: PlaceName) => {
  const place = await openPlace(agent, placeName);
  const { world, gates, machine } = place;
  const { hand } = agent;
  /** A command that says it runs and then stands still until the test lets it go. */
  const waiting = (name: string): Step => ({
    reply: [
      hand.shell(
        `mkdir -p ${gates}; touch ${gates}/${name}.runs; while [ ! -e ${gates}/${name}.go ]; do sleep 0.1; done`,
      ),
    ],
  });
  const [left, two, three] = tasks;
  if (!left || !two || !three) throw new Error('the story has three tasks');
  const model = await modelServer(
    {
      name: 'steered',
      when: [...executorHeading(left), 'Use the word left'],
      steps: [
        waiting('second'),
        { reply: [hand.shell(`${place.tries}echo ${left.line} > ${left.file}`)] },
        ...replies(hand.ours('ask_person', { question: 'Which port?' })),
        { expects: '8080', ...waiting('third') },
        {
          reply: [
            answer({
              ...doneOutcome(left),
              steers: [{ id: 'the order', verdict: 'adjust', evidence: 'left.txt was not written yet' }],
            }),
          ],
        },
      ],
    },
    {
      name: 'plain',
      when: executorHeading(left),
      steps: [waiting('first'), ...[1, 2].map(() => ({ reply: [answer(doneOutcome(left))] }))],
    },
    { name: 'two', when: executorHeading(two), steps: [waiting('fourth')] },
    { name: 'three', when: executorHeading(three), steps: [waiting('fifth')] },
  );
  const { entry, runners } = await place.open(model.url);
  world.configure({
    isolation: 'worktree',
    agents: { [agent.name]: entry },
    roles: { executor: agent.name, librarian: 'script' },
    runners,
    on: { executor: placeName },
  });
  world.plan(...tasks);
  const program = world.converse(
    'run',
    '--plan',
    'plan.yaml',
    '--permissions',
    // Behind the fence it is the fence that has to hold.
    placeName === 'jail' ? 'all' : 'workspace',
    '--screen-reader',
  );
  return { world, model, machine, program, place };
};

/** Orders of every kind reach each installed agent in these places. The places are tests of two files: two workers share them. */
export const ordersReach = (placesOf: (agent: RealAgent) => readonly PlaceName[]): void =>
  describe.runIf(isThere).each(installedAgents().flatMap((agent) => [{ agent, name: agent.name }]))(
    '$name',
    ({ agent }) => {
      test.each(placesOf(agent))(
        'on %s: INFO, STEER, PAUSE, RESUME, a permission, a question, CANCEL and ABORT reach the agent, and a cut loses nothing',
        {
          timeout: limits.test + cutSeconds * 1_000,
        },
        async (placeName) => {
          const { world, model, machine, program, place } = await begin(agent, placeName);
          const table: string[] = [];
          const note = (words: string, request?: ModelRequest): void => {
            table.push(formatTimes(`${agent.name} ${placeName}`, words, timesOf(world, words, request)));
          };
          const runs = (name: string) =>
            expect.poll(() => existsSync(join(place.gatesHere(), `${name}.runs`))).toBe(true);
          const go = (name: string): void => writeFileSync(join(place.gatesHere(), `${name}.go`), '');
          const order = async (...args: readonly string[]): Promise<void> => {
            const { code, stdout, stderr } = await world.start(...args).done;
            expect(code, stdout + stderr).toBe(0);
          };
          const seen = (type: string, words: string) =>
            expect
              .poll(() =>
                world.events().some((each) => each.type === type && JSON.stringify(each).includes(words)),
              )
              .toBe(true);
          const { worksAt } = place;

          await runs('first');
          await order('signal', 'INFO', 'The person likes short files');
          await order('signal', 'STEER', 'Use the word left');
          await program.waitFor('Use the word left');
          await seen('signal.pending', 'Use the word left');
          go('first');
          const heard = await model.step('steered', 0);
          expect(heard.whole).toContain('The person likes short files');
          note('short files', heard);
          note('the word left', heard);

          await runs('second');
          await order('signal', 'PAUSE');
          await seen('signal.claimed', '"PAUSE"');
          await pass(1_000);
          go('second');
          await seen('hold.begun', '');
          note('"PAUSE"');
          const heldSince = Date.now();
          // One that was on its way when the hold began is read later where the machine is slow.
          await pass(1_000);
          const held = model.requests.length;
          await pass(3_000);
          expect(model.requests).toHaveLength(held);
          await order('signal', 'RESUME');
          const resumed = await model.step('steered', 2);
          note(
            '"RESUME"',
            model.requests.find(({ at, kind }) => kind === 'step' && at > heldSince) ?? resumed,
          );

          await seen('question.asked', 'Which port?');
          await order('answer', 'ask:left:1', '8080');
          const last = 2 + agent.hand.ours('', {}).length;
          note('"ANSWER"', await model.step('steered', last));
          await runs('third');
          if (machine !== null && placeName === 'gpu') {
            const reached = () => world.events().filter(({ type }) => type === 'runner.reached').length;
            machine.down();
            // A machine under load may have lost and found it before: what counts is how it stands now.
            await expect
              .poll(
                () => world.events().findLast(({ type }) => /^runner\.(?:lost|reached)$/.test(type))?.type,
              )
              .toBe('runner.lost');
            const before = reached();
            await pass(cutSeconds * 1_000);
            go('third');
            // The agent works on without the host.
            await model.step('steered', last + 1);
            expect(reached()).toBe(before);
            await machine.up();
          } else go('third');

          await runs('fourth');
          expect(
            world.events().filter((each) => each.type === 'task.submitted' && each['task'] === 'left'),
          ).toHaveLength(1);
          await order('cancel', 'two');
          await runs('fifth');
          note('"CANCEL"', await model.step('three', 0));
          expect(worksAt().length).toBeGreaterThan(0);
          await order('signal', 'ABORT');
          expect((await program.done).code).toBe(130);
          note('"ABORT"');
          expect(worksAt()).toEqual([]);
          expect(model.problems).toEqual([]);
          const { stdout: diff } = await world.start('diff', 'left').done;
          expect(diff).toContain('+left');
          if (placeName === 'jail')
            expect(diff.match(/^\+.*: .*$/gmu)).toEqual(place.tried.map((what) => `+${what}: nothing`));
          expect(world.events().filter(({ type }) => type === 'steer.decided')).toHaveLength(1);
          console.log(table.join('\n'));
        },
      );
    },
  );
