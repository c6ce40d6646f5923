import type { IssueId } from '../../../issues/issue.ts';
import { flowTaskOf } from '../../../issues/task-list/stored-task.ts';
import type { FlowStateName } from '../../../session/status.ts';
import type { TaskId } from '../../../tasks/task.ts';
import { type End, ends, stopped } from '../../ends.ts';
import { openItems } from '../../initial.ts';
import type { SessionState } from '../../state.ts';
import { enter } from '../../step.ts';
import type { PipelineMode } from '../mode.ts';
import type { Stage } from '../stage.ts';
import { endOf } from '../waves/end.ts';
import { entering as enteringWaves } from '../waves/entering.ts';
import { knowledgeApproval } from '../waves/knowledge-approval.ts';
import { knowledgeExtraction } from '../waves/knowledge-extraction.ts';
import { sessionReview } from '../waves/session-review.ts';
import { windDown } from '../waves/wind-down.ts';
import { afterAway } from './away.ts';
import { executing } from './executing.ts';
import { type FlowState, lostReason, noWork } from './flow-state.ts';
import { anyLocked, listOf } from './flow-tasks.ts';
import { lastLocks } from './locks-back.ts';
import { planning } from './planning.ts';
import { strip } from './strip.ts';
import { isStuck, stuck } from './stuck.ts';
import { watchAgain } from './watch-again.ts';

/** A task that was opened again is worked on in EXECUTING_BATCH: a flow chooses no waves. */
const withoutWaves =
  (stage: Stage): Stage =>
  (state) => {
    const step = stage(state);
    return step?.type === 'state.entered' && step.state === 'BATCHING'
      ? enter(state, 'EXECUTING_BATCH', step.reason)
      : step;
  };

/** There may have been a start since the list was done: it reads how its issues are by now, and finds those and the locks that were gone. */
const complete: Stage = (state) => {
  const { flow } = state;
  if (state.reopened) return enter(state, 'EXECUTING_BATCH', 'a task was reopened');
  if (flow === null) return stopped(state, endOfFlow(state));
  if (isStuck(flow)) return stuck(state, flow);
  if (flow.step !== null) return afterAway(flow);
  const locks = lastLocks(flow, listOf(state, flow));
  if (locks !== null) return locks;
  return flow.due ? { type: 'flow.step-started', step: { kind: 'poll' } } : stopped(state, endOfFlow(state));
};

/** Issues that need a person are no success, though every task is settled. */
const endOfFlow = (state: SessionState): End => {
  const end = endOf(state);
  const named = issuesForAPerson(state);
  const lost =
    [...(state.flow?.works.values() ?? [])].map(lostReason).find((reason) => reason !== null) ?? null;
  if (end.exitCode === 0 && lost !== null) return ends.needsFeedback(lost);
  if (end.exitCode !== 0 || named.length === 0) return end;
  return ends.needsFeedback(`${named.join(', ')} ${named.length === 1 ? 'needs' : 'need'} a person`);
};

/** The issues of the task list that are Human Needed, by the last reading. */
export const issuesForAPerson = (state: SessionState): readonly IssueId[] => {
  const left = (state.flow?.reading?.issues ?? []).filter((issue) => issue.state === 'Human Needed');
  const own = new Set(
    state.flow === null ? [] : listOf(state, state.flow).flatMap(({ listed }) => listed.issues),
  );
  return left.flatMap(({ id }) => (own.has(id) ? [id] : []));
};

/** Whether a step keeps the result of a task, or decides about it. */
const isResultOf = (step: FlowState['step'], task: TaskId): boolean =>
  (step?.kind === 'record' || step?.kind === 'decide') && step.task === task;

/**
 * A task that is opened again has no result. It holds the locks of its issues while it was not done, and while its result has not moved them on: an
 * implementation holds them until its pull request. An end gives them back.
 */
const workedAgain = ({ tasks }: SessionState, flow: FlowState, task: TaskId): FlowState['works'] => {
  const { works } = flow;
  const others = [...works].filter(([id]) => id !== task);
  const known = tasks.get(task);
  const issues = known === undefined ? [] : (flowTaskOf(known.definition)?.issues ?? []);
  const { hold, left } = works.get(task) ?? noWork;
  const isHeld = hold.by === 'us' && (known?.status !== 'done' || anyLocked(flow, issues));
  // Its issues need a person no more: the next attempt takes them back.
  const fresh = { ...noWork, ...(isHeld ? { hold } : {}), ...(left === undefined ? {} : { left }) };
  return new Map(isHeld || left !== undefined ? [...others, [task, fresh]] : others);
};

/** Total: a new state does not compile without its stage. */
const stages: Readonly<Record<FlowStateName, Stage>> = {
  PLANNING: planning,
  EXECUTING_BATCH: executing,
  SESSION_REVIEW: withoutWaves(sessionReview),
  KNOWLEDGE_EXTRACTION: withoutWaves(knowledgeExtraction),
  KNOWLEDGE_APPROVAL: withoutWaves(knowledgeApproval),
  COMPLETE: complete,
};

/** Issues of a tracker, from triage to merge (src/issues/README.md). */
export const flow: PipelineMode = {
  name: 'flow',
  first: 'PLANNING',
  last: 'COMPLETE',
  stages,
  plansAgain: false,
  readsFeedback: false,
  created: (event) => ({
    planItems: openItems([]),
    flow:
      event.flow === undefined
        ? null
        : {
            ...event.flow,
            reading: null,
            step: null,
            overtaken: false,
            away: null,
            refusal: null,
            unseen: false,
            due: false,
            gone: [],
            again: false,
            works: new Map(),
            workers: new Map(),
            messages: { sent: 0, refused: 0, woken: [] },
            claims: new Map(),
            rounds: new Map(),
            refused: new Map(),
            answered: new Map(),
          },
  }),
  // The start is a person's answer to what stood in the way.
  started: (state, { attended, flags }) =>
    state.flow && {
      flow: { ...state.flow, away: null, refusal: null, unseen: false, due: state.flow.reading !== null },
      ...(attended || flags?.watch === true ? watchAgain(state) : {}),
    },
  windDown,
  reopened: (state, task) => ({
    reopened: state.reopened || state.state === 'COMPLETE',
    ...(state.flow === null
      ? {}
      : {
          flow: {
            ...state.flow,
            overtaken: state.flow.overtaken || isResultOf(state.flow.step, task),
            works: workedAgain(state, state.flow, task),
            claims: new Map([...state.flow.claims].filter(([id]) => id !== task)),
          },
        }),
  }),
  strip,
  entering: (state, name, own) => {
    const reads = name === 'PLANNING' && state.flow !== null;
    return {
      ...enteringWaves(state, name === 'EXECUTING_BATCH' ? 'BATCHING' : name, own),
      ...(reads && state.flow !== null ? { flow: { ...state.flow, reading: null, again: false } } : {}),
    };
  },
};
