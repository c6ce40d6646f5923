import type { Event } from '../event.ts';
import type { SessionState } from '../state.ts';
import { isInPermission } from '../step.ts';
import { isLimitHold, spentUntil } from './session.ts';

/**
 * Counts the time in which the session could only continue after a person acted. It depends on journaled facts alone: output, which
 * is not journaled, neither begins nor ends a wait, so a replay counts the same.
 */
export const countWaiting = (before: SessionState, after: SessionState, event: Event): SessionState => {
  // A killed program wrote no end: its wait lasted up to its last event.
  const isNewHost = event.type === 'session.started';
  const since = before.waitingSince;
  const waits = waitsForPerson(after);
  if (!isNewHost && waits === (since !== null)) return after;
  const end = isNewHost ? before.at : event.at;
  const waited = since === null ? 0 : Math.max(0, Date.parse(end) - Date.parse(since));
  return { ...after, waitedMs: before.waitedMs + waited, waitingSince: waits ? event.at : null };
};

/** The running time up to `ms`, split in the time it worked and the time it waited for a person. All in milliseconds. */
export const workedUntil = (
  session: SessionState,
  ms: number,
): { readonly worked: number; readonly waited: number } => {
  const { running, spentMs, waitedMs, waitingSince } = session;
  const total = running ? spentUntil(session, ms) : spentMs;
  const open = waitingSince === null ? 0 : Math.max(0, ms - Date.parse(waitingSince));
  const waited = Math.min(total, waitedMs + open);
  return { worked: total - waited, waited };
};

const waitsForPerson = (state: SessionState): boolean => {
  if (!state.running || state.abort !== null) return false;
  if (state.gate !== null) return true;
  if (state.hold !== null) return state.hold.stage === 'paused' && !isLimitHold(state);
  const asking = new Set<string | null>();
  for (const { answer, invocation } of state.questions.values()) if (answer === null) asking.add(invocation);
  if (asking.size === 0 && state.permissions.size === 0) return false;
  for (const invocation of state.invocations.values())
    if (invocation.stage === 'running' && !asking.has(invocation.id) && !isInPermission(state, invocation))
      return false;
  return true;
};
