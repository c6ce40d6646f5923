import fc from 'fast-check';
import { expect, test } from 'vitest';
import { routingContext } from '../../src/engine/mailbox/routing-context.ts';
import { totalOf } from '../../src/pipeline/agents/spending.ts';
import type { EventBody } from '../../src/pipeline/event.ts';
import type { Settings } from '../../src/session/settings.ts';
import { createPipelineRun, defineTask } from '../helpers/pipeline-run.ts';

const tasks = [defineTask('a'), defineTask('b')];

/** A run whose two tasks are at work with an agent each. */
const atWork = (limits: Partial<Settings['limits']> = {}) => {
  const run = createPipelineRun({
    tasks,
    settings: (old) => ({ ...old, limits: { ...old.limits, ...limits } }),
    script: (brief) => (brief.mode === 'IMPLEMENT' ? null : undefined),
  }).start();
  while (run.open.size < 2) run.answer();
  const [a = '', b = ''] = [...run.open.keys()];
  run.tell(connected(a, 'session-a'), connected(b, 'session-b'));
  return { run, a, b };
};

const connected = (invocation: string, session: string): EventBody => ({
  type: 'agent.connected',
  invocation,
  label: 'Agent',
  session,
  began: 'new',
  reach: 'turn-end',
});

const cost = (invocation: string, amount: number, currency = 'USD'): EventBody => ({
  type: 'agent.usage-reported',
  invocation,
  used: 1,
  size: 100,
  cost: { amount, currency },
});

const reply = (
  invocation: string,
  tokens?: { input: number; output: number },
  stop: 'end_turn' | 'cancelled' | 'lost' = 'end_turn',
): EventBody => ({
  type: 'reply.ended',
  invocation,
  index: 0,
  stop,
  duration_ms: 5,
  ...(tokens ? { tokens } : {}),
});

test('the cost of a session is the sum of the newest totals of its agents, and the tokens of all replies', () => {
  const { run, a, b } = atWork();
  run.tell(cost(a, 0.25), cost(b, 0.5), cost(a, 0.75), reply(a, { input: 100, output: 20 }));
  run.tell(reply(a, { input: 200, output: 30 }), reply(b));
  expect(totalOf(run.state().spending.values())).toEqual({
    costs: [{ amount: 1.25, currency: 'USD' }],
    tokens: { input: 300, output: 50 },
    uncounted: 1,
  });
  expect([...run.state().spending.values()].map(({ task, role }) => [task, role])).toEqual([
    ['a', 'Executor'],
    ['b', 'Executor'],
  ]);
});

test('a total that falls begins a new count: the agent was restarted in the same session', () => {
  const { run, a } = atWork();
  run.tell(cost(a, 0.5), cost(a, 0.125), cost(a, 0.25));
  expect(totalOf(run.state().spending.values()).costs).toEqual([{ amount: 0.75, currency: 'USD' }]);
});

test('any order of reports sums to what an independent count gives', () => {
  const report = fc.tuple(fc.nat(1), fc.integer({ min: 0, max: 64 }), fc.nat(50), fc.nat(50));
  fc.assert(
    fc.property(fc.array(report, { maxLength: 30 }), (reports) => {
      const { run, a, b } = atWork();
      for (const [who, eighths, input, output] of reports)
        run.tell(cost(who === 0 ? a : b, eighths / 8), reply(who === 0 ? a : b, { input, output }));
      // Each agent: the sum of the last totals before each fall.
      const expected = [0, 1].reduce((sum, who) => {
        const own = reports.filter(([whose]) => whose === who).map(([, eighths]) => eighths);
        return sum + own.reduce((more, x, i) => ((own[i + 1] ?? -1) < x ? more + x : more), 0);
      }, 0);
      const total = totalOf(run.state().spending.values());
      expect(total.costs[0]?.amount ?? 0).toBe(expected / 8);
      expect(total.tokens.input).toBe(reports.reduce((sum, [, , input]) => sum + input, 0));
      expect(total.tokens.output).toBe(reports.reduce((sum, [, , , output]) => sum + output, 0));
    }),
    { numRuns: 50 },
  );
});

test('max_cost pauses the agents like a PAUSE and stops the session with what was spent; it can be resumed', () => {
  const { run, a, b } = atWork({ max_cost: 2 });
  run.tell(cost(a, 1.25));
  expect(run.state().hold).toBeNull();
  run.tell(cost(b, 0.8));
  expect(run.state().hold).toMatchObject({ by: 'limit', stage: 'pausing' });
  run.tell(
    { type: 'invocation.paused', invocation: a, continuation: null },
    { type: 'invocation.paused', invocation: b, continuation: null },
  );
  expect(run.end()).toMatchObject({
    status: 'paused',
    reason: 'limit: 2.05 USD spent; max_cost is 2 USD',
    exit_code: 4,
  });
});

test('RESUME during the hold of a limit lifts nothing, and needs no word of a person; the next start does lift it', () => {
  const { run, a, b } = atWork({ max_duration: 60_000 });
  expect(run.elapse()).toBe('limit:max_duration');
  expect(routingContext(run.state()).heldByPerson).toBe(false);
  run.tell({ type: 'hold.ended', signal: 'r1', by: 'kim', message: 'go on' });
  expect(run.state().hold).toMatchObject({ by: 'limit', stage: 'pausing' });
  for (const invocation of [a, b]) run.tell({ type: 'invocation.paused', invocation, continuation: null });
  expect(run.end()).toMatchObject({ status: 'paused', exit_code: 4 });
  run.start({ attended: true });
  expect(run.state().hold).toBeNull();
  run.tell({ type: 'hold.requested', signal: 'p1', by: 'kim', message: 'wait' });
  expect(routingContext(run.state()).heldByPerson).toBe(true);
});

test('max_tokens counts what goes in and what comes out', () => {
  const { run, a } = atWork({ max_tokens: 1_000 });
  run.tell(reply(a, { input: 900, output: 99 }));
  expect(run.state().limit).toBeNull();
  run.tell(reply(a, { input: 0, output: 1 }));
  expect(run.state().limit).toBe('1000 tokens used; max_tokens is 1000');
});

test.each([
  ['max_tokens', 10, reply, 'script reports no tokens, so max_tokens cannot be enforced'],
  ['max_cost', 10, reply, 'script reports no cost, so max_cost cannot be enforced'],
  [
    'max_cost',
    10,
    (id: string) => cost(id, 1, 'EUR'),
    'max_cost is in USD, but an agent reports its cost in EUR',
  ],
] as const)('a limit that cannot be counted is reached: %s of %d', (name, most, report, reason) => {
  const { run, a } = atWork({ [name]: most });
  run.tell(report(a));
  expect(run.state().limit).toBe(reason);
});

test('a reply that was cut or lost has no counts, and that is no reason to stop', () => {
  const { run, a, b } = atWork({ max_tokens: 1_000 });
  run.tell(reply(a, undefined, 'cancelled'), reply(b, undefined, 'lost'));
  expect(run.state().limit).toBeNull();
});
