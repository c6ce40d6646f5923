import { describe, expect, it } from 'vitest';
import { liveSettings } from '../../src/session/settings/live-settings.ts';
import { checkSignal, kinds } from '../../src/signals/kinds.ts';
import { type Signal, signalSchema, signalTypeSchema, signalTypeWords } from '../../src/signals/signal.ts';

describe('the kinds', () => {
  it('have a line each for the help, in the order of the types', () => {
    expect(Object.keys(signalTypeWords)).toEqual(signalTypeSchema.options);
    for (const words of Object.values(signalTypeWords)) expect(words).toMatch(/^[A-Z].*\.$/);
  });

  it.each<[string, Partial<Signal> & Pick<Signal, 'type'>, string | null]>([
    ['INFO without a message', { type: 'INFO' }, 'INFO needs a message'],
    ['STEER with a blank message', { type: 'STEER', message: ' ' }, 'STEER needs a message'],
    ['PAUSE without a message', { type: 'PAUSE' }, null],
    ['RESUME', { type: 'RESUME' }, null],
    ['DRAIN', { type: 'DRAIN' }, null],
    ['DRAIN of a task', { type: 'DRAIN', task: 'task-1' }, 'DRAIN stops the session; CANCEL stops one task'],
    ['ABORT', { type: 'ABORT' }, null],
    ['ABORT of a task', { type: 'ABORT', task: 'task-1' }, 'ABORT ends the session; CANCEL stops one task'],
    ['APPROVE without a message', { type: 'APPROVE' }, null],
    [
      'APPROVE of nothing',
      { type: 'APPROVE', promote: [] },
      'APPROVE with an empty `promote` list keeps nothing; use SKIP',
    ],
    ['SKIP', { type: 'SKIP' }, null],
    ['RETRY without a task', { type: 'RETRY' }, 'RETRY needs a task'],
    ['CANCEL without a task', { type: 'CANCEL' }, 'CANCEL needs a task; ABORT ends the session'],
    ['CANCEL of a task', { type: 'CANCEL', task: 'task-1' }, null],
    ['ANSWER to nothing', { type: 'ANSWER', option: 'a' }, 'ANSWER needs the `request` it answers'],
    ['ANSWER without an answer', { type: 'ANSWER', request: 'q-1' }, 'ANSWER needs an `option` or a message'],
    ['ANSWER with an option', { type: 'ANSWER', request: 'q-1', option: 'a' }, null],
    ['ANSWER with a message', { type: 'ANSWER', request: 'q-1', message: 'yes' }, null],
    ['SET of nothing', { type: 'SET' }, 'SET needs `set` with at least one setting'],
    ['SET of a live setting', { type: 'SET', set: { 'timeouts.stall': 60_000 } }, null],
    ['SET of a limit to none', { type: 'SET', set: { 'limits.max_cost': null } }, null],
    [
      'SET out of range',
      { type: 'SET', set: { 'concurrency.max_parallel_executors': 0 } },
      'SET concurrency.max_parallel_executors: must be at least 1',
    ],
  ])('%s', (_, signal, problem) => {
    expect(checkSignal({ target: 'ALL', ...signal })).toBe(problem);
  });

  it('say which types read each field that not all of them have', () => {
    const ofAll = ['type', 'target', 'message', 'iteration', 'created_at', 'from', 'unproven'];
    const fields = Object.keys(signalSchema.shape).filter((field) => !ofAll.includes(field));
    const read = new Set<string>(Object.values(kinds).flatMap(({ reads }) => reads));
    expect([...read].sort()).toEqual(fields.sort());
  });

  it('refuse a SET of what cannot change while running, and name what can', () => {
    const problem = checkSignal({ type: 'SET', target: 'ALL', set: { isolation: 'worktree' } });
    expect(problem).toMatch(
      /^SET cannot change "isolation" while the session runs; it can change concurrency\./,
    );
  });

  it('accept the default of every live setting', () => {
    for (const { key, default: value } of liveSettings)
      expect(checkSignal({ type: 'SET', target: 'ALL', set: { [key]: value } }), key).toBeNull();
  });
});
