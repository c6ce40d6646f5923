import type { Brief, Mode, TaskBrief } from '../agents/port.ts';
import { taskPhaseSchema } from '../issues/task-list/task-phase.ts';
import { saysSomething } from '../session/guidance/guidance.ts';
import { sessionPaths } from '../session/paths.ts';
import { personVerdict } from './changes/person-review.ts';
import { asksWhereUnchecked, isVerifying, mayVerify, verifyOnMerge } from './changes/verifying.ts';
import { isVerifiedAgain } from './invoke.ts';
import { isIsolated } from './isolated.ts';
import { planCriteria } from './modes/flow/code-review.ts';
import type { Invocation, SessionState, TaskState } from './state.ts';

/** The brief of an invocation, from the state alone. Throws for an invocation that the state does not hold: that is a defect, not an input. */
export const briefOf = (state: SessionState, id: string): Brief => {
  const invocation = state.invocations.get(id);
  if (!invocation) throw new Error(`no invocation ${id}`);
  const { role, mode, cycle, continuation, promote, runner } = invocation;
  return {
    invocation: id,
    role,
    mode,
    session: state.session,
    iteration: state.iteration,
    cycle,
    goal: state.goal,
    at: invocation.startedAt,
    workspace: state.workspace,
    sessionDirectory: sessionPaths(state.workspace, state.session).directory,
    ...aboutTask(state, invocation),
    tasks: looksAtAll.has(mode) ? taskBriefs(state) : [],
    messages: [...invocation.messages, ...invocation.takenBack],
    ...(saysSomething(state.guidance) ? { guidance: state.guidance } : {}),
    ...(continuation === undefined || continuation === null ? {} : { continuation }),
    ...(promote === null ? {} : { promote }),
    ...(runner === null ? {} : { runner }),
    ...(isIsolated(state) ? { isolated: true } : {}),
    ...phaseOf(state, invocation),
    settings: state.settings,
  };
};

/** The phase of a flow's task, and the worker that has it. */
const phaseOf = (state: SessionState, { task, worker }: Invocation): Pick<Brief, 'phase' | 'worker'> => {
  if (state.mode !== 'flow' || task === null) return {};
  const phase = taskPhaseSchema.safeParse(state.tasks.get(task)?.definition.phase);
  return { ...(phase.success ? { phase: phase.data } : {}), ...(worker === null ? {} : { worker }) };
};

/** Modes that receive all tasks. A mode for one task does not. */
const looksAtAll: ReadonlySet<Mode> = new Set<Mode>([
  'INITIALIZE',
  'TASK_BREAKDOWN',
  'UPDATE',
  'REBREAKDOWN',
  'REBREAKDOWN_TASK',
  'brainstorm',
  'research',
  'feedback-analysis',
  'SESSION_REVIEW',
  'STAGE',
  'PROMOTE',
]);

const aboutTask = (
  state: SessionState,
  { task, attempt, mode }: Invocation,
): Partial<
  Pick<
    Brief,
    | 'task'
    | 'attempt'
    | 'changed'
    | 'verdict'
    | 'merged'
    | 'failedBefore'
    | 'verifies'
    | 'verification'
    | 'asks'
    | 'mayVerify'
  >
> => {
  const known = task === null ? undefined : state.tasks.get(task);
  return {
    ...(known === undefined ? {} : { task: taskIn(state, known, mode) }),
    ...(known !== undefined && mode === 'TASK_REVIEW'
      ? {
          changed: known.changed,
          ...verdictOn(state, known),
          ...mergedFirst(known),
          ...(isVerifying(state, known) ? { verifies: true } : {}),
          ...(asksWhereUnchecked(state, known) ? { asks: true } : {}),
          ...(known.verification === null ? {} : { verification: known.verification }),
        }
      : {}),
    ...(known !== undefined && mode === 'IMPLEMENT' && mayVerify(state, known) ? { mayVerify: true } : {}),
    ...(attempt === null ? {} : { attempt }),
    // The attempt is not yet recorded as started, so the reason is that of the one before.
    ...(mode === 'IMPLEMENT' && known?.status === 'failed' && known.reason !== null
      ? { failedBefore: known.reason }
      : {}),
  };
};

/** On a merge the commands of the tasks that it overrules run too. The review of an implementation has the criteria of its plan. */
const taskIn = (state: SessionState, task: TaskState, mode: Mode): TaskState['definition'] =>
  mode === 'TASK_REVIEW' && isVerifiedAgain(task)
    ? { ...task.definition, verify: verifyOnMerge(state, task) }
    : mode === 'TASK_REVIEW' && state.mode === 'flow'
      ? { ...task.definition, criteria: [...task.definition.criteria, ...planCriteria(state, task)] }
      : task.definition;

const mergedFirst = (task: TaskState): Pick<Brief, 'merged'> =>
  isVerifiedAgain(task) ? { merged: true } : {};

const verdictOn = (state: SessionState, task: TaskState): Pick<Brief, 'verdict'> => {
  const verdict = personVerdict(state, task);
  return verdict === null ? {} : { verdict };
};

const ownerOf = ({ flow }: SessionState, id: string): Pick<TaskBrief, 'owner'> => {
  const worker = flow?.claims.get(id)?.worker ?? null;
  return worker === null ? {} : { owner: worker };
};

const resultOf = ({ flow }: SessionState, id: string): Pick<TaskBrief, 'result'> => {
  const result = flow?.works.get(id)?.result?.keys ?? {};
  return Object.keys(result).length === 0 ? {} : { result };
};

/** Every task of the iteration with its standing. */
export const taskBriefs = (state: SessionState): readonly TaskBrief[] =>
  [...state.tasks.values()].map((task) => ({
    definition: task.definition,
    status: task.status,
    attempts: task.attempt,
    ...ownerOf(state, task.definition.id),
    ...resultOf(state, task.definition.id),
    ...(task.reason === null ? {} : { reason: task.reason }),
  }));
