import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBackends } from '../../src/agents/backends/index.io.ts';
import { createScriptBackend } from '../../src/agents/backends/script/create-script-backend.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { briefOf, taskOf } from '../helpers/role-port.ts';
import { commands, scriptBackend } from '../helpers/script-backend.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedBackend, type Odds } from '../helpers/simulated-backend.ts';
import { createSimulatedSpawn } from '../helpers/simulated-spawn.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { bench } from '../helpers/worker-bench.ts';
import { backendConformance } from './backend-conformance.ts';

const task = taskOf({
  files: ['steps.txt'],
  run: commands('echo 1 >> steps.txt', 'echo 2 >> steps.txt', 'echo 3 >> steps.txt'),
  verify: commands('test -s steps.txt', 'true'),
});

backendConformance('script', () => {
  const brief = briefOf({ workspace: tempDir(), task, attempt: 1 });
  return {
    backend: scriptBackend(),
    brief,
    settle: (promise) => promise,
    late: 'not followed',
    stepsDone: () => readFileSync(join(brief.workspace, 'steps.txt'), 'utf8').trim().split('\n').length,
  };
});

const tame: Odds = {
  fails: 0,
  isBlocked: 0,
  crashes: 0,
  endsWithoutResult: 0,
  quota: 0,
  nonsense: 0,
  rejects: 0,
  isSlow: 0,
};

const simulated = (seed: number, odds: Partial<Odds>) => {
  const clock = createManualClock();
  const random = createSeededRandom(seed);
  const spawn = createSimulatedSpawn({ clock });
  const otherwise = createScriptBackend({ disk: createDisk(), spawn, clock, random, env: {} });
  const backend = createSimulatedBackend({ clock, seed, otherwise, odds });
  const settle = async <T>(promise: Promise<T>): Promise<T> => {
    let isPending = true;
    const settled = promise.finally(() => {
      isPending = false;
    });
    for (let step = 0; isPending && step < 10_000; step += 1) await clock.advanceAsync(100);
    return settled;
  };
  return { backend, settle };
};

backendConformance('simulated', () => ({
  // A seed whose agent has more than one step.
  ...simulated(4, tame),
  brief: briefOf({ task, attempt: 1 }),
  stepsDone: (all) =>
    all.flatMap((at) => at.facts.filter((fact) => fact.type === 'command.ended' && fact.ok)).length,
}));

describe('the simulated agents', () => {
  const outcome = async (seed: number, odds: Partial<Odds>, kind = 'implement'): Promise<string> => {
    const { backend, settle } = simulated(seed, odds);
    const result = await settle(bench(backend, briefOf({ task, attempt: 1 })).turn(kind));
    return JSON.stringify(result);
  };

  test('do the same for the same seed, and of all kinds over many seeds', async () => {
    const seeds = Array.from({ length: 60 }, (_, seed) => seed);
    const odds = { crashes: 0.2, quota: 0.2, isBlocked: 0.2 };
    const first = await Promise.all(seeds.map((seed) => outcome(seed, odds)));
    expect(await Promise.all(seeds.map((seed) => outcome(seed, odds)))).toEqual(first);
    for (const words of [
      'completed',
      '"failed","summary',
      'it waits for somebody',
      'crashed',
      'no-result',
      'quotaUntil',
    ])
      expect(
        first.some((result) => result.includes(words)),
        words,
      ).toBe(true);
  });
});

test('the list of backends starts with the one that needs nothing', () => {
  const clock = createManualClock();
  const deps = {
    disk: createDisk(),
    spawn: createSimulatedSpawn({ clock }),
    clock,
    random: createSeededRandom(1),
    env: {},
  };
  const all = createBackends(deps);
  expect(all[0]?.name).toBe('script');
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});
