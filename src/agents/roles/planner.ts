import { relative } from 'node:path';
import { z } from 'zod';
import { sessionPaths } from '../../session/paths.ts';
import type { CheckpointId } from '../../signals/checkpoints.ts';
import { buildGraph } from '../../tasks/graph.ts';
import type { TaskDefinition, TaskId } from '../../tasks/task.ts';
import { formatTask } from '../../tasks/task-file.ts';
import { initializeAnswerSchema, type PlanAnswer, planAnswerSchema, steerTraceSchema } from '../answers.ts';
import type { OutcomeOf } from '../outcome.ts';
import type { Artifact, Brief, Mode, Procedure, RoleEnd } from '../port.ts';
import { knownQuestions } from './known-questions.ts';
import { joinMessages, messageSchema } from './messages.ts';
import { type Halt, type Notes, noTask, passCheckpoint, readContinuation, takeTurn } from './passing.ts';
import { instructionsText, isNoted, planDocument, replanningHistory, tasksSection } from './plan-document.ts';
import { promptFor } from './prompts/render-prompt.ts';

/**
 * Makes and changes the plan (seed 000, section 3). Every mode reads the mailbox at its start, and TASK_BREAKDOWN again before it writes the tasks.
 * INITIALIZE makes the skeletons, TASK_BREAKDOWN the plan and task files. UPDATE writes the plan with its history, REBREAKDOWN the tasks of the next
 * iteration. REBREAKDOWN_TASK rewrites one task or splits it into smaller parts.
 */
export const planner: Procedure = async (port) => {
  const { brief } = port;
  const earlier = readContinuation(brief.continuation, continuationSchema);
  let state: Continuation = earlier
    ? { ...earlier, messages: joinMessages(earlier.messages, brief.messages) }
    : { step: 'start', messages: brief.messages, steers: [] };
  if (state.step === 'start') {
    const passed = await passCheckpoint(port, 'Planner.start', notesOf(state), noTask);
    if (passed.kind === 'halt') return halted(brief, passed.halt, { ...state, ...passed.notes });
    state = { ...state, ...passed.notes, step: brief.mode === 'TASK_BREAKDOWN' ? 'breakdown' : 'turn' };
  }
  if (state.step === 'breakdown') {
    const passed = await passCheckpoint(port, 'Planner.breakdown.0', notesOf(state), noTask);
    if (passed.kind === 'halt') return halted(brief, passed.halt, { ...state, ...passed.notes });
    state = { ...state, ...passed.notes, step: 'turn' };
  }
  const questions = brief.mode === 'TASK_BREAKDOWN' ? await knownQuestions(port) : [];
  const ask = {
    kind: turnOf(brief),
    prompt: promptFor(brief, turnOf(brief), { messages: state.messages, questions }),
    messages: state.messages,
    data: { continuation: state.turn },
  };
  if (brief.mode === 'INITIALIZE') {
    const turn = await takeTurn(port, ask, null, initializeAnswerSchema);
    if (turn.kind === 'end') return turn.end;
    if (turn.kind === 'halt') return halted(brief, turn.halt, { ...state, turn: turn.continuation });
    return finished(brief, initialFiles(brief, turn.answer, notesOf(state)), null);
  }
  // An agent gets messages that arrive while it plans. A script plans at once.
  const turn = await takeTurn(port, ask, boundaryOf(brief), planAnswerSchema);
  if (turn.kind === 'end') return turn.end;
  if (turn.kind === 'halt') return halted(brief, turn.halt, { ...state, turn: turn.continuation });
  if (!brief.model && keepsNotes.has(brief.mode))
    for (const { id } of state.messages.filter(isNoted))
      port.emit({ type: 'message.arrived', id, way: 'document', detail: 'in plan.md' });
  return finished(brief, planFiles(brief, turn.answer, notesOf(state)), turn.answer);
};

/** The modes whose plan lists the messages: where code plans, nothing else carries them. */
const keepsNotes: ReadonlySet<Mode> = new Set<Mode>(['TASK_BREAKDOWN', 'UPDATE']);

/** `step` is the next checkpoint to pass, or the turn itself. */
const continuationSchema = z.object({
  step: z.enum(['start', 'breakdown', 'turn']),
  messages: z.array(messageSchema).readonly(),
  steers: z.array(steerTraceSchema).readonly(),
  turn: z.unknown().optional(),
});
type Continuation = z.infer<typeof continuationSchema>;

const notesOf = ({ messages, steers }: Continuation): Notes => ({ messages, steers });

const boundaryOf = ({ model, mode }: Brief): CheckpointId | null => {
  if (!model) return null;
  return mode === 'TASK_BREAKDOWN' ? 'Planner.breakdown.0' : 'Planner.start';
};

const turnOf = ({ mode }: Brief): string =>
  ({
    INITIALIZE: 'initialize',
    UPDATE: 'update',
    REBREAKDOWN: 'rebreakdown',
    REBREAKDOWN_TASK: 'rebreakdown-task',
  })[String(mode)] ?? 'breakdown';

const initialFiles = (
  brief: Brief,
  answer: z.infer<typeof initializeAnswerSchema>,
  notes: Notes,
): readonly Artifact[] => {
  const paths = sessionPaths(brief.workspace, brief.session);
  const instructions: Artifact = {
    root: 'workspace',
    path: relative(paths.workspace, paths.instructions),
    text: instructionsText(brief),
    write: 'create',
  };
  const plan = planArtifact(brief, planDocument(brief, [], answer.approach, notes), 'create');
  return [...(answer.instructions_exist ? [] : [instructions]), ...(answer.plan_exists ? [] : [plan])];
};

const planFiles = (brief: Brief, answer: PlanAnswer, notes: Notes): readonly Artifact[] => {
  const dependants = dependantsOf(brief, answer.tasks);
  const files = answer.tasks.map((task) => taskArtifact(brief, task, dependants));
  switch (brief.mode) {
    case 'UPDATE': {
      const text = answer.plan ?? planDocument(brief, [], answer.approach, notes);
      return [
        planArtifact(
          brief,
          `${text.trimEnd()}\n\n${replanningHistory(brief, answer.notes, notes)}`,
          'replace',
        ),
      ];
    }
    case 'REBREAKDOWN':
      return [planArtifact(brief, tasksSection(brief, answer.tasks, answer.notes), 'append'), ...files];
    case 'REBREAKDOWN_TASK':
      return [...files, ...replacedTask(brief, answer.tasks, dependants)];
    default:
      return [
        planArtifact(brief, planDocument(brief, answer.tasks, answer.approach, notes), 'replace'),
        ...files,
      ];
  }
};

/** Marks a split task as replaced by its parts. */
const replacedTask = (
  brief: Brief,
  parts: readonly TaskDefinition[],
  dependants: Dependants,
): readonly Artifact[] => {
  const { task } = brief;
  const ids = parts.map((part) => part.id);
  if (!task || ids.length === 0 || ids.includes(task.id)) return [];
  return [taskArtifact(brief, { ...task, replaced_by: ids }, dependants)];
};

/** The tasks that are blocked by a task, by its id. */
type Dependants = ReadonlyMap<TaskId, readonly TaskId[]>;

/** Among the planned tasks and those that stay as they are: a task that is written again keeps the tasks that wait for it. */
const dependantsOf = (brief: Brief, planned: readonly TaskDefinition[]): Dependants => {
  const all = new Map(
    [...brief.tasks.map(({ definition }) => definition), ...planned].map((task) => [task.id, task]),
  );
  const found = new Map<TaskId, TaskId[]>();
  for (const { id, blockedBy } of all.values())
    for (const blocker of blockedBy) found.set(blocker, [...(found.get(blocker) ?? []), id]);
  return found;
};

const planArtifact = (brief: Brief, text: string, write: Artifact['write']): Artifact => {
  const paths = sessionPaths(brief.workspace, brief.session);
  const path = relative(paths.directory, paths.iteration(brief.iteration).plan);
  return { root: 'session', path, text, write };
};

const taskArtifact = (brief: Brief, task: TaskDefinition, dependants: Dependants): Artifact => {
  const paths = sessionPaths(brief.workspace, brief.session);
  const at = brief.at ?? '';
  return {
    root: 'session',
    path: relative(paths.directory, paths.iteration(brief.iteration).task(task.id)),
    text: formatTask(task, {
      createdAt: at,
      updatedAt: at,
      inheritedBy: dependants.get(task.id) ?? [],
    }),
    write: 'replace',
  };
};

const halted = (brief: Brief, halt: Halt, state: Continuation): RoleEnd => ({
  kind: 'outcome',
  outcome: { ...outcomeOf(brief, [], null), status: halt.status, blockers: halt.blockers },
  artifacts: [],
  ...(halt.status === 'paused' ? { continuation: state } : {}),
  ...(halt.escalation === undefined ? {} : { escalation: halt.escalation }),
});

const finished = (brief: Brief, artifacts: readonly Artifact[], answer: PlanAnswer | null): RoleEnd => ({
  kind: 'outcome',
  outcome: outcomeOf(brief, artifacts, answer),
  artifacts,
  ...(answer && brief.mode !== 'UPDATE' ? { tasks: answer.tasks } : {}),
});

const outcomeOf = (
  brief: Brief,
  artifacts: readonly Artifact[],
  answer: PlanAnswer | null,
): OutcomeOf<'Planner'> => ({
  role: 'Planner',
  status: 'completed',
  blockers: [],
  mode: brief.mode,
  iteration: brief.iteration,
  artifacts_created: artifacts.filter(({ write }) => write === 'create').map(({ path }) => path),
  artifacts_updated: artifacts.filter(({ write }) => write !== 'create').map(({ path }) => path),
  tasks_defined: answer?.tasks.length ?? 0,
  waves_planned: answer ? buildGraph(answer.tasks).waves.length : 0,
  next_action: nextActions[String(brief.mode)] ?? '',
});

const nextActions: Readonly<Record<string, string>> = {
  INITIALIZE: 'plan',
  TASK_BREAKDOWN: 'execute the first wave',
  UPDATE: 'break the tasks down again',
  REBREAKDOWN: 'execute the first wave',
  REBREAKDOWN_TASK: 'execute the tasks that replace it',
};
