import type { QuestionOption } from '../signals/question-kinds.ts';
import { spentLimit } from './agents/spending.ts';
import { ends, stopped } from './ends.ts';
import { isLimitHold, limitHolder } from './evolve/session.ts';
import { backendOf } from './invoke.ts';
import { mayMissReview } from './modes/flow/code-review.ts';
import { modeOf } from './modes/index.ts';
import { holdingUp } from './questions/open-questions.ts';
import {
  isOfQuestions,
  mostWithoutResult,
  requestOf,
  roleOfSlot,
  taskOfSlot,
  withoutQuestions,
} from './slot.ts';
import type { SessionState } from './state.ts';
import { anyRunning, isAnyAtWork, type Part } from './step.ts';
import { waitingTimers } from './waiting-timers.ts';

/** Holds the session at a limit like a PAUSE, so that nothing is lost, and stops it when all invocations are paused. */
export const limits: Part = (state) => {
  if (state.state === modeOf(state).last) return null;
  if (state.limit === null) {
    if (state.timeUp)
      return { type: 'limit.reached', limit: 'max_duration', reason: 'max_duration is reached' };
    const spent = spentLimit(state.spending, state.settings.limits);
    if (spent !== null) return { type: 'limit.reached', ...spent };
  }
  if (state.limit === null) return null;
  if (!state.hold)
    return { type: 'hold.requested', signal: null, by: limitHolder, message: `limit: ${state.limit}` };
  return state.hold.stage === 'paused' ? stopped(state, ends.limit(state.limit)) : null;
};

/**
 * Without a person there, an agent's question holds the session like a limit once nobody works but those who asked, and stops it when they are
 * paused (src/engine/README.md, Table of ends). An answer that arrives before that ends the hold.
 */
export const askedInVain: Part = (state) => {
  if (state.attended || state.limit !== null || state.state === modeOf(state).last) return null;
  const open = [...state.questions.values()].filter(
    ({ invocation, answer }) => answer === null && invocation !== null && state.invocations.has(invocation),
  );
  const [first] = open;
  if (isLimitHold(state)) {
    if (first === undefined) return { type: 'hold.ended', signal: null, by: limitHolder };
    return state.hold?.stage === 'paused' ? stopped(state, ends.gate(first.text)) : null;
  }
  if (first === undefined || state.hold) return null;
  const asking = new Set(open.map(({ invocation }) => invocation));
  const isAnyElse = [...state.invocations.values()].some(
    ({ id, stage }) => stage === 'running' && !asking.has(id),
  );
  return isAnyElse
    ? null
    : {
        type: 'hold.requested',
        signal: null,
        by: limitHolder,
        message: `waits for an answer: ${first.text}`,
      };
};

/** Asks a person after two consecutive turns without result. The answer "stop" ends the session when running work has ended. */
export const questions: Part = (state) => {
  // A session that has ended asks no questions, even when reopened after an ABORT.
  if (state.state === modeOf(state).last) return null;
  for (const question of state.questions.values()) {
    const { kind, slot, option } = question;
    if (kind !== 'no-result' || option !== 'stop') continue;
    return anyRunning(state)
      ? 'wait'
      : stopped(
          state,
          ends.blocked(`${slot} ended twice without a result; stopped by ${question.answeredBy}`),
        );
  }
  for (const [slot, count] of state.noResults) {
    const request = requestOf(slot);
    if (count < mostWithoutResult || state.questions.get(request)?.answer === null) continue;
    const task = state.tasks.get(taskOfSlot(slot) ?? '');
    if (task !== undefined && roleOfSlot(slot) === 'Reviewer' && mayMissReview(state, task)) continue;
    const agent = backendOf(state, roleOfSlot(slot), task ?? null);
    return {
      type: 'question.asked',
      request,
      kind: 'no-result',
      slot,
      ...(task === undefined ? {} : { task: task.definition.id }),
      text: `${agent} ended twice in a row without a result for ${task?.definition.id ?? slot}. What now?`,
      options: [
        { id: 'retry', label: 'try the same agent again' },
        ...otherAgents(state, agent),
        ...(isOfQuestions(slot) ? [{ id: withoutQuestions, label: 'plan without questions' }] : []),
        { id: 'stop', label: 'the session stops, and `resume` tries again' },
      ],
      invocation: null,
    };
  }
  return null;
};

const otherAgents = (state: SessionState, agent: string): readonly QuestionOption[] =>
  Object.keys(state.settings.agents)
    .filter((name) => name !== agent)
    .map((name) => ({ id: `use-${name}`, label: `${name} does the work from now on`, agent: name }));

/** Starts nothing during a hold. The hold begins when nothing runs any more. */
export const hold: Part = (state) => {
  if (!state.hold || state.state === modeOf(state).last) return null;
  if (state.hold.stage === 'paused' || isAnyAtWork(state)) return 'wait';
  const processes = [...state.invocations.values()].filter(
    (invocation) => invocation.command !== null,
  ).length;
  return { type: 'hold.begun', processes };
};

/** Stops a session with an open question when no person is there to answer and no other work is possible. */
export const unanswered = (state: SessionState) => {
  if (state.state === modeOf(state).last) return null;
  if (state.attended || state.invocations.size > 0 || waitingTimers(state).length > 0) return null;
  if (state.changes.step !== null || state.flow?.step) return null;
  const question = holdingUp(state);
  return question === null ? null : stopped(state, ends.gate(question.text));
};
