import { expect, test } from 'vitest';
import { signalArguments } from '../../src/cli/runners/signal-arguments.ts';
import type { Signal } from '../../src/signals/signal.ts';

test.each<[Signal, readonly string[]]>([
  [
    { type: 'CANCEL', target: 'Executor', worker: 'builder-2' },
    ['--target', 'Executor', '--worker', 'builder-2'],
  ],
  [
    { type: 'STEER', target: 'Executor', task: 'one', apply: 'adjust', now: true, message: 'x' },
    ['--target', 'Executor', '--task', 'one', '--apply', 'adjust', '--now'],
  ],
  [
    { type: 'SET', target: 'ALL', set: { 'concurrency.max_parallel_executors': 2 } },
    ['--target', 'ALL', '--set', 'concurrency.max_parallel_executors=2'],
  ],
])('a signal for a session of another machine keeps what its key chose: %j', (signal, words) => {
  expect(signalArguments(signal)).toEqual(['signal', ...words]);
});
