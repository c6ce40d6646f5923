import { describe, expect, it, vi } from 'vitest';
import { claimed, published } from '../helpers/mailbox.ts';
import { identityOf } from '../helpers/mailbox-identity.ts';
import {
  brokenPromises,
  createWorld,
  live,
  nextProcess,
  settle,
  signalsDirectory,
  type World,
} from '../helpers/mailbox-world.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk, SimulatedCrash, type SimulatedDisk } from '../helpers/simulated-disk.ts';
import { sized } from '../helpers/test-form.ts';

/** `MAILBOX_EXHAUSTIVE=1` tries every pair of crashes and more power losses: about two minutes. */
const exhaustive = process.env['MAILBOX_EXHAUSTIVE'] === '1';
const stride = exhaustive ? 1 : sized({ short: 24, long: 4 });
const seeds = exhaustive ? 30 : sized({ short: 1, long: 2 });
/** The short form crashes after every other operation of the day, and tears every other write there. */
const every = exhaustive ? 1 : sized({ short: 2, long: 1 });

if (exhaustive) vi.setConfig({ testTimeout: 1_800_000 });

/** Publishes, claims, archives, puts back, withdraws, broadcasts and rejects: each operation of the mailbox at least once. */
const busyDay = (world: World): void => {
  const mailbox = nextProcess(world);
  mailbox.open();
  const report = (signal: Parameters<typeof published>[1]): void => {
    const made = published(mailbox, signal);
    world.reported.set(made.id, made);
  };
  report({ type: 'PAUSE' });
  settle(world, mailbox, claimed(mailbox, mailbox.peek().pendingSignals[0]));
  report({ type: 'STEER', target: 'Executor', message: 'bar' });
  mailbox.putBack(claimed(mailbox, mailbox.peek().pendingSignals[0]));
  report({ type: 'SKIP', message: 'never mind' });
  const skip = [...world.reported.values()].at(-1);
  if (skip && mailbox.withdraw(skip.id, 'kim').kind === 'withdrawn') world.withdrawn.add(skip.id);
  report({ type: 'INFO', message: 'Azure' });
  live(world);
};

/** Only what commands and hotkeys do. */
const quietDay = (world: World): void => {
  const mailbox = nextProcess(world);
  const made = published(mailbox, { type: 'SKIP' });
  world.reported.set(made.id, made);
  if (mailbox.withdraw(made.id, 'kim').kind === 'withdrawn') world.withdrawn.add(made.id);
  mailbox.peek();
  const [pendingSignal] = mailbox.peek().pendingSignals;
  if (pendingSignal) mailbox.putBack(claimed(mailbox, pendingSignal));
};

/** A world on a fresh disk that holds what a person left there with an editor: two good files of one name, a bad one, a pipe. */
const prepared = (disk: SimulatedDisk): World => {
  const world = createWorld(disk);
  nextProcess(world).open();
  for (const [file, text] of [
    ['hand.yaml', 'type: RESUME\n'],
    ['all.yaml', 'type: INFO\nmessage: to all\n...\n'],
  ] as const) {
    disk.put(`${signalsDirectory}/inputs/${file}`, text);
    const id = identityOf(file, text);
    world.reported.set(id, { id, file });
  }
  disk.put(`${signalsDirectory}/inputs/bad.yaml`, 'type: DANCE\n');
  disk.putSpecial(`${signalsDirectory}/inputs/pipe.yaml`, 'fifo');
  disk.put(
    `${signalsDirectory}/processed/hand.yaml`,
    'type: PAUSE\nhandling_metadata: {id: old, action_taken: withdrawn}\n',
  );
  return world;
};

/** Runs until the crash, or to the end. True when it crashed. */
const untilCrash = (world: World, run: (world: World) => void): boolean => {
  try {
    run(world);
    return false;
  } catch (error) {
    if (!(error instanceof SimulatedCrash)) throw error;
    return true;
  }
};

const operationsOf = (run: (world: World) => void, begin: () => World): number => {
  const world = begin();
  const before = world.disk.operations();
  run(world);
  return world.disk.operations() - before;
};

const begin = (): World => prepared(createSimulatedDisk());

/** Crashes after each operation of the day (`every`) and after every `step`-th of the recovery from it, until one recovery comes to its end. */
const crashTwice = (
  day: (world: World) => void,
  step: number,
  look: (world: World, place: readonly [at: number, again: number], crashed: boolean) => void,
): void => {
  const total = operationsOf(day, begin);
  for (let at = 1; at <= total; at += every)
    for (let again = 1 + (at % step), crashed = true; crashed; again += step) {
      const world = begin();
      world.disk.crashAfter(at);
      untilCrash(world, day);
      world.disk.restart();
      world.disk.crashAfter(again);
      crashed = untilCrash(world, live);
      look(world, [at, again], crashed);
    }
};

/** What is no signal lies in `rejected/` once, with the reason beside it. */
const rejectedOnce = (world: World): boolean =>
  world.disk.readdir(`${signalsDirectory}/rejected`).sort().join(' ') ===
  'bad.yaml bad.yaml.error.txt pipe.yaml pipe.yaml.error.txt';

describe('a crash', () => {
  it('that does not happen leaves every promise kept', () => {
    const world = begin();
    busyDay(world);
    expect(brokenPromises(world)).toEqual([]);
    expect(rejectedOnce(world)).toBe(true);
    expect(world.reported.size).toBe(6);
    expect(world.acted.size).toBe(5);
  });

  it('at any operation loses nothing, archives nothing twice and acts under the same id', () => {
    const total = operationsOf(busyDay, begin);
    expect(total).toBeGreaterThan(80);
    for (let at = 1; at <= total; at += every)
      for (const torn of every === 1 ? [false, true] : [at % (2 * every) === 1]) {
        const world = begin();
        world.disk.crashAfter(at, { torn });
        expect(untilCrash(world, busyDay), `operation ${at}`).toBe(true);
        world.disk.restart();
        live(world);
        expect([at, torn, ...brokenPromises(world)]).toEqual([at, torn]);
        expect(rejectedOnce(world)).toBe(true);
      }
  });

  it.each([
    ['a day of one engine', live],
    ['a day of commands', quietDay],
  ])('inside the recovery of a crash of %s loses nothing either', (_, day) => {
    let crashes = 0;
    crashTwice(day, stride, (world, place, crashed) => {
      world.disk.restart();
      if (!crashed) return;
      crashes += 1;
      live(world);
      expect([...place, ...brokenPromises(world)]).toEqual(place);
    });
    expect(crashes).toBeGreaterThan(500 / stride / every);
  });
});

/** Power fails at `at`, a random subset of what was not flushed is gone, and an engine starts. Null when the day ended before. */
const powerLoss = (
  day: (world: World) => void,
  disk: SimulatedDisk,
  at: number,
  seed: number,
): World | null => {
  const random = createSeededRandom(seed);
  const world = prepared(disk);
  const operationsBefore = disk.operations();
  disk.crashAfter(at);
  const crashed = untilCrash(world, day);
  // One operation after the last one the power fails too: the day is over, and not everything of it is on the platter.
  if (!crashed && disk.operations() + 1 < operationsBefore + at) return null;
  const share = random.next();
  disk.loseUnflushed(() => {
    if (!random.chance(share)) return false;
    return random.chance(0.3) ? 'torn' : true;
  });
  live(world);
  return world;
};

describe('a power loss', () => {
  it.each([
    ['a busy day', busyDay, seeds],
    ['a day of commands', quietDay, 5 * seeds],
  ])('that takes any part of what %s did not flush loses nothing that was reported', (_, day, times) => {
    let losses = 0;
    for (let seed = 1; seed <= times; seed += 1)
      for (let at = 1; ; at += every) {
        const world = powerLoss(day, createSimulatedDisk(), at, seed * 1_000 + at);
        if (world === null) break;
        losses += 1;
        expect([seed, at, ...brokenPromises(world)]).toEqual([seed, at]);
      }
    expect(losses).toBeGreaterThan((15 * times) / every);
  });

  it.each([
    ['a busy day', busyDay, exhaustive ? 1 : 8 * stride],
    ['a day of commands', quietDay, stride],
  ])(
    'during the recovery of a crash of %s takes nothing with it that the dead program had only linked',
    (_, day, step) => {
      let lost = 0;
      crashTwice(day, step, (world, place) => {
        world.disk.loseUnflushed(({ kind }) => {
          if (kind === 'link') lost += 1;
          return kind === 'link';
        });
        live(world);
        expect([...place, ...brokenPromises(world)]).toEqual(place);
        expect([...place, rejectedOnce(world)]).toEqual([...place, true]);
      });
      expect(lost).toBeGreaterThan(500 / step / every);
    },
  );

  it('is survived only because of the flushes: without them the same model finds losses', () => {
    let broken = 0;
    for (let at = 1; at < 60; at += 1) {
      const world = powerLoss(busyDay, createSimulatedDisk({ ignoreFlush: true }), at, at);
      if (
        world !== null &&
        brokenPromises(world).some((problem) => problem.startsWith('lost') || problem.startsWith('acted'))
      )
        broken += 1;
    }
    expect(broken).toBeGreaterThan(10);
  });
});
