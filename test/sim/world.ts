import { createSimulatedSession, type SimulatedSession } from '../helpers/engine-session.ts';
import type { SeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedBackend } from '../helpers/simulated-backend.ts';
import { randomFor, type Scenario } from './scenario.ts';

/** The sessions of a scenario: one, or two in one workspace on the same disk and clock. */
export const createWorld = (scenario: Scenario): readonly SimulatedSession[] => {
  const random = randomFor(scenario, 'world');
  const first = createSession(scenario, random, '260215-101500', null);
  return random.chance(0.2)
    ? [first, createSession(scenario, randomFor(scenario, 'second'), '260215-101501', first)]
    : [first];
};

const createSession = (
  scenario: Scenario,
  random: SeededRandom,
  name: string,
  beside: SimulatedSession | null,
): SimulatedSession => {
  const [executor, reviewer] = random.pick([
    ['script', 'script'],
    ['script', 'simulated'],
    ['simulated', 'script'],
    ['simulated', 'simulated'],
  ] as const);
  const odds = {
    nonsense: random.pick([0, 0.05, 0.15]),
    quota: random.pick([0, 0, 0.05]),
    isSlow: random.pick([0.02, 0.1]),
  };
  const session: SimulatedSession = createSimulatedSession({
    seed: scenario.seed,
    session: name,
    ...(beside ? { beside } : {}),
    plan: planOf(scenario, random),
    attended: random.chance(0.5),
    settings: {
      concurrency: { max_parallel_executors: 1 + random.int(3), max_parallel_reviewers: 1 + random.int(3) },
      retries: { max_attempts: 1 + random.int(3), backoff: [0, 1_000] },
      planning: { max_cycles: random.int(3) },
      gates: random.chance(0.15) ? ['plan'] : [],
      roles: { executor, reviewer },
    },
    program: ({ command }) => programOf(session, random, String(command).split(' ')[1] ?? ''),
    livingBackends: (clock, otherwise) => [
      createSimulatedBackend({ clock, seed: scenario.seed, otherwise, odds }),
    ],
  });
  return session;
};

const planOf = (scenario: Scenario, random: SeededRandom): string => {
  const count = 3 + random.int(6);
  const ids = Array.from({ length: Math.min(count, scenario.tasks ?? count) }, (_, index) => `t${index}`);
  const lines = ids.map((id, index) => {
    const blockers = ids.slice(0, index).filter(() => random.chance(0.35));
    const type = random.chance(0.15) ? ', type: Sequential' : '';
    const verify = random.chance(0.7) ? `, verify: [check ${id}]` : '';
    return `  - {id: ${id}, title: Task ${id}, files: [${id}.txt], blockedBy: [${blockers.join(', ')}], run: [make ${id}, more ${id}]${verify}${type}}`;
  });
  return `goal: Simulated\ntasks:\n${lines.join('\n')}\n`;
};

const programOf = (session: SimulatedSession, random: SeededRandom, name: string) => ({
  runsMs: random.pick([0, 50, 300, 3_000, 20_000]),
  exit: random.chance(0.12) ? 1 : 0,
  ignoresTerm: random.chance(0.2),
  survivors: random.chance(0.1) ? 1 : 0,
  output: random.chance(0.5) ? [{ text: `working on ${name}\n` }] : [],
  effect: () => session.disk.put(`/work/${name}.txt`, 'made'),
});
