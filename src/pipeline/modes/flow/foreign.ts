import type { QuestionOption } from '../../../signals/question-kinds.ts';
import type { FlowPart } from './flow-part.ts';
import type { FlowState, TeamMember } from './flow-state.ts';
import { members } from './team.ts';

/** Whether another program runs this worker. */
export const isForeign = ({ workers }: FlowState, worker: string | null): boolean =>
  worker !== null && (workers.get(worker)?.foreign ?? null) !== null;

/** The request of the question whether a worker may join. */
export const joinRequestOf = (worker: string): string => `join:${worker}`;

/** The request of the question whether a worker still works whose process cannot be looked for. */
export const lostRequestOf = (worker: string): string => `lost:${worker}`;

/**
 * Lets workers of other programs in. An agent of the session could start one and judge its own plan, so that a person decides, unless the settings do.
 */
export const admitting: FlowPart = (state, flow) => {
  for (const member of members(flow)) {
    const { name, foreign } = member;
    if (foreign === null) continue;
    const lost = state.questions.get(lostRequestOf(name));
    if (lost?.option === 'gone')
      return {
        type: 'worker.left',
        worker: name,
        reason: `${lost.answeredBy ?? 'a person'} said that it had ended`,
      };
    if (foreign.admittedBy !== null) continue;
    const { join } = state.settings.flow;
    if (join === 'always') return { type: 'worker.admitted', worker: name, by: 'flow.join' };
    if (join === 'never') return { type: 'worker.left', worker: name, reason: 'flow.join lets no one in' };
    const question = state.questions.get(joinRequestOf(name));
    if (question === undefined)
      return {
        type: 'question.asked',
        request: joinRequestOf(name),
        kind: 'join',
        text: askText(member, foreign),
        options,
        invocation: null,
      };
    if (question.answer === null) continue;
    const by = question.answeredBy ?? 'a person';
    return question.option === 'in'
      ? { type: 'worker.admitted', worker: name, by }
      : { type: 'worker.left', worker: name, reason: `${by} did not let it in` };
  }
  return null;
};

const askText = ({ name, role }: TeamMember, asks: NonNullable<TeamMember['foreign']>): string =>
  `${name} asks to join the team: ${asks.program} (pid ${asks.process.pid}) wants ${role} tasks. Only that program decides what its agent may do.`;

const options: QuestionOption[] = [
  { id: 'in', label: 'it gets tasks for its role' },
  { id: 'out', label: 'it gets none' },
];
