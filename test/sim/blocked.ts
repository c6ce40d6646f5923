import { readJournal } from '../../src/observability/journal-file.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { SimulatedSession } from '../helpers/engine-session.ts';

/** Whether a session may be blocked: `last` when a person had the last word, `later` when what stood in its way can go. */
export type BlockedVerdict =
  | { readonly kind: 'last' | 'later' }
  | { readonly kind: 'broken'; readonly problem: string };

export const verdictOnBlocked = (
  session: SimulatedSession,
  state: SessionState,
  wasFull: boolean,
  /** What a flow met outside of its session. */
  excuse: 'last' | 'later' | null = null,
): BlockedVerdict => {
  const reason = state.stopReason ?? '';
  if (excuse !== null) return { kind: excuse };
  if (wasFull && /disk is full|ENOSPC/.test(reason)) return { kind: 'later' };
  const tired = /^(\w+) (\w+) failed (\d+) times: /.exec(reason);
  if (tired)
    return failures(session, tired[1] ?? '') >= Number(tired[3]) ? { kind: 'later' } : unbelievable(reason);
  const slot = / ended twice without a result; stopped by /.exec(reason)
    ? reason.split(' ended twice')[0]
    : null;
  if (slot === null || slot === undefined) return unbelievable(reason);
  // What it said last may not have found room in the journal: it is started once more, and says it again.
  if (wasFull) return { kind: 'later' };
  const problem = unasked(session, state, slot);
  return problem === null
    ? { kind: 'last' }
    : { kind: 'broken', problem: `blocked "${reason}", but ${problem}` };
};

const unbelievable = (reason: string): BlockedVerdict => ({ kind: 'broken', problem: `blocked: ${reason}` });

/** Calls of a role that failed, each under its own invocation. */
const failures = (session: SimulatedSession, role: string): number =>
  readJournal(session.disk, session.paths.journal).events.filter(
    (event) => event.type === 'invocation.failed' && event.invocation.startsWith(`${role}-`),
  ).length;

/** "Stopped by a person" has to be true: two turns without result, the question, and a signal of theirs that said stop. */
const unasked = (session: SimulatedSession, state: SessionState, slot: string): string | null => {
  const { events } = readJournal(session.disk, session.paths.journal);
  const answered = events.findLast(
    (event) => event.type === 'question.answered' && event.request.endsWith(slot),
  );
  if (answered?.type !== 'question.answered') return 'nobody answered';
  if (answered.answer.trim().toLowerCase() !== 'stop') return `the answer was ${answered.answer}`;
  const asked = events.find((event) => event.type === 'question.asked' && event.request === answered.request);
  if (!asked || asked.seq > answered.seq) return 'nobody was asked';
  const pendingSignal = state.signals.get(answered.signal ?? '')?.signal;
  if (pendingSignal?.type !== 'ANSWER' || pendingSignal.option !== 'stop') return 'no signal said so';
  const empty = events.filter(
    (event) => event.type === 'invocation.failed' && event.kind === 'no-result' && event.seq < asked.seq,
  );
  return empty.length >= 2 ? null : 'it did not end twice without result';
};
