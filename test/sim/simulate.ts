import type { SeededRandom } from '../helpers/seeded-random.ts';
import { SimulatedCrash } from '../helpers/simulated-disk.ts';
import { type Actor, createActor } from './actor.ts';
import { breaks } from './breaks.ts';
import { type Counts, createCoverage } from './coverage.ts';
import { anyDisturbance, type Disturbance } from './disturbance.ts';
import { createMachine, type Machine } from './machine.ts';
import { randomFor, type Scenario } from './scenario.ts';
import { createWorld } from './world.ts';

export interface Verdict {
  /** Broken promises, one sentence each: has to be empty. */
  readonly problems: readonly string[];
  /** The numbers of the disturbances that happened. */
  readonly disturbances: readonly number[];
  readonly events: number;
  readonly counts: Counts;
}

const disturbedSteps = 140;
const mostSteps = 4_000;
/** Disturbances of one step are numbered from here on, one for each session. */
const mostSessions = 4;

/**
 * Whole sessions out of one seed (test/README.md, Torture): the real engine, pipeline, mailbox and files on a simulated disk and clock. Random graphs, programs
 * that are slow, fail, ignore TERM or leave children behind, agents that crash, are blocked, out of quota or answer nonsense, signals of every type at
 * random moments, floods, scraps, withdrawals, quits, kills, crashes in the middle of an operation and again in the recovery, power losses, reboots, full
 * disks and other machines that take over; then a person who helps it to its end.
 */
export const simulate = async (scenario: Scenario): Promise<Verdict> => {
  const coverage = createCoverage();
  const broken = scenario.broken === null ? null : (breaks[scenario.broken] ?? null);
  const random = randomFor(scenario, 'people');
  const places = createWorld(scenario, broken);
  const [
    {
      session: { disk, clock },
    },
  ] = places as [(typeof places)[0]];
  const machine: Machine = createMachine({ disk, clock, coverage, actors: () => actors });
  const actors: readonly Actor[] = places.map((place) =>
    createActor({
      ...place,
      coverage,
      broken,
      iterations: random.pick([1, 1, 1, 1, 2, 3]),
      wasFull: machine.wasFull,
    }),
  );
  coverage.count(`${actors.length} sessions in one workspace`);
  const pace = randomFor(scenario, 'pace');
  const happened: number[] = [];
  const verdict = (more: readonly string[] = []): Verdict => ({
    problems: [...actors.flatMap(({ problems }) => problems), ...more],
    disturbances: happened,
    events: places.reduce((sum, { session }) => sum + session.events.length, 0),
    counts: coverage.counts(),
  });
  for (let step = 0; step < mostSteps; step += 1) {
    const open = actors.filter((actor) => !actor.hasEnded());
    if (open.length === 0) return verdict();
    if (step === disturbedSteps) machine.calm();
    // Who finds the program down starts it again, sooner or later.
    for (const actor of open) {
      const waits = actor.isWaiting();
      const begins = step === 0 || pace.chance(waits ? 0.1 : 0.3);
      // Nobody starts a program again that waits for an answer without giving one.
      if (begins && waits && !actor.runs()) await unlessCrashed(() => actor.answer(pace));
      if (begins) await unlessCrashed(() => actor.begin());
      machine.look();
    }
    await clock.advanceAsync(pace.pick([100, 250, 1_000, 2_000, 5_000]));
    machine.look();
    for (const { flow } of places) flow?.look(pace, step >= disturbedSteps);
    for (const actor of actors)
      await unlessCrashed(() => actor.host(randomFor(scenario, `others ${step}`), step >= disturbedSteps));
    machine.look();
    for (const [index, actor] of actors.entries()) {
      const number = step * mostSessions + index;
      const own = randomFor(scenario, `disturbance ${number}`);
      await unlessCrashed(() => actor.look(own));
      machine.look();
      // Later on nothing disturbs any more: then it has to come to its end.
      if (step >= disturbedSteps) {
        const state = actor.state();
        if (state && !actor.hasEnded() && own.chance(0.2)) {
          actor.stir();
          actor.post.help(own, state);
        }
        continue;
      }
      const place = places[index];
      const around = { isFlow: place?.flow != null, merges: place?.git != null };
      const kind = anyDisturbance(own.next(), around);
      if (kind === null || !actor.state() || actor.hasEnded() || scenario.only?.includes(number) === false)
        continue;
      happened.push(number);
      coverage.count(`disturbance ${kind}`);
      await unlessCrashed(() => disturb(kind, actor, machine, own));
      machine.look();
    }
  }
  return verdict(
    actors.filter((actor) => !actor.hasEnded()).map((actor) => `never ended: ${actor.describe()}`),
  );
};

const disturb = async (
  kind: Disturbance,
  actor: Actor,
  machine: Machine,
  random: SeededRandom,
): Promise<void> => {
  const state = actor.state();
  if (!state) return;
  actor.stir();
  switch (kind) {
    case 'signal':
      return actor.post.any(random, state);
    case 'flood':
      for (let count = 0; count < 12; count += 1) actor.post.any(random, state);
      return;
    case 'turn':
      return actor.post.turn(random, state);
    case 'scrap':
      return actor.post.scrap(random);
    case 'withdraw':
      return actor.post.withdraw(random, state);
    case 'quit':
      return actor.quit();
    case 'kill':
      if (!actor.runs()) return;
      actor.session.kill('disk-lives-on');
      return actor.die('a kill', false);
    case 'power':
    case 'reboot':
      return machine.power(random, kind === 'reboot');
    case 'crash':
    case 'crash-twice':
      return machine.crashSoon(random, kind === 'crash-twice');
    case 'full':
      return machine.fill(random);
    case 'elsewhere':
      if (actor.runs()) actor.leave();
      return;
    case 'issue':
      return actor.meddle(random);
    case 'twin':
      return actor.startTwice(random);
    case 'outage':
    case 'dirty':
      actor.flow?.disturb(kind, random);
  }
};

/** The disk died under whoever was just using it: `Machine.look` sees to what follows. */
const unlessCrashed = async (work: () => Promise<void> | void): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SimulatedCrash)) throw error;
  }
};
