import { defaultSettings, type Settings } from '../../src/session/settings.ts';
import { createSimulatedSession, type SimulatedSession } from '../helpers/engine-session.ts';
import type { SeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedBackend } from '../helpers/simulated-backend.ts';
import { createSimulatedGit } from '../helpers/simulated-git.ts';
import { createSimulatedChanges } from '../helpers/simulated-session-changes.ts';
import type { SimulatedProgram } from '../helpers/simulated-spawn.ts';
import type { Break } from './breaks.ts';
import { createFlowPlace } from './flow/flow-place.ts';
import { createHooks, overheard, type Place } from './place.ts';
import { randomFor, type Scenario } from './scenario.ts';

/** The sessions of a scenario: one, or two or three in one workspace on the same disk and clock. */
export const createWorld = (scenario: Scenario, broken: Break | null): readonly Place[] => {
  if (scenario.mode === 'hero' || scenario.mode === 'team') return [createFlowPlace(scenario, broken)];
  const random = randomFor(scenario, 'world');
  const first = createPlace(scenario, random, '260215-101500', null, broken);
  const count = random.pick([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3]);
  const others = Array.from({ length: count - 1 }, (_, index) =>
    createPlace(
      scenario,
      randomFor(scenario, `session ${index + 2}`),
      `260215-10150${index + 1}`,
      first.session,
      broken,
    ),
  );
  return [first, ...others];
};

const createPlace = (
  scenario: Scenario,
  random: SeededRandom,
  name: string,
  beside: SimulatedSession | null,
  broken: Break | null,
): Place => {
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
    endsWithoutResult: random.pick([0.05, 0.05, 0.3]),
  };
  const hooks = createHooks();
  const isLoop = scenario.mode === 'loop';
  const git = createSimulatedGit();
  const isolation = randomFor(scenario, `isolation ${name}`).chance(0.4) ? 'worktree' : 'shared';
  const focus = `focus-${name}.md`;
  const session: SimulatedSession = createSimulatedSession({
    seed: scenario.seed,
    session: name,
    ...(beside ? { beside } : {}),
    plan: planOf(scenario, random),
    ...(isLoop ? { focus } : {}),
    attended: random.chance(0.5),
    isAgreed: () => true,
    proofs: 'kept',
    changes: (clock, disk) =>
      createSimulatedChanges({ disk, clock, git, random: randomFor(scenario, `git ${name}`) }, name),
    settings: {
      isolation: isLoop ? 'shared' : isolation,
      review: randomFor(scenario, `review ${name}`).pick([
        'agent',
        'agent',
        'agent',
        'person',
        'both',
      ] as const),
      concurrency: {
        max_parallel_executors: 1 + random.int(3),
        max_parallel_reviewers: 1 + random.int(3),
        max_parallel_checks: 1 + random.int(3),
      },
      retries: { max_attempts: 1 + random.int(3), backoff: [0, 1_000] },
      planning: { max_cycles: random.int(3) },
      gates: random.chance(0.2) ? ['plan'] : [],
      signals: { poll_interval: random.pick([1_000, 2_000, 4_000]), unproven: 'ask' },
      knowledge: {
        gate: 'always',
        approval_timeout: random.pick([0, null, 60_000]),
        max_carry_iterations: 2,
        docs_dir: '.docs',
      },
      roles: { executor, reviewer },
      ...(isLoop ? { loop: loopOf(random, focus) } : {}),
    },
    program: ({ command, cwd }) => {
      const subject = String(command).split(' ')[1] ?? '';
      return {
        ...programOf(session, random, subject, cwd),
        ...(isLoop ? turnOf(session, random, subject) : {}),
        ...broken?.program,
      };
    },
    livingBackends: (clock, otherwise) => [
      createSimulatedBackend({ clock, seed: scenario.seed, otherwise, odds }),
    ],
    wrap: (backend, isHeard) => overheard(backend, isHeard, hooks),
  });
  if (isLoop) session.disk.put(`/work/${focus}`, '- [ ] a box\n'.repeat(1 + random.int(6)));
  const merges = !isLoop && isolation === 'worktree';
  return { session, hooks, git: merges ? git : null, flow: null, others: null };
};

const loopOf = (random: SeededRandom, focus: string): Settings['loop'] => ({
  ...defaultSettings.loop,
  run: [`work ${focus}`],
  verify: random.chance(0.5) ? ['check it'] : [],
  max_turns: random.pick([2, 4, 10, null]),
  max_runtime: random.pick([null, 20_000, 600_000]),
  min_turns: random.pick([0, 0, 3]),
  grace: random.pick([0, 1_000, 30_000]),
});

/** A turn ticks a box, or only changes something, or nothing at all. */
const turnOf = (session: SimulatedSession, random: SeededRandom, focus: string): SimulatedProgram => {
  const die = random.next();
  const says = random.pick(['working hard', 'looking around', `found ${random.hex(8)}`]);
  const file = `/work/${focus}`;
  return {
    output: [{ text: `${says}\n` }],
    effect: () => {
      const { disk } = session;
      if (disk.crashed() || disk.lstat(file) === null) return;
      if (die < 0.5) disk.put(file, disk.text(file).replace('[ ]', '[x]'));
      else if (die < 0.8) disk.put(`/work/${focus}.notes`, says);
    },
  };
};

const planOf = (scenario: Scenario, random: SeededRandom): string => {
  const count = 4 + random.int(7);
  const ids = Array.from({ length: Math.min(count, scenario.tasks ?? count) }, (_, index) => `t${index}`);
  const lines = ids.map((id, index) => {
    const blockers = ids.slice(0, index).filter(() => random.chance(0.3));
    const type = random.chance(0.15) ? ', type: Sequential' : '';
    const verify = random.chance(0.7) ? `, verify: [check ${id}]` : '';
    return `  - {id: ${id}, title: Task ${id}, files: [${id}.txt], blockedBy: [${blockers.join(', ')}], run: [make ${id}, more ${id}]${verify}${type}}`;
  });
  return `goal: Simulated\ntasks:\n${lines.join('\n')}\n`;
};

const programOf = (
  session: SimulatedSession,
  random: SeededRandom,
  name: string,
  cwd: string,
): SimulatedProgram => ({
  runsMs: random.pick([0, 50, 300, 2_000, 10_000]),
  exit: random.chance(0.12) ? 1 : 0,
  ignoresTerm: random.chance(0.2),
  survivors: random.chance(0.1) ? 1 : 0,
  output: random.chance(0.5) ? [{ text: `working on ${name}\n` }] : [],
  effect: () => {
    if (session.disk.crashed()) return;
    session.disk.put(`${cwd}/${name}.txt`, 'made');
    // In worktrees every second task meets another one at the merge.
    if (cwd !== '/work' && name.endsWith('1')) session.disk.put(`${cwd}/both.txt`, name);
    if (cwd !== '/work' && name.endsWith('2')) session.disk.put(`${cwd}/both.txt`, name);
  },
});
