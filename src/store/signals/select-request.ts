import type { SessionState } from '../../pipeline/state.ts';
import { count } from '../text/local-time.ts';

/** A request settled by an ANSWER: an agent's question, or the plan gate. */
export interface OpenRequest {
  readonly request: string;
  readonly text: string;
  readonly options: readonly string[];
  /** ISO 8601. */
  readonly since: string;
}

/** The plan gate's id in an ANSWER. */
export const planRequest = 'plan';

/** All open requests, the plan gate first. */
export const selectRequests = (session: SessionState): readonly OpenRequest[] => [
  ...(session.gate?.gate === 'plan' ? [planGate(session, session.gate.opened)] : []),
  ...[...session.questions.values()]
    .filter((question) => question.answer === null)
    .map(({ request, text, options, asked }) => ({ request, text, options, since: asked })),
];

/** The open request with this id. `null` when it is settled or unknown. */
export const selectRequest = (session: SessionState | null, request: string): OpenRequest | null =>
  (session && selectRequests(session).find((open) => open.request === request)) ?? null;

const planGate = (session: SessionState, since: string): OpenRequest => ({
  request: planRequest,
  text: `Approve the plan, ${count(session.tasks.size, 'task')}? Anything else you type sends it back with your words. It stands in iterations/${session.iteration}/plan.md.`,
  options: ['approve', 'abort'],
  since,
});
