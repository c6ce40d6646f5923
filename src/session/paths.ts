import { join } from 'node:path';
import type { TaskId } from '../tasks/task.ts';

/** Every path of a session directory (src/session/README.md), absolute. The only place that knows the layout we write. */
export interface SessionPaths {
  readonly workspace: string;
  readonly session: string;
  /** `<workspace>/.ralph-sessions` */
  readonly root: string;
  /** `<root>/<session>` */
  readonly directory: string;
  readonly instructions: string;
  readonly metadata: string;
  readonly journal: string;
  /** `journal.state.json`: the state at some byte of a long journal. A cache that may be deleted. */
  readonly journalState: string;
  readonly lock: string;
  readonly logs: string;
  readonly signals: string;
  readonly iteration: (iteration: number) => IterationPaths;
  /** `logs/<task>-r<attempt>.log`; an invocation without a task logs under its own id. */
  readonly log: (subject: TaskId, attempt: number) => string;
}

interface IterationPaths {
  readonly directory: string;
  readonly metadata: string;
  readonly plan: string;
  readonly progress: string;
  readonly review: string;
  readonly tasks: string;
  readonly reports: string;
  readonly questions: string;
  readonly knowledge: string;
  /** Ours: documents that agents offered for the gate during their work. STAGE moves them. */
  readonly offered: string;
  readonly feedbacks: string;
  readonly task: (task: TaskId) => string;
  /** `<task>-report.md` for the first attempt, `<task>-report-r<A>.md` after. */
  readonly report: (task: TaskId, attempt: number) => string;
}

/** The form of a session id: local `yyMMdd-HHmmss`. */
export const sessionIdPattern = /^\d{6}-\d{6}$/;

/** The paths of one session; `session` must have been checked against `sessionIdPattern`. */
export const sessionPaths = (workspace: string, session: string): SessionPaths => {
  const root = join(workspace, '.ralph-sessions');
  const directory = join(root, session);
  const logs = join(directory, 'logs');
  /** Cached because every event needs them several times. */
  const iterations = new Map<number, IterationPaths>();
  return {
    workspace,
    session,
    root,
    directory,
    instructions: join(root, `${session}.instructions.md`),
    metadata: join(directory, 'metadata.yaml'),
    journal: join(directory, 'journal.jsonl'),
    journalState: join(directory, 'journal.state.json'),
    lock: join(directory, 'lock'),
    logs,
    signals: join(directory, 'signals'),
    iteration: (iteration) => {
      const known = iterations.get(iteration);
      if (known) return known;
      const made = iterationPaths(join(directory, 'iterations', String(iteration)));
      iterations.set(iteration, made);
      return made;
    },
    log: (subject, attempt) => join(logs, `${subject}-r${attempt}.log`),
  };
};

const iterationPaths = (directory: string): IterationPaths => ({
  directory,
  metadata: join(directory, 'metadata.yaml'),
  plan: join(directory, 'plan.md'),
  progress: join(directory, 'progress.md'),
  review: join(directory, 'review.md'),
  tasks: join(directory, 'tasks'),
  reports: join(directory, 'reports'),
  questions: join(directory, 'questions'),
  knowledge: join(directory, 'knowledge'),
  offered: join(directory, 'offered'),
  feedbacks: join(directory, 'feedbacks'),
  task: (task) => join(directory, 'tasks', `${task}.md`),
  report: (task, attempt) =>
    join(directory, 'reports', `${task}-report${attempt > 1 ? `-r${attempt}` : ''}.md`),
});
