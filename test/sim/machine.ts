import type { ManualClock } from '../helpers/manual-clock.ts';
import type { SeededRandom } from '../helpers/seeded-random.ts';
import type { SimulatedDisk } from '../helpers/simulated-disk.ts';
import type { Actor } from './actor.ts';
import type { Coverage } from './coverage.ts';

/** What happens to the machine that all sessions of a scenario share. */
export interface Machine {
  /** The power fails: what was not flushed may be gone. `reboot`: its processes too, and nobody can tell any more who is alive. */
  power(random: SeededRandom, reboot: boolean): void;
  /** One of the next operations on the disk is the last of every program; `again`: and so is one of the next start. */
  crashSoon(random: SeededRandom, again: boolean): void;
  fill(random: SeededRandom): void;
  /** Whether the disk was full at that moment or later. */
  wasFull(since: number): boolean;
  /** Every little while: disks are freed again, and after a crash everybody is dead. */
  look(): void;
  /** Nothing disturbs any more. */
  calm(): void;
}

export interface MachinePorts {
  readonly disk: SimulatedDisk;
  readonly clock: ManualClock;
  readonly coverage: Coverage;
  readonly actors: () => readonly Actor[];
}

export const createMachine = ({ disk, clock, coverage, actors }: MachinePorts): Machine => {
  let fullUntil: number | null = null;
  let lastFull = Number.NEGATIVE_INFINITY;
  /** The crash under way also loses what was not flushed. */
  let loses: SeededRandom | null = null;
  let second: { readonly after: number; readonly torn: boolean } | null = null;
  let crashes = 0;

  /** Without power nothing runs on: what was not flushed and the processes go together, or neither does. */
  const everybodyDies = (how: string, what: 'programs' | 'power' | 'machine'): void => {
    for (const actor of actors()) {
      if (what === 'programs') actor.session.kill('disk-lives-on');
      else actor.session.reboot(what === 'power');
      if (!actor.hasEnded()) actor.die(how, true);
    }
  };

  const recover = (): void => {
    const random = loses;
    coverage.count(crashes > 0 ? 'crash in the recovery' : 'crash in the middle of an operation');
    if (random) disk.loseUnflushed(() => (random.chance(0.1) ? 'torn' : random.chance(0.5)));
    else disk.restart();
    everybodyDies(crashes > 0 ? 'a crash in the recovery' : 'a crash', random ? 'power' : 'programs');
    crashes = second ? crashes + 1 : 0;
    if (second) disk.crashAfter(second.after, second);
    second = null;
  };

  return {
    power: (random, reboot) => {
      disk.loseUnflushed(() => (random.chance(0.1) ? 'torn' : random.chance(0.5)));
      everybodyDies(reboot ? 'a reboot' : 'a power loss', reboot ? 'machine' : 'power');
    },
    crashSoon: (random, again) => {
      loses = random.chance(0.5) ? random : null;
      disk.crashAfter(1 + random.int(60), { torn: random.chance(0.5) });
      second = again ? { after: 1 + random.int(80), torn: random.chance(0.5) } : null;
    },
    fill: (random) => {
      disk.setSpace(random.pick([0, 100, 1_000, 5_000]));
      fullUntil = clock.monotonic() + random.pick([2_000, 10_000, 60_000]);
    },
    wasFull: (since) => lastFull >= since,
    look: () => {
      if (fullUntil !== null) lastFull = clock.now();
      if (fullUntil !== null && clock.monotonic() >= fullUntil) {
        disk.setSpace(null);
        fullUntil = null;
      }
      if (disk.crashed()) recover();
    },
    calm: () => {
      second = null;
      if (disk.crashed()) recover();
      disk.spare();
      if (fullUntil !== null) disk.setSpace(null);
      fullUntil = null;
    },
  };
};
