import { beforeAll, expect, test } from 'vitest';
import { sized } from '../helpers/test-form.ts';
import { play } from './play.ts';
import { formatReplay, parseScenario, wholeSeed } from './scenario.ts';
import { shrink } from './shrink.ts';

/** A journal that loses its last results whenever the program is started again: it takes one restart, and nothing else, to see it. */
const broken = 'lost-result';

/** The first seed that fails with enough to leave out; the short form begins with one that shrinks in few plays. */
const failing = async () => {
  for (let seed = sized({ short: 17, long: 1 }); ; seed += 1) {
    const scenario = { ...wholeSeed(seed), broken };
    const played = await play(scenario);
    const { problems, disturbances } = played;
    if (problems.some((problem) => problem.includes('is lost')) && disturbances.length > 10)
      return { scenario, played };
  }
};
let found: Awaited<ReturnType<typeof failing>>;
beforeAll(async () => {
  found = await failing();
});

test('a failing seed shrinks to a small scenario, and the printed command plays exactly that', async () => {
  const { scenario: whole, played: before } = found;
  const small = await shrink(whole);
  expect(small.only?.length).toBeLessThanOrEqual(3);
  expect(small.tasks).toBeLessThanOrEqual(2);
  const command = formatReplay(small);
  expect(command).toMatch(
    /^npm run sim -- --seed \d+ --tasks \d --only (?:[\d,]+|none) --break lost-result$/,
  );
  const words = command.split(' ');
  const option = (name: string): string | undefined => words[words.indexOf(`--${name}`) + 1];
  const again = parseScenario({
    seed: option('seed') ?? '',
    tasks: option('tasks'),
    only: option('only'),
    break: option('break'),
  });
  expect(again).toEqual(small);
  const [first, second] = [await play(small), await play(again)];
  expect(second).toEqual(first);
  expect(first.problems.join('\n')).toMatch(/the result of event \d+ is lost/);
  expect(first.events).toBeLessThan(before.events);
});

test('shrinking always comes to its end: it plays no more scenarios than it may', async () => {
  expect(await shrink(found.scenario, 0)).toMatchObject({ seed: found.scenario.seed, tasks: null });
});
