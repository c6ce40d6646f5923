import { expect, it } from 'vitest';
import { memoryRoot as root } from '../helpers/scratch-of-run.ts';
import { isLongForm, sized } from '../helpers/test-form.ts';
import { storm } from '../torture/mailbox-storm.ts';

const signals = sized({ short: 1_000, long: 5_000 });

it(`${signals} signals in a storm of processes that are killed: none lost, none acted on while half written, none archived twice`, async () => {
  const result = await storm({ signals, root });
  expect(result.problems).toEqual([]);
  expect(result).toMatchObject({ reported: signals, lost: 0, half: 0, twice: 0, shared: 0 });
  expect(result.archived).toBeGreaterThanOrEqual(signals);
  expect(result.kills).toBeGreaterThan(sized({ short: 1, long: 12 }));
});

/** A mistake needs a bad moment to show itself, and one storm may end before it came: that happened in one of some twenty. */
const mostStorms = 8;

it.runIf(isLongForm).each([
  ['a takeover that two can win', 1_500, 'two-winners', /acted on by two living processes/],
  ['a takeover from owners that live', 500, 'takes-from-the-living', /acted on by two living processes/],
  ['a reader that does not wait for a file to be whole', 2_500, 'impatient', /lost|half a signal/],
] as const)('the same storm finds %s', async (_, signals, weakness, complaint) => {
  let said = '';
  for (let round = 0; round < mostStorms && !complaint.test(said); round += 1)
    said += `${(await storm({ signals, root, weakness })).problems.join('\n')}\n`;
  expect(said).toMatch(complaint);
});
