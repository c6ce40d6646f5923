import { fallbacksOf } from '../../agents/fallback.ts';
import type { EventOf } from '../event.ts';
import { drop, type Owned, put } from '../maps.ts';
import type { SessionState } from '../state.ts';

type Quota = Pick<SessionState, 'usedUp' | 'settings' | 'at'>;

/** The agent that does the work of `agent` now: itself, or while its quota is used up the first of its fallbacks that may work. */
export const agentInstead = (state: Quota, agent: string): string =>
  [agent, ...fallbacksOf(state.settings.agents, agent)].find((name) => mayWork(state, name)) ?? agent;

const mayWork = ({ usedUp, at }: Quota, agent: string): boolean =>
  (usedUp.get(agent)?.until ?? 0) <= Date.parse(at);

/** Wait in milliseconds when an agent reports a used-up quota without an end time. It doubles with each report in a row, up to hours. */
const quotaWithoutTime = 60_000;
const longestWait = 4 * 3_600_000;

/** After a used-up quota: a fallback takes over, or dispatch waits until the quota starts again. */
export const quotaReported = (
  state: SessionState,
  event: EventOf<'invocation.failed'>,
  own: Owned,
): Partial<Pick<SessionState, 'usedUp' | 'quotaUntil'>> => {
  const at = Date.parse(event.at);
  const invocation = state.invocations.get(event.invocation);
  const times = (invocation && state.usedUp.get(invocation.backend)?.times) ?? 0;
  const until = Math.max(event.until ?? 0, at + Math.min(quotaWithoutTime * 2 ** times, longestWait));
  const hold = { quotaUntil: Math.max(state.quotaUntil ?? 0, until) };
  if (invocation === undefined) return hold;
  const { backend, insteadOf } = invocation;
  const usedUp = put(own, state.usedUp, backend, { until, times: times + 1 });
  const after = { usedUp, settings: state.settings, at: event.at };
  return mayWork(after, agentInstead(after, insteadOf ?? backend)) ? { usedUp } : { usedUp, ...hold };
};

/** Every agent may try again now. How often each has reported a used-up quota is kept until it answers. */
export const quotaTried = (
  { usedUp }: SessionState,
  at: number,
): Pick<SessionState, 'usedUp' | 'quotaUntil'> => ({
  quotaUntil: null,
  usedUp: new Map(
    [...usedUp].map(([name, { until, times }]) => [name, { until: Math.min(until, at), times }]),
  ),
});

/** After an answer: an agent whose time was over has a quota again. */
export const quotaAnswered = (
  state: SessionState,
  event: EventOf<'invocation.ended'>,
  own: Owned,
): Partial<Pick<SessionState, 'usedUp'>> => {
  const backend = state.invocations.get(event.invocation)?.backend;
  const entry = backend === undefined ? undefined : state.usedUp.get(backend);
  if (backend === undefined || entry === undefined || entry.until > Date.parse(event.at)) return {};
  return { usedUp: drop(own, state.usedUp, backend) };
};
