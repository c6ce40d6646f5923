import { z } from 'zod';
import { createSeededRandom, type SeededRandom } from '../helpers/seeded-random.ts';

/** What its sessions are: a plan in waves, a loop, a flow whose tasks fresh agents do (hero), or one with a team. */
export const simModeSchema = z.enum(['waves', 'loop', 'hero', 'team']);
export type SimMode = z.infer<typeof simModeSchema>;

/** One run of the simulation: the same scenario is always the same run, event for event. */
export interface Scenario {
  readonly seed: number;
  readonly mode: SimMode;
  /** The disturbances that happen, by number; `null` for all that the seed has. Leaving one out changes no other: that is how a failing seed shrinks. */
  readonly only: readonly number[] | null;
  /** At most so many tasks a session; `null` for what the seed says. */
  readonly tasks: number | null;
  /** What is broken on purpose, by its name in `breaks.ts`: shows that the guards see it. */
  readonly broken: string | null;
}

export const wholeSeed = (seed: number, mode: SimMode = 'waves'): Scenario => ({
  seed,
  mode,
  only: null,
  tasks: null,
  broken: null,
});

/** The mode of a seed in a draw over all of them. */
export const modeOfSeed = (seed: number): SimMode => all[seed % all.length] ?? 'waves';

const all: readonly SimMode[] = [
  ...['waves', 'hero', 'waves', 'team', 'waves', 'loop', 'hero', 'waves', 'team', 'loop'],
].map((mode) => simModeSchema.parse(mode));

/** The command that plays exactly this again. */
export const formatReplay = ({ seed, mode, only, tasks, broken }: Scenario): string =>
  [
    `npm run sim -- --seed ${seed}`,
    ...(mode === 'waves' ? [] : [`--mode ${mode}`]),
    ...(tasks === null ? [] : [`--tasks ${tasks}`]),
    ...(only === null ? [] : [`--only ${only.join(',') || 'none'}`]),
    ...(broken === null ? [] : [`--break ${broken}`]),
  ].join(' ');

/** The scenario that the options of such a command name. */
export const parseScenario = (options: {
  readonly seed: string;
  readonly mode?: string | undefined;
  readonly tasks?: string | undefined;
  readonly only?: string | undefined;
  readonly break?: string | undefined;
}): Scenario => ({
  seed: Number(options.seed),
  mode: simModeSchema.parse(options.mode ?? 'waves'),
  tasks: options.tasks === undefined ? null : Number(options.tasks),
  only:
    options.only
      ?.split(',')
      .filter((part) => part !== 'none')
      .map(Number) ?? null,
  broken: options.break ?? null,
});

/** Random choices about one matter, which no other matter's choices can shift. */
export const randomFor = (scenario: Pick<Scenario, 'seed'>, matter: string): SeededRandom => {
  let value = 2_166_136_261;
  for (const pendingSignal of `${scenario.seed} ${matter}`)
    value = Math.imul(value ^ (pendingSignal.codePointAt(0) ?? 0), 16_777_619);
  return createSeededRandom(value >>> 0);
};
