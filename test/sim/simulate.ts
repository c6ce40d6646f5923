import { type Actor, createActor, type Disturbance } from './actor.ts';
import { randomFor, type Scenario } from './scenario.ts';
import { createWorld } from './world.ts';

export interface Verdict {
  /** Broken promises, one sentence each: has to be empty. */
  readonly problems: readonly string[];
  /** The numbers of the disturbances that happened. */
  readonly disturbances: readonly number[];
  readonly events: number;
}

const disturbedSteps = 250;
const mostSteps = 4_000;

/**
 * Whole sessions out of one seed (quality.md, Torture): the real engine, pipeline, mailbox and files on a simulated disk and clock. Random graphs, programs
 * that are slow, fail, ignore TERM or leave children behind, agents that crash, are blocked, out of quota or answer nonsense, signals of every type at
 * random moments, floods, withdrawals, quits, kills and power losses; then a person who helps it to its end.
 */
export const simulate = async (scenario: Scenario): Promise<Verdict> => {
  const sessions = createWorld(scenario);
  const actors = sessions.map((session) => createActor(session, sessions.length === 1));
  const pace = randomFor(scenario, 'pace');
  const happened: number[] = [];
  const verdict = (more: readonly string[] = []): Verdict => ({
    problems: [...actors.flatMap(({ problems }) => problems), ...more],
    disturbances: happened,
    events: sessions.reduce((sum, { events }) => sum + events.length, 0),
  });
  for (let step = 0; step < mostSteps; step += 1) {
    const open = actors.filter((actor) => !actor.hasEnded());
    if (open.length === 0) return verdict();
    // Who finds the program down starts it again, sooner or later.
    for (const actor of open)
      if (step === 0 || pace.chance(actor.isWaiting() ? 0.02 : 0.3)) await actor.begin();
    await sessions[0]?.clock.advanceAsync(pace.pick([100, 250, 250, 1_000, 5_000]));
    for (const actor of open) await actor.look();
    for (const [index, actor] of actors.entries()) {
      const number = step * 2 + index;
      const random = randomFor(scenario, `disturbance ${number}`);
      // Later on nothing disturbs any more: then it has to come to its end.
      if (step >= disturbedSteps) actor.help(random);
      const kind = step < disturbedSteps ? anyDisturbance(random.next()) : null;
      if (kind === null || actor.hasEnded() || scenario.only?.includes(number) === false) continue;
      happened.push(number);
      await actor.disturb(kind, random);
      if (kind === 'power') spread(actors, actor);
    }
  }
  return verdict(
    actors.filter((actor) => !actor.hasEnded()).map((actor) => `never ended: ${actor.describe()}`),
  );
};

/** A power loss hits every program of the machine. */
const spread = (actors: readonly Actor[], first: Actor): void => {
  for (const actor of actors) {
    if (actor === first || actor.hasEnded()) continue;
    actor.session.kill('disk-lives-on');
    actor.die();
  }
};

const odds: readonly (readonly [Disturbance, number])[] = [
  ['signal', 0.12],
  ['flood', 0.003],
  ['withdraw', 0.01],
  ['quit', 0.006],
  ['kill', 0.006],
  ['power', 0.005],
];

const anyDisturbance = (die: number): Disturbance | null => {
  let sum = 0;
  for (const [kind, share] of odds) {
    sum += share;
    if (die < sum) return kind;
  }
  return null;
};
