import { isDeepStrictEqual } from 'node:util';
import { readJournal } from '../../src/observability/journal-file.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { SimulatedSession } from '../helpers/engine-session.ts';

/** What has to hold at every moment (quality.md, Torture). */
export const watchInvariants = (session: SimulatedSession, say: (problem: string) => void): void => {
  session.watchers.add((event, state) => {
    const at = `event ${event.seq}`;
    const started = event.type === 'invocation.started';
    if (started && event.mode === 'IMPLEMENT') {
      for (const blocker of state.tasks.get(event.task ?? '')?.definition.blockedBy ?? [])
        if (!isDone(state, blocker)) say(`${at}: ${event.task} started before ${blocker} was done`);
    }
    if (started && (state.hold || state.abort))
      say(`${at}: ${event.invocation} started while held or aborted`);
    if (started && state.gate)
      say(`${at}: ${event.invocation} started while the ${state.gate.gate} gate waits`);
    const works = event.type === 'process.started' || event.type === 'command.started';
    if (works && state.hold?.stage === 'paused') say(`${at}: ${event.type} while paused`);
    if (event.type === 'session.stopped') {
      if (!event.reason) say(`${at}: stopped without a reason`);
      if (event.status === 'aborted' && session.spawn.running().length > 0)
        say(`${at}: ABORT left ${session.spawn.running().join(', ')} running`);
    }
  });
};

const isDone = (state: SessionState, id: string): boolean => {
  const task = state.tasks.get(id);
  const parts = task?.definition.replaced_by ?? [];
  return parts.length > 0 ? parts.every((part) => isDone(state, part)) : task?.status === 'done';
};

/** A task's result as it was on disk at some moment: nothing that comes later may take it back. */
export const resultsOf = (events: readonly Event[]): readonly Event[] =>
  events.filter(
    ({ type }) => type === 'task.submitted' || type === 'task.qualified' || type === 'task.failed',
  );

/** What has to be true of a session that has come to its end. */
export const problemsAtEnd = (
  session: SimulatedSession,
  state: SessionState,
  results: readonly Event[],
): readonly string[] => {
  const { events } = readJournal(session.disk, session.paths.journal);
  const lost = results.filter((event) => !isDeepStrictEqual(events[event.seq - 1]?.type, event.type));
  const folded = events.reduce<SessionState | null>((before, event) => evolve(before, event), null);
  const left = session.spawn.running();
  return [
    ...events.flatMap(({ seq }, index) => (seq === index + 1 ? [] : [`line ${index + 1} has number ${seq}`])),
    ...lost.map((event) => `the result ${event.type} of event ${event.seq} is lost`),
    ...repeated(events),
    ...(isDeepStrictEqual(folded, state)
      ? []
      : ['the replayed journal gives another state than the live run']),
    ...(left.length > 0 ? [`still running at the end: ${left.join(', ')}`] : []),
    ...problemsOfSignals(session, state),
    ...[...state.tasks.values()].flatMap(({ definition, status }) =>
      status === 'running' || (status === 'review' && state.status !== 'aborted')
        ? [`${definition.id} is ${status} at the end`]
        : [],
    ),
  ];
};

/** RETRY and CANCEL may wait for the next iteration; every other signal has come to its one end. */
const problemsOfSignals = (session: SimulatedSession, state: SessionState): readonly string[] => {
  const stages = new Map<string, string[]>();
  for (const { id, stage } of session.mailbox().list()) stages.set(id, [...(stages.get(id) ?? []), stage]);
  const files = [...stages].flatMap(([id, where]) => {
    const signal = state.signals.get(id)?.signal;
    const waits =
      where[0] === 'pending' && (signal === undefined || signal.type === 'RETRY' || signal.type === 'CANCEL');
    return where.length === 1 && (waits || where[0] === 'processed' || where[0] === 'rejected')
      ? []
      : [`${signal?.type} ${id.slice(0, 8)} is ${where.join(' and ')}`];
  });
  const lives = [...state.signals.values()].flatMap(({ id, signal, stage, waitsFor }) =>
    ['pending', 'claimed', 'delivered'].includes(stage) && !['RETRY', 'CANCEL'].includes(signal.type)
      ? [`${signal.type} ${id.slice(0, 8)} is still ${stage} in the journal: ${waitsFor}`]
      : [],
  );
  return [...files, ...lives];
};

/** A result that is recorded twice for one attempt was worked out twice. */
const repeated = (events: readonly Event[]): readonly string[] => {
  const seen = new Set<string>();
  return events.flatMap((event) => {
    if (event.type !== 'task.qualified' && event.type !== 'task.submitted') return [];
    const key = `${event.type} of ${event.task} attempt ${event.attempt}`;
    const again = seen.has(key);
    seen.add(key);
    return again ? [`${key} stands twice`] : [];
  });
};
