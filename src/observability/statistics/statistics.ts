import type { Event, EventType } from '../../pipeline/event.ts';
import { createSessionCount, type SessionCounts } from './count-sessions.ts';
import { createSignalCount, type SignalCounts } from './count-signals.ts';
import { createTaskCount, type TaskCounts } from './count-tasks.ts';
import { createTimeCount, type TimeCounts } from './count-times.ts';
import { createUsageCount, type UsageCounts } from './count-usage.ts';

/** What journals say about many sessions. Each rate is beside its denominator; durations are milliseconds. */
export interface Statistics {
  readonly sessions: SessionCounts;
  readonly tasks: TaskCounts;
  readonly times: TimeCounts;
  readonly signals: readonly SignalCounts[];
  readonly usage: UsageCounts;
}

/** Counts sessions one after the other. `begin` starts the next one. */
export interface StatisticsCount {
  readonly begin: () => void;
  readonly take: (event: Event) => void;
  readonly result: () => Statistics;
}

/** `dayOf`: the local day of a time in milliseconds, `2026-02-15`. */
export const createStatistics = (dayOf: (ms: number) => string): StatisticsCount => {
  const sessions = createSessionCount();
  const tasks = createTaskCount();
  const times = createTimeCount();
  const signals = createSignalCount();
  const usage = createUsageCount(dayOf);
  const all = [sessions, tasks, times, signals, usage];
  return {
    begin: () => {
      for (const counter of all) counter.begin();
    },
    take: (event) => {
      const ms = Date.parse(event.at);
      if (Number.isNaN(ms)) return;
      for (const counter of all) counter.take(event, ms);
    },
    result: () => ({
      sessions: sessions.result(),
      tasks: tasks.result(),
      times: times.result(),
      signals: signals.result(),
      usage: usage.result(),
    }),
  };
};

/** The events that count. Most of a journal is none of them. */
export const countedTypes: ReadonlySet<EventType> = new Set<EventType>([
  'session.created',
  'session.started',
  'session.stopped',
  'state.entered',
  'abort.requested',
  'limit.reached',
  'task.started',
  'task.submitted',
  'task.qualified',
  'task.failed',
  'task.interrupted',
  'task.cancelled',
  'task.replaced',
  'task.reset',
  'tasks.defined',
  'iteration.started',
  'retry.scheduled',
  'invocation.started',
  'invocation.failed',
  'agent.connected',
  'agent.usage-reported',
  'reply.ended',
  'gate.opened',
  'gate.decided',
  'question.asked',
  'question.answered',
  'permission.asked',
  'permission.answered',
  'hold.begun',
  'hold.ended',
  'signal.pending',
  'signal.claimed',
  'signal.handled',
  'signal.rejected',
  'signal.undelivered',
  'signal.withdrawn',
  'knowledge.staged',
  'knowledge.promoted',
]);
