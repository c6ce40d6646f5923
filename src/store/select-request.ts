import type { SessionState } from '../pipeline/state.ts';
import { count } from './moment.ts';

/** Something that an ANSWER settles: an agent's question, or the gate of the plan. */
export interface OpenRequest {
  readonly request: string;
  readonly text: string;
  readonly options: readonly string[];
  /** ISO 8601. */
  readonly since: string;
}

/** The name of the plan's gate in an ANSWER. */
export const planRequest = 'plan';

/** All that wait for an answer, the plan's gate first. */
export const selectRequests = (session: SessionState): readonly OpenRequest[] => [
  ...(session.gate?.gate === 'plan' ? [planGate(session, session.gate.opened)] : []),
  ...[...session.questions.values()]
    .filter((question) => question.answer === null)
    .map(({ request, text, options, asked }) => ({ request, text, options, since: asked })),
];

/** `null` when it is settled or was never asked. */
export const selectRequest = (session: SessionState | null, request: string): OpenRequest | null =>
  (session && selectRequests(session).find((open) => open.request === request)) ?? null;

const planGate = (session: SessionState, since: string): OpenRequest => ({
  request: planRequest,
  text: `Approve the plan, ${count(session.tasks.size, 'task')}? Anything else you type sends it back with your words. It stands in iterations/${session.iteration}/plan.md.`,
  options: ['approve', 'abort'],
  since,
});
