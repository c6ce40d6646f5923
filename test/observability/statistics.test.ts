import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { formatStatistics } from '../../src/cli/report/format-statistics.ts';
import { countJournal } from '../../src/observability/statistics/read-statistics.ts';
import {
  countedTypes,
  createStatistics,
  type Statistics,
} from '../../src/observability/statistics/statistics.ts';
import type { Event, EventBody } from '../../src/pipeline/event.ts';
import { everyEvent } from '../helpers/page-session.ts';
import { task } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const journal = join(import.meta.dirname, '../fixtures/journals/waves.jsonl');
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const countFiles = (...files: readonly string[]): Statistics => {
  const statistics = createStatistics(dayOf);
  for (const file of files) countJournal(createDisk(), file, statistics);
  return statistics.result();
};

/** The events of one session, each a second after the one before unless it says how many. */
const countEvents = (
  ...bodies: readonly (EventBody | readonly [seconds: number, body: EventBody])[]
): Statistics => {
  const statistics = createStatistics(dayOf);
  statistics.begin();
  let at = Date.UTC(2026, 1, 15, 23, 59, 0);
  bodies.forEach((entry, index) => {
    const [seconds, body] = 'type' in entry ? [1, entry] : entry;
    at += seconds * 1_000;
    const event: Event = { ...body, seq: index + 1, at: new Date(at).toISOString() };
    statistics.take(event);
  });
  return statistics.result();
};

/** Lines of the journal that match, counted by grep. */
const grep = (pattern: string): number =>
  Number(execFileSync('sh', ['-c', `grep -cE "$0" "$1" || true`, pattern, journal], { encoding: 'utf8' }));

test('the numbers of a demo are those that grep finds in its journal', () => {
  const { tasks, sessions, signals } = countFiles(journal);
  const starts = grep('"type":"task.started"');
  const first = grep('"type":"task.qualified".*"attempt":1[,}]');
  expect(starts).toBeGreaterThan(10);
  expect(tasks.attempts.total).toBe(starts);
  expect(tasks.outcomes).toEqual([
    { outcome: 'qualified', share: { count: grep('"type":"task.qualified"'), of: 10, rate: 1 } },
  ]);
  const failedFirst = grep('"type":"task.failed".*"attempt":1[,}]');
  expect(tasks.firstPass).toEqual({
    count: first,
    of: first + failedFirst,
    rate: first / (first + failedFirst),
  });
  expect(tasks.causes.reduce((sum, { count }) => sum + count, 0)).toBe(grep('"type":"task.failed"'));
  expect(tasks.retries.attempts).toBe(starts - grep('"type":"task.started".*"attempt":1[,}]'));
  expect(signals.reduce((sum, { sent }) => sum + sent, 0)).toBe(
    Number(
      execFileSync(
        'sh',
        ['-c', `grep -oE '"type":"signal.(pending|claimed)"' "$0" | sort -u | wc -l`, journal],
        { encoding: 'utf8' },
      ),
    ),
  );
  expect(sessions.total).toBe(1);
});

test('two journals count twice, half a line and foreign lines do not, and skipped lines change nothing', () => {
  const dir = tempDir();
  mkdirSync(dir, { recursive: true });
  const noisy = join(dir, 'journal.jsonl');
  const lines = everyEvent().map((event) => JSON.stringify(event));
  writeFileSync(
    noisy,
    `${lines.join('\n')}\nnot json\n{"type":"from.the.future","seq":9999,"at":"x"}\n{"type":"task.star`,
  );
  const plain = createStatistics(dayOf);
  plain.begin();
  for (const event of everyEvent()) plain.take(event);
  expect(countFiles(noisy)).toEqual(plain.result());
  const twice = countFiles(noisy, noisy);
  expect(twice.sessions.total).toBe(2);
  expect(twice.tasks.attempts.total).toBe(2 * plain.result().tasks.attempts.total);
});

test('a type that does not count changes no number, so that its lines may be skipped', () => {
  const counted = createStatistics(dayOf);
  const all = createStatistics(dayOf);
  counted.begin();
  all.begin();
  for (const event of everyEvent()) {
    all.take(event);
    if (countedTypes.has(event.type)) counted.take(event);
  }
  expect(counted.result()).toEqual(all.result());
});

test('times of signals run from the moment the session saw them, and waits from their question', () => {
  const signal = { type: 'STEER', target: 'Executor', message: 'x' } as const;
  const { signals, times } = countEvents(
    { type: 'signal.pending', pending: { id: 's', file: 's.yaml', signal }, waits_for: 'a checkpoint' },
    [
      4,
      {
        type: 'signal.claimed',
        id: 's',
        file: 's.yaml',
        signal,
        by: 'Executor-1',
        checkpoint: 'Executor.3.5',
      },
    ],
    [
      6,
      {
        type: 'signal.handled',
        id: 's',
        file: 's.yaml',
        signal,
        handled_by: 'Executor-1',
        checkpoint: 'Executor.3.5',
        action_taken: 'adjusted',
        invocation: null,
      },
    ],
    { type: 'gate.opened', gate: 'plan', iteration: 1, deadline_ms: null, files: [] },
    [90, { type: 'gate.decided', gate: 'plan', decision: 'approve', by: 'kim', signal: null }],
  );
  expect(signals).toMatchObject([
    {
      type: 'STEER',
      sent: 1,
      handled: 1,
      toClaim: { median: 4_000 },
      toHandling: { median: 10_000, count: 1 },
    },
  ]);
  expect(times.waits.filter(({ count }) => count > 0)).toEqual([
    { for: 'plan gate', count: 1, total: 90_000, median: 90_000, p95: 90_000 },
  ]);
});

test('an order that its agent read and did not answer is not counted as handled', () => {
  const signal = { type: 'STEER', target: 'Executor', message: 'x' } as const;
  const { signals } = countEvents({
    type: 'signal.handled',
    id: 's',
    file: 's.yaml',
    signal,
    handled_by: 'Executor-1',
    checkpoint: 'Executor.3.5',
    action_taken: 'no answer from the agent (with its prompt)',
    invocation: null,
    answered: false,
  });
  expect(signals).toMatchObject([{ sent: 1, handled: 0, unanswered: 1, toHandling: { median: null } }]);
});

test('running totals of an agent count once, on the day of their growth; a restarted agent counts anew', () => {
  const of = { invocation: 'Executor-1' };
  const cost = (amount: number): EventBody => ({
    type: 'agent.usage-reported',
    ...of,
    used: 1,
    size: 2,
    cost: { amount, currency: 'USD' },
  });
  const { usage } = countEvents(
    {
      type: 'invocation.started',
      ...of,
      role: 'Executor',
      mode: 'IMPLEMENT',
      backend: 'claude',
      cycle: 0,
      messages: [],
    },
    cost(1),
    cost(1.5),
    [3_600, cost(2)],
    [1, cost(0.25)],
    {
      type: 'reply.ended',
      ...of,
      index: 0,
      stop: 'end_turn',
      duration_ms: 1,
      tokens: { input: 100, output: 20 },
    },
    { type: 'reply.ended', ...of, index: 1, stop: 'end_turn', duration_ms: 1 },
    { type: 'reply.ended', ...of, index: 2, stop: 'cancelled', duration_ms: 1 },
  );
  expect(usage.total).toEqual({
    costs: [{ amount: 2.25, currency: 'USD' }],
    tokensIn: 100,
    tokensOut: 20,
    uncountedReplies: 1,
  });
  expect(usage.byDay.map(({ day, costs }) => [day, costs[0]?.amount])).toEqual([
    ['2026-02-15', 1.5],
    ['2026-02-16', 0.75],
  ]);
  expect(usage.byAgent.map(({ agent }) => agent)).toEqual(['claude']);
});

test('a state counts while a program runs the session, not from its stop to its resume', () => {
  const started: EventBody = {
    type: 'session.started',
    reason: 'resume',
    pid: 1,
    epoch: 2,
    program: 'test',
    settings: {},
    attended: false,
  };
  const { times, sessions } = countEvents(
    { type: 'state.entered', state: 'PLANNING', previous: null },
    [10, { type: 'session.stopped', session_id: 's', status: 'paused', reason: 'quit', exit_code: 4 }],
    [9_000, started],
    [5, { type: 'state.entered', state: 'BATCHING', previous: 'PLANNING' }],
  );
  expect(times.states).toEqual([{ state: 'PLANNING', ms: 15_000 }]);
  expect(sessions.outcomes).toEqual([{ status: 'unfinished', share: { count: 1, of: 1, rate: 1 } }]);
});

test('a task that others took over counts in these', () => {
  const { tasks } = countEvents(
    { type: 'tasks.defined', tasks: [task('whole'), task('part-1'), task('part-2')] },
    { type: 'task.replaced', task: 'whole', by: ['part-1', 'part-2'] },
  );
  expect(tasks.total).toBe(2);
  expect(tasks.outcomes).toEqual([{ outcome: 'not started', share: { count: 2, of: 2, rate: 1 } }]);
});

test('every rate on the page of numbers stands with its denominator, and without sessions there is nothing but their number', () => {
  const text = formatStatistics(countFiles(journal));
  for (const line of text.split('\n').filter((each) => each.includes(' %')))
    expect(line).toMatch(/\d+ of \d+, \d+%$/);
  expect(text).toMatch(/Done on the first attempt\n {2}all agents\s+█+\s+9 of 10, 90%/);
  expect(text).not.toMatch(/qualified|PLANNING|_BATCH/);
  expect(formatStatistics(createStatistics(dayOf).result())).toBe('Sessions\n      0\n\nTasks\n      0');
});
