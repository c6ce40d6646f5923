import type { Engine } from '../../src/engine/engine.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import type { Event } from '../../src/pipeline/event.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { Signal, SignalType } from '../../src/signals/signal.ts';
import { createSimulatedSession, type SimulatedSession } from './engine-session.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

/**
 * One whole session out of one seed (quality.md, Torture): a random graph, programs that are slow, fail, ignore TERM or leave children behind, signals of
 * every type at random moments, quits, kills and power losses at random moments, and a person who answers in the end. Gives what was wrong.
 */
export const simulate = async (seed: number): Promise<readonly string[]> => {
  const random = createSeededRandom(seed);
  const problems: string[] = [];
  const world = createWorld(random, seed);
  watchInvariants(world.session, problems);
  let engine: Engine | null = null;
  let begun = false;
  for (let step = 0; step < 4_000; step += 1) {
    if (!engine) {
      engine = begun ? world.session.resume() : world.session.begin();
      begun = true;
      const fault = await started(world.session, engine);
      if (fault !== null) return [...problems, `did not start: ${fault}`];
    }
    await world.session.clock.advanceAsync(random.pick([100, 250, 250, 1_000, 5_000]));
    const state = engine.state();
    if (!state.running && state.status !== 'in_progress') {
      if (state.state === 'COMPLETE' || state.status === 'blocked') {
        await world.session.clock.advanceAsync(10_000);
        return [
          ...problems,
          ...(state.status === 'blocked' ? [`blocked: ${state.stopReason}`] : checkEnd(world.session, state)),
        ];
      }
      engine = null;
      continue;
    }
    if (!state.running) {
      engine = null;
      continue;
    }
    // Later on nothing disturbs any more: then it has to come to its end.
    engine =
      step < 250
        ? await disturb(world.session, engine, random, begunJournal(world.session))
        : help(world.session, engine, random);
  }
  const state = engine?.state();
  return [
    ...problems,
    `never ended: ${state?.state} ${state?.status} ${JSON.stringify(state?.hold)} ${JSON.stringify([...(state?.invocations.values() ?? [])].map(({ id, stage, command }) => ({ id, stage, command })))}`,
  ];
};

const tasksOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `t${index}`);

const createWorld = (random: SeededRandom, seed: number) => {
  const ids = tasksOf(3 + random.int(6));
  const lines = ids.map((id, index) => {
    const blockers = ids.slice(0, index).filter(() => random.chance(0.35));
    const type = random.chance(0.15) ? ', type: Sequential' : '';
    const verify = random.chance(0.7) ? `, verify: [check ${id}]` : '';
    return `  - {id: ${id}, title: Task ${id}, files: [${id}.txt], blockedBy: [${blockers.join(', ')}], run: [make ${id}, more ${id}]${verify}${type}}`;
  });
  const attended = random.chance(0.5);
  const session: SimulatedSession = createSimulatedSession({
    seed,
    plan: `goal: Simulated\ntasks:\n${lines.join('\n')}\n`,
    attended,
    settings: {
      concurrency: { max_parallel_executors: 1 + random.int(3), max_parallel_reviewers: 1 + random.int(3) },
      retries: { max_attempts: 1 + random.int(3), backoff: [0, 1_000] },
      planning: { max_cycles: random.int(3) },
    },
    program: ({ command }) => {
      const name = String(command).split(' ')[1];
      return {
        runsMs: random.pick([0, 50, 300, 3_000, 20_000]),
        exit: random.chance(0.12) ? 1 : 0,
        ignoresTerm: random.chance(0.2),
        survivors: random.chance(0.1) ? 1 : 0,
        output: random.chance(0.5) ? [{ text: `working on ${name}\n` }] : [],
        effect: () => session.disk.put(`/work/${name}.txt`, 'made'),
      };
    },
  });
  return { session, ids };
};

const started = async (session: SimulatedSession, engine: Engine): Promise<string | null> => {
  let fault: string | null = null;
  let done = false;
  const starting = engine.start().then((result) => {
    done = true;
    fault = result && `${result.code}: ${result.what}`;
  });
  for (let wait = 0; !done && wait < 100; wait += 1) await session.clock.advanceAsync(250);
  await starting;
  return fault;
};

const begunJournal = (session: SimulatedSession): boolean =>
  session.disk.lstat(session.paths.journal) !== null &&
  readJournal(session.disk, session.paths.journal).events.length > 1;

const disturb = async (
  session: SimulatedSession,
  engine: Engine,
  random: SeededRandom,
  durable: boolean,
): Promise<Engine | null> => {
  if (random.chance(0.12)) session.publish(anySignal(random, engine.state()));
  if (random.chance(0.006)) {
    const quitting = engine.quit('quit');
    for (let wait = 0; wait < 40; wait += 1) await session.clock.advanceAsync(100);
    await quitting;
    return null;
  }
  if (durable && random.chance(0.01)) {
    session.kill(random.chance(0.5) ? () => random.chance(0.5) : undefined);
    return null;
  }
  return engine;
};

/** A person who wants it to end: ends holds, settles gates, answers questions. */
const help = (session: SimulatedSession, engine: Engine, random: SeededRandom): Engine => {
  const { hold, gate, questions } = engine.state();
  if (!random.chance(0.2)) return engine;
  if (hold) session.publish({ type: 'RESUME' });
  else if (gate) session.publish({ type: random.pick(['APPROVE', 'SKIP'] as const) });
  else
    for (const { request, answer } of questions.values())
      if (answer === null) session.publish({ type: 'ANSWER', request, option: 'stop' });
  return engine;
};

const types: readonly SignalType[] = [
  'INFO',
  'INFO',
  'INFO',
  'STEER',
  'STEER',
  'STEER',
  'PAUSE',
  'RESUME',
  'RESUME',
  'RETRY',
  'CANCEL',
  'SET',
  'APPROVE',
  'SKIP',
  'ANSWER',
];

const anySignal = (random: SeededRandom, state: SessionState): Partial<Signal> & { type: SignalType } => {
  const type = random.chance(0.01) ? 'ABORT' : random.pick(types);
  const tasks = [...state.tasks.keys()];
  const task = tasks.length > 0 && random.chance(0.5) ? { task: random.pick(tasks) } : {};
  const target = random.pick([
    'ALL',
    'ALL',
    'Orchestrator',
    'Executor',
    'Reviewer',
    'Planner',
    'Librarian',
  ] as const);
  const iteration = random.chance(0.3) ? { iteration: 1 } : {};
  switch (type) {
    case 'INFO':
      return { type, target, message: `fact ${random.hex(4)}`, ...task, ...iteration };
    case 'STEER': {
      const apply = random.chance(0.5)
        ? { apply: random.pick(['restart', 'adjust', 'escalate'] as const) }
        : {};
      const resume = random.chance(0.2) ? { resume: true } : {};
      return { type, target, message: `also ${random.hex(4)}`, ...task, ...apply, ...resume, ...iteration };
    }
    case 'RETRY':
    case 'CANCEL':
      return tasks.length > 0 ? { type, task: random.pick(tasks), message: 'again' } : { type: 'PAUSE' };
    case 'SET':
      return { type, set: { 'concurrency.max_parallel_executors': 1 + random.int(4) } };
    case 'ANSWER':
      return { type, request: 'none', option: 'retry' };
    default:
      return { type, target: 'ALL', ...iteration };
  }
};

/** What has to hold at every moment. */
const watchInvariants = (session: SimulatedSession, problems: string[]): void => {
  session.watchers.add((event, state) => {
    if (event.type === 'invocation.started' && event.mode === 'IMPLEMENT') {
      const task = state.tasks.get(event.task ?? '');
      for (const blocker of task?.definition.blockedBy ?? []) {
        const by = state.tasks.get(blocker);
        const parts = by?.definition.replaced_by ?? [];
        if (by?.status !== 'done' && parts.length === 0)
          problems.push(`${event.seq}: ${event.task} started before ${blocker} was done`);
      }
    }
    if (event.type === 'invocation.started' && (state.hold || state.abort))
      problems.push(`${event.seq}: ${event.invocation} started while held or aborted`);
    if (event.type === 'process.started' && state.hold?.stage === 'paused')
      problems.push(`${event.seq}: a process started while paused`);
    if (event.type === 'session.stopped' && event.status === 'aborted' && session.spawn.running().length > 0)
      problems.push(`${event.seq}: ABORT left ${session.spawn.running().join(', ')} running`);
  });
};

const checkEnd = (session: SimulatedSession, state: SessionState): readonly string[] => {
  const problems: string[] = [];
  const { events } = readJournal(session.disk, session.paths.journal);
  events.forEach((event, index) => {
    if (event.seq !== index + 1) problems.push(`line ${index + 1} has number ${event.seq}`);
  });
  problems.push(...repeated(events, 'task.qualified'), ...repeated(events, 'task.submitted'));
  if (session.spawn.running().length > 0)
    problems.push(`still running at the end: ${session.spawn.running().join(', ')}`);
  const stages = new Map<string, string[]>();
  for (const { id, stage } of session.mailbox().list()) stages.set(id, [...(stages.get(id) ?? []), stage]);
  for (const [id, where] of stages) {
    const signal = state.signals.get(id)?.signal;
    const waits =
      where[0] === 'pending' && (signal === undefined || signal.type === 'RETRY' || signal.type === 'CANCEL');
    if (where.length !== 1 || !(waits || where[0] === 'processed' || where[0] === 'rejected'))
      problems.push(`${signal?.type} ${id.slice(0, 8)} is ${where.join(' and ')}`);
  }
  for (const life of state.signals.values())
    if (
      ['pending', 'claimed', 'delivered'].includes(life.stage) &&
      !['RETRY', 'CANCEL'].includes(life.signal.type)
    )
      problems.push(
        `${life.signal.type} ${life.id.slice(0, 8)} is still ${life.stage} in the journal: ${life.waitsFor}`,
      );
  for (const task of state.tasks.values())
    if (task.status === 'running' || (task.status === 'review' && state.status !== 'aborted'))
      problems.push(`${task.definition.id} is ${task.status} at the end`);
  return problems;
};

/** A result that is recorded twice for one attempt was worked out twice. */
const repeated = (events: readonly Event[], type: 'task.qualified' | 'task.submitted'): readonly string[] => {
  const seen = new Set<string>();
  return events.flatMap((event) => {
    if (event.type !== type) return [];
    const key = `${event.task} attempt ${event.attempt}`;
    const again = seen.has(key);
    seen.add(key);
    return again ? [`${type} of ${key} stands twice`] : [];
  });
};
