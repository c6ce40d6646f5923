import { causeOf, type FailureCause } from '../../pipeline/events/failure-cause.ts';
import { sorted } from './count-sessions.ts';
import { type Counter, type Rate, rateOf } from './counter.ts';

export interface TaskCounts {
  /** Tasks that were planned, without those that others took over. */
  readonly total: number;
  /** How their last attempt ended; `not started` without one. */
  readonly outcomes: readonly { readonly outcome: string; readonly share: Rate }[];
  /** Tasks whose first attempt was qualified, of those whose first attempt was judged. */
  readonly firstPass: Rate;
  /** The same by agent. */
  readonly firstPassByAgent: readonly { readonly agent: string; readonly share: Rate }[];
  /** Attempts of all tasks that were started, and how many tasks needed how many. */
  readonly attempts: { readonly total: number; readonly tasks: number; readonly perTask: number | null };
  readonly byAttempts: readonly { readonly attempts: number; readonly tasks: number }[];
  /** Why attempts failed, the most frequent first. */
  readonly causes: readonly { readonly cause: string; readonly count: number }[];
  /** Attempts that were repeated after a failure, automatic retries of calls, and tasks that were opened again. */
  readonly retries: { readonly attempts: number; readonly calls: number; readonly resets: number };
}

/** Its attempts were work, but it counts in the tasks that took it over. */
const replaced = 'replaced';

interface Task {
  attempts: number;
  outcome: string;
  agent: string;
  first: 'qualified' | 'failed' | null;
}

export const createTaskCount = (): Counter<TaskCounts> => {
  const all: Task[] = [];
  let session = new Map<string, Task>();
  let failures = new Map<string, string>();
  const causes = new Map<string, number>();
  const retries = { attempts: 0, calls: 0, resets: 0 };
  const taskOf = (id: string): Task => {
    const known = session.get(id);
    if (known) return known;
    const task: Task = { attempts: 0, outcome: 'not started', agent: '', first: null };
    session.set(id, task);
    all.push(task);
    return task;
  };
  const judge = (id: string, attempt: number, outcome: 'qualified' | 'failed'): void => {
    const task = taskOf(id);
    task.outcome = outcome;
    if (attempt <= 1 && task.first === null) task.first = outcome;
  };
  return {
    begin: () => {
      session = new Map();
      failures = new Map();
    },
    take: (event) => {
      switch (event.type) {
        case 'tasks.defined':
        case 'iteration.started':
          for (const { id } of event.tasks) taskOf(id);
          break;
        case 'task.started': {
          const task = taskOf(event.task);
          task.attempts += 1;
          task.outcome = 'running';
          task.agent ||= event.owner;
          if (event.attempt > 1) retries.attempts += 1;
          break;
        }
        case 'task.qualified':
          judge(event.task, event.attempt, 'qualified');
          break;
        case 'task.failed': {
          judge(event.task, event.attempt, 'failed');
          const { who } = event.cause ?? causeOf(event.reason);
          const cause = failures.get(event.invocation ?? '') ?? named[who];
          causes.set(cause, (causes.get(cause) ?? 0) + 1);
          break;
        }
        case 'task.interrupted':
          taskOf(event.task).outcome = 'interrupted';
          break;
        case 'task.cancelled':
          taskOf(event.task).outcome = 'cancelled';
          break;
        case 'task.replaced':
          taskOf(event.task).outcome = replaced;
          break;
        case 'task.reset':
          retries.resets += 1;
          break;
        case 'retry.scheduled':
          retries.calls += 1;
          break;
        case 'invocation.failed':
          failures.set(event.invocation, event.kind);
          break;
        default:
          break;
      }
    },
    result: () => resultOf(all, causes, { ...retries }),
  };
};

const resultOf = (
  all: readonly Task[],
  causes: ReadonlyMap<string, number>,
  retries: TaskCounts['retries'],
): TaskCounts => {
  const started = all.filter(({ attempts }) => attempts > 0);
  const attempts = started.reduce((sum, task) => sum + task.attempts, 0);
  const own = all.filter(({ outcome }) => outcome !== replaced);
  const outcomes = Map.groupBy(own, ({ outcome }) => outcome);
  return {
    total: own.length,
    outcomes: sorted(new Map([...outcomes].map(([outcome, tasks]) => [outcome, tasks.length]))).map(
      ([outcome, count]) => ({ outcome, share: rateOf(count, own.length) }),
    ),
    firstPass: firstPass(all),
    firstPassByAgent: [...Map.groupBy(started, ({ agent }) => agent)].map(([agent, tasks]) => ({
      agent,
      share: firstPass(tasks),
    })),
    attempts: {
      total: attempts,
      tasks: started.length,
      perTask: started.length === 0 ? null : attempts / started.length,
    },
    byAttempts: [...Map.groupBy(started, (task) => task.attempts)]
      .map(([number, tasks]) => ({ attempts: number, tasks: tasks.length }))
      .sort((a, b) => a.attempts - b.attempts),
    causes: sorted(causes).map(([cause, count]) => ({ cause, count })),
    retries,
  };
};

const firstPass = (tasks: readonly Task[]): Rate => {
  const judged = tasks.filter(({ first }) => first !== null);
  return rateOf(judged.filter(({ first }) => first === 'qualified').length, judged.length);
};

/** What the attempt failed at; a call that failed says how itself. */
const named: Readonly<Record<FailureCause['who'], string>> = {
  work: 'its own work',
  verify: 'verify',
  review: 'review',
  merge: 'after the merge',
  limit: 'a limit',
  crash: 'crash',
  person: 'a person',
  definition: 'task definition missing',
};
