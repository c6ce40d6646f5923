import type { Agent, Role } from './signal.ts';

/**
 * The checkpoints at which every agent reads the mailbox, and its reaction to each universal type: seed 000, completed by src/signals/README.md
 * ("Checkpoints"). Tests, help and the engine use only this table.
 */
export interface Checkpoint {
  readonly id: CheckpointId;
  readonly agent: Agent;
  /** The mode, or '' for all modes of the agent. */
  readonly mode: string;
  /** Its position, in words for people: "after each command". */
  readonly where: string;
  /** The same where there is little room. */
  readonly brief?: string;
  readonly reactions: Readonly<Record<'INFO' | 'STEER' | 'PAUSE' | 'DRAIN' | 'ABORT', Reaction>>;
}

/**
 * `context`: added to the context of the invocation. `tree`: the decision tree, restart, adjust or escalate. `pause` / `abort`: returns
 * `paused` / stops. `drain`: running work continues to its end and nothing new starts. `skip-commit`: ABORT after the verdict skips the commit
 * and returns partial results. `re-evaluate`: checks the verdict again, at most twice. `guide`: the orchestrator keeps it as guidance for
 * later invocations. `leave`: stays in `inputs/`.
 */
export type Reaction =
  | 'context'
  | 'tree'
  | 'pause'
  | 'drain'
  | 'abort'
  | 'skip-commit'
  | 're-evaluate'
  | 'guide'
  | 'leave';

export type CheckpointId =
  | 'Orchestrator.boundary'
  | 'Orchestrator.invoke'
  | 'Orchestrator.between-tasks'
  | 'Orchestrator.between-reviews'
  | 'Orchestrator.approval'
  | 'Orchestrator.watch'
  | 'Planner.start'
  | 'Planner.breakdown.0'
  | 'Questioner.brainstorm.1.5'
  | 'Questioner.research.2'
  | 'Questioner.feedback.2'
  | 'Executor.0'
  | 'Executor.2'
  | 'Executor.3.5'
  | 'Reviewer.0'
  | 'Reviewer.session'
  | 'Reviewer.1.5'
  | 'Reviewer.verdict'
  | 'Librarian.stage'
  | 'Librarian.collected'
  | 'Librarian.promote';

const orchestrator = {
  INFO: 'guide',
  STEER: 'guide',
  PAUSE: 'pause',
  DRAIN: 'drain',
  ABORT: 'abort',
} as const;
const watch = { INFO: 'leave', STEER: 'leave', PAUSE: 'pause', DRAIN: 'drain', ABORT: 'abort' } as const;
const context = {
  INFO: 'context',
  STEER: 'context',
  PAUSE: 'pause',
  DRAIN: 'drain',
  ABORT: 'abort',
} as const;
const tree = { INFO: 'context', STEER: 'tree', PAUSE: 'pause', DRAIN: 'drain', ABORT: 'abort' } as const;
const verdict = {
  INFO: 'context',
  STEER: 're-evaluate',
  PAUSE: 'pause',
  DRAIN: 'drain',
  ABORT: 'skip-commit',
} as const;

export const checkpoints: readonly Checkpoint[] = [
  {
    id: 'Orchestrator.boundary',
    agent: 'Orchestrator',
    mode: '',
    where: 'whenever the state of the session changes',
    reactions: orchestrator,
  },
  {
    id: 'Orchestrator.invoke',
    agent: 'Orchestrator',
    mode: '',
    where: 'before an agent is started',
    reactions: orchestrator,
  },
  {
    id: 'Orchestrator.between-tasks',
    agent: 'Orchestrator',
    mode: '',
    where: 'between tasks',
    reactions: orchestrator,
  },
  {
    id: 'Orchestrator.between-reviews',
    agent: 'Orchestrator',
    mode: '',
    where: 'between reviews',
    reactions: orchestrator,
  },
  {
    id: 'Orchestrator.approval',
    agent: 'Orchestrator',
    mode: '',
    where: 'while lessons wait for a decision',
    reactions: orchestrator,
  },
  {
    id: 'Orchestrator.watch',
    agent: 'Orchestrator',
    mode: '',
    where: 'at any time, for the whole session',
    reactions: watch,
  },
  { id: 'Planner.start', agent: 'Planner', mode: '', where: 'when the Planner starts', reactions: context },
  {
    id: 'Planner.breakdown.0',
    agent: 'Planner',
    mode: 'TASK_BREAKDOWN',
    where: 'before the tasks are written',
    reactions: tree,
  },
  {
    id: 'Questioner.brainstorm.1.5',
    agent: 'Questioner',
    mode: 'brainstorm',
    where: 'before questions are written',
    reactions: tree,
  },
  {
    id: 'Questioner.research.2',
    agent: 'Questioner',
    mode: 'research',
    where: 'before each question',
    reactions: tree,
  },
  {
    id: 'Questioner.feedback.2',
    agent: 'Questioner',
    mode: 'feedback-analysis',
    where: 'before each critical issue',
    reactions: tree,
  },
  { id: 'Executor.0', agent: 'Executor', mode: '', where: 'before the task is read', reactions: tree },
  {
    id: 'Executor.2',
    agent: 'Executor',
    mode: '',
    where: 'before the task is marked in progress',
    reactions: context,
  },
  {
    id: 'Executor.3.5',
    agent: 'Executor',
    mode: '',
    where: 'after every command or tool call',
    brief: 'after every command',
    reactions: tree,
  },
  {
    id: 'Reviewer.session',
    agent: 'Reviewer',
    mode: 'SESSION_REVIEW',
    where: 'before the iteration is judged',
    reactions: tree,
  },
  { id: 'Reviewer.0', agent: 'Reviewer', mode: 'TASK_REVIEW', where: 'before the review', reactions: tree },
  {
    id: 'Reviewer.1.5',
    agent: 'Reviewer',
    mode: 'TASK_REVIEW',
    where: 'before the criteria are checked',
    reactions: tree,
  },
  {
    id: 'Reviewer.verdict',
    agent: 'Reviewer',
    mode: 'TASK_REVIEW',
    where: 'after the verdict, before the commit',
    reactions: verdict,
  },
  {
    id: 'Librarian.stage',
    agent: 'Librarian',
    mode: 'STAGE',
    where: 'before the lessons are written',
    reactions: tree,
  },
  {
    id: 'Librarian.collected',
    agent: 'Librarian',
    mode: 'STAGE',
    where: 'after the material for lessons is collected',
    reactions: tree,
  },
  {
    id: 'Librarian.promote',
    agent: 'Librarian',
    mode: 'PROMOTE',
    where: 'before the kept lessons are stored',
    reactions: tree,
  },
];

/** The checkpoint with this id. */
export const checkpointOf = (id: CheckpointId): Checkpoint => {
  const found = checkpoints.find((checkpoint) => checkpoint.id === id);
  if (!found) throw new Error(`no checkpoint ${id}`);
  return found;
};

/** A role's checkpoints, for help texts and "will be read …". `mode`: only those that it passes in this mode. */
export const checkpointsOf = (agent: Agent | Role, mode?: string): readonly Checkpoint[] =>
  checkpoints.filter(
    (checkpoint) =>
      checkpoint.agent === agent &&
      (mode === undefined || checkpoint.mode === '' || checkpoint.mode === mode),
  );

/** The recurring checkpoint of an agent in this mode, or when its modes agree on one. */
export const loopOf = (agent: Agent | Role, mode?: string): Checkpoint | null => {
  const all = checkpointsOf(agent, mode);
  const last = all.at(-1);
  return last && all.every((each) => each.mode === last.mode) && agent !== 'Orchestrator' ? last : null;
};
