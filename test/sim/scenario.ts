import { createSeededRandom, type SeededRandom } from '../helpers/seeded-random.ts';

/** One run of the simulation: the same scenario is always the same run, event for event. */
export interface Scenario {
  readonly seed: number;
  /** The disturbances that happen, by number; `null` for all that the seed has. Leaving one out changes no other: that is how a failing seed shrinks. */
  readonly only: readonly number[] | null;
  /** At most so many tasks a session; `null` for what the seed says. */
  readonly tasks: number | null;
}

export const wholeSeed = (seed: number): Scenario => ({ seed, only: null, tasks: null });

/** The command that plays exactly this again. */
export const formatReplay = ({ seed, only, tasks }: Scenario): string =>
  [
    `npm run sim -- --seed ${seed}`,
    ...(tasks === null ? [] : [`--tasks ${tasks}`]),
    ...(only === null ? [] : [`--only ${only.join(',') || 'none'}`]),
  ].join(' ');

/** Random choices about one matter, which no other matter's choices can shift. */
export const randomFor = (scenario: Scenario, matter: string): SeededRandom => {
  let value = 2_166_136_261;
  for (const letter of `${scenario.seed} ${matter}`)
    value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return createSeededRandom(value >>> 0);
};
