import { questionKinds } from '../../signals/question-kinds.ts';
import type { Event } from '../event.ts';
import { change, type Owned, put } from '../maps.ts';
import type { Invocation, SessionState } from '../state.ts';
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

/**
 * Counts, for each invocation and the task of an Executor, the time in which it stood: paused, or until a person answered it. No
 * time of an agent, of its task or of its deadline holds it.
 */
export const countStanding = (state: SessionState, own: Owned): SessionState => {
  let { invocations, tasks } = state;
  const asking = askingPerson(state);
  for (const invocation of state.invocations.values()) {
    const { id, role, task, standsSince: since } = invocation;
    const stands = isStanding(invocation, asking);
    if (stands === (since !== null)) continue;
    const held = since === null ? 0 : Math.max(0, Date.parse(state.at) - Date.parse(since));
    const heldMs = invocation.heldMs + held;
    invocations = put(own, invocations, id, { ...invocation, heldMs, standsSince: stands ? state.at : null });
    if (held > 0 && role === 'Executor' && task !== null)
      tasks = change(own, tasks, task, (each) => ({ ...each, heldMs: each.heldMs + held }));
  }
  return invocations === state.invocations && tasks === state.tasks
    ? state
    : { ...state, invocations, tasks };
};

/** The invocations that wait for a person. Where nobody attends, a question waits for its own end, which is the agent's time. */
const askingPerson = ({ attended, permissions, questions }: SessionState): ReadonlySet<string | null> => {
  const asking = new Set<string | null>();
  for (const { invocation } of permissions.values()) asking.add(invocation);
  if (attended)
    for (const { answer, invocation, kind } of questions.values())
      if (answer === null && questionKinds[kind].holdsUp) asking.add(invocation);
  return asking;
};

const isStanding = (
  { id, stage, heldInPermission }: Invocation,
  asking: ReadonlySet<string | null>,
): boolean => stage === 'paused' || (stage === 'running' && (heldInPermission || asking.has(id)));

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
