import type { SessionState } from '../../src/pipeline/state.ts';
import type { Signal, SignalType } from '../../src/signals/signal.ts';
import type { SeededRandom } from '../helpers/seeded-random.ts';

const types: readonly SignalType[] = [
  'INFO',
  'INFO',
  'INFO',
  'STEER',
  'STEER',
  'STEER',
  'PAUSE',
  'DRAIN',
  'RESUME',
  'RESUME',
  'RETRY',
  'CANCEL',
  'SET',
  'APPROVE',
  'SKIP',
  'ANSWER',
];

/** What may be answered; some of it fits nothing. */
const optionsOf = (request: string): readonly string[] => {
  if (request.startsWith('plan:')) return ofPlans;
  if (request.startsWith('join:')) return ['in', 'in', 'in', 'out'];
  if (request.startsWith('lost:')) return ['gone', 'gone', 'gone', 'works'];
  return ['retry', 'stop', 'approve', 'revise'];
};

const ofPlans = ['approve', 'approve', 'minor', 'major', 'reject'];

/** An UNDO or REDO, mostly of work for which it means something. */
export const anyTurn = (
  random: SeededRandom,
  { tasks, changes }: SessionState,
): Partial<Signal> & { type: SignalType } => {
  const undone = [...changes.attempts.values()].filter((attempt) => attempt.undone !== null);
  const done = [...tasks.values()].flatMap(({ definition, status }) =>
    status === 'done' ? definition.id : [],
  );
  const isBack = undone.length > 0 && random.chance(0.5);
  const known = isBack ? undone.map(({ task }) => task) : done;
  const task = random.pick(
    known.length > 0 && random.chance(0.9) ? known : [...tasks.keys(), 'nobody-knows'],
  );
  const attempt = random.chance(0.2) ? { attempt: 1 + random.int(2) } : {};
  return { type: isBack ? 'REDO' : 'UNDO', task, ...attempt };
};

/** A signal of any type but UNDO and REDO (`anyTurn`), to any target, as somebody might send it at this moment. */
export const anySignal = (
  random: SeededRandom,
  state: SessionState,
): Partial<Signal> & { type: SignalType } => {
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
    'Questioner',
    'Librarian',
  ] as const);
  const iteration = random.chance(0.3) ? { iteration: random.pick([1, 1, 1, 2]) } : {};
  switch (type) {
    case 'INFO':
      return { type, target, message: `fact ${random.hex(4)}`, ...task, ...iteration };
    case 'STEER': {
      const apply = random.chance(0.5)
        ? { apply: random.pick(['restart', 'adjust', 'escalate', 'escalate'] as const) }
        : {};
      const resume = random.chance(0.2) ? { resume: true } : {};
      return { type, target, message: `also ${random.hex(4)}`, ...task, ...apply, ...resume, ...iteration };
    }
    case 'CANCEL': {
      const [order] = [...state.tasks.values()].flatMap(({ orders }) => orders);
      if (order !== undefined && random.chance(0.3)) return { type, request: order.id };
      return { type, task: random.pick([...tasks, 'nobody-knows']), message: 'again' };
    }
    case 'RETRY':
      return { type, task: random.pick([...tasks, 'nobody-knows']), message: 'again' };
    case 'SET':
      return { type, set: { 'concurrency.max_parallel_executors': 1 + random.int(4) } };
    case 'APPROVE':
      return { type, ...(random.chance(0.2) ? { promote: ['nothing-such.md'] } : {}), ...iteration };
    case 'ANSWER': {
      const asked = [...state.questions.keys()];
      const joins = asked.filter((each) => each.startsWith('join:'));
      const request = random.pick(['none', 'plan', ...asked, ...asked, ...joins, ...joins]);
      const isPlan = request.startsWith('plan:');
      const option = random.pick(optionsOf(request));
      if (isPlan) return { type, request, option, message: 'Another way.' };
      return { type, request, option, ...(option === 'revise' ? { message: 'Another way.' } : {}) };
    }
    default:
      return { type, target: random.chance(0.5) ? 'ALL' : target, ...iteration };
  }
};
