import { createForeignBackend } from '../../../src/agents/backends/foreign/create-foreign-backend.ts';
import { withCodeTurns } from '../../../src/agents/backends/with-code-turns.ts';
import { defaultSettings } from '../../../src/session/settings.ts';
import { createSimulatedSession } from '../../helpers/engine-session.ts';
import { createManualClock } from '../../helpers/manual-clock.ts';
import { createSimulatedBackend } from '../../helpers/simulated-backend.ts';
import { createSimulatedDisk } from '../../helpers/simulated-disk.ts';
import type { Break } from '../breaks.ts';
import { createHooks, overheard, type Place } from '../place.ts';
import { randomFor, type Scenario } from '../scenario.ts';
import { createFlowWorld } from './flow-world.ts';
import { createForeignWorkers, type ForeignPorts } from './foreign-workers.ts';
import { createPhases } from './phases.ts';

const name = '260215-101500';

/** The session of a flow: a group of issues, agents of all tempers for its phases, and a person at the tracker. */
export const createFlowPlace = (scenario: Scenario, broken: Break | null): Place => {
  // Hero and team get the same world for the same seed.
  const random = randomFor(scenario, 'flow');
  const clock = createManualClock();
  const disk = createSimulatedDisk({ now: () => clock.now() });
  const hooks = createHooks();
  const phases = createPhases(disk);
  let latest: ReturnType<ForeignPorts['works']> = null;
  // Drawn apart, so that a world without others is the same as ever.
  const joining = randomFor(scenario, 'others');
  const most = scenario.mode === 'team' ? joining.pick([0, 1, 2, 4]) : 0;
  const { world, parts, settings } = createFlowWorld({
    random,
    fill: scenario.mode === 'team' ? 'team' : 'fresh',
    phases: randomFor(scenario, 'phases').pick(['few', 'few', 'all'] as const),
    session: name,
    most: scenario.tasks,
    clock,
    disk,
    hear: (act) => hooks.act(act),
    now: () => hooks.now(),
  });
  const odds = {
    nonsense: random.pick([0, 0.03]),
    quota: random.pick([0, 0, 0.03]),
    isSlow: random.pick([0.02, 0.1]),
    endsWithoutResult: random.pick([0, 0.03, 0.1]),
    isBlocked: 0.02,
    fails: random.pick([0.02, 0.1]),
    crashes: 0.04,
  };
  const checking = randomFor(scenario, 'checks');
  const attended = random.chance(0.5);
  const executors = 1 + random.int(4);
  const session = createSimulatedSession({
    seed: scenario.seed,
    session: name,
    beside: { clock, disk },
    plan: 'goal: none\ntasks: [{id: none, title: None}]\n',
    attended,
    isAgreed: () => true,
    proofs: 'kept',
    ...parts,
    settings: {
      ...settings,
      flow: {
        ...defaultSettings.flow,
        ...settings.flow,
        join: joining.pick(['ask', 'ask', 'always', 'always', 'always', 'never'] as const),
      },
      // With one executor of its own the session leaves something for the others.
      concurrency: {
        max_parallel_executors: most > 0 ? 1 : executors,
        max_parallel_reviewers: 1,
        max_parallel_checks: 1,
      },
      retries: { max_attempts: 1 + random.int(3), backoff: [0, 1_000] },
      signals: { poll_interval: random.pick([1_000, 2_000, 4_000]), unproven: 'ask' },
      knowledge: {
        gate: random.pick(['never', 'always']),
        approval_timeout: random.pick([0, null, 60_000]),
        max_carry_iterations: 2,
        docs_dir: '.docs',
      },
      roles: { executor: 'simulated' },
      loop: { ...defaultSettings.loop, verify: checking.chance(0.8) ? ['check the work'] : [] },
    },
    program: () => ({
      runsMs: checking.pick([0, 50, 2_000]),
      exit: checking.chance(0.1) ? 1 : 0,
      ...broken?.program,
    }),
    livingBackends: (now, otherwise) => {
      const works = createForeignBackend(now);
      latest = { works, clock: now };
      return [
        createSimulatedBackend({ clock: now, seed: scenario.seed, otherwise, odds, phases }),
        withCodeTurns(works.backend, otherwise),
      ];
    },
    wrap: (backend, isHeard) => overheard(backend, isHeard, hooks),
  });
  const others =
    most === 0
      ? null
      : createForeignWorkers({
          ...{ clock, phases, most },
          spawn: () => session.spawn,
          works: () => latest,
          say: (problem) => hooks.say(problem),
        });
  return { session, hooks, git: null, flow: world, others };
};
