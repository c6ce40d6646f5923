import { expect, test } from 'vitest';
import { createSpanQueue } from '../../src/observability/otlp/span-queue.ts';
import { createManualClock } from '../helpers/manual-clock.ts';

type Answer = string | null;

type Wait = number | null;

/** A queue before a collector that answers after `wait` milliseconds; `null`: never. */
const queueBefore = (answer: () => Answer, wait: Wait | (() => Wait)) => {
  const clock = createManualClock();
  const requests: number[][] = [];
  const queue = createSpanQueue<number>({
    clock,
    send: (spans) => {
      requests.push([...spans]);
      return new Promise((resolve) => {
        const ms = typeof wait === 'function' ? wait() : wait;
        if (ms !== null) clock.after(ms, () => resolve(answer()));
      });
    },
  });
  /** What `close` gives, and how many milliseconds it took. */
  const close = async () => {
    const from = clock.monotonic();
    let ended: { readonly unsent: unknown; readonly ms: number } | null = null;
    const closing = queue.close().then((unsent) => {
      ended = { unsent, ms: clock.monotonic() - from };
    });
    await clock.advanceAsync(0);
    for (let next = clock.untilNext(); ended === null && next !== null; next = clock.untilNext())
      await clock.advanceAsync(next);
    await closing;
    return ended;
  };
  return { clock, queue, requests, close };
};

test('a collector that answers gets every span once, and the end waits for its answer alone', async () => {
  const { clock, queue, requests, close } = queueBefore(() => null, 20);
  for (let span = 0; span < 5; span += 1) {
    queue.add(span);
    await clock.advanceAsync(400);
  }
  queue.add(5);
  expect(await close()).toEqual({ unsent: null, ms: 20 });
  expect(requests.flat()).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a collector that is away costs one try at the end, and every lost span is counted', async () => {
  const { clock, queue, requests, close } = queueBefore(() => 'connect ECONNREFUSED', 0);
  for (let span = 0; span < 60; span += 1) {
    queue.add(span);
    await clock.advanceAsync(1_000);
  }
  // The first try, then after 1, 2, 4, 8, 16 and 30 seconds.
  expect(requests.length).toBeLessThanOrEqual(7);
  const before = requests.length;
  expect(await close()).toEqual({ unsent: { count: 60, reason: 'connect ECONNREFUSED' }, ms: 0 });
  expect(requests.length).toBe(before + 1);
});

test('a collector that comes back gets what it missed', async () => {
  let away = true;
  const { clock, queue, close, requests } = queueBefore(() => (away ? 'away' : null), 5);
  queue.add(1);
  await clock.advanceAsync(500);
  queue.add(2);
  away = false;
  await clock.advanceAsync(5_000);
  expect(requests.at(-1)).toEqual([1, 2]);
  expect(await close()).toEqual({ unsent: null, ms: 0 });
});

test.each([
  [0, 250],
  [1_400, 0],
  [60_000, 0],
])('a collector that never answers does not hold the end of a run of %i ms', async (run, most) => {
  const { clock, queue, close } = queueBefore(() => null, null);
  queue.add(1);
  await clock.advanceAsync(run);
  queue.add(2);
  expect(await close()).toEqual({ unsent: { count: 2, reason: 'it did not answer in time' }, ms: most });
});

test('a collector that took nothing yet holds the end for two hundredths of the run, and never for more than two seconds', async () => {
  for (const [run, ms] of [
    [5_000, 250],
    [50_000, 1_000],
    [3_600_000, 2_000],
  ] as const) {
    const { clock, queue, close } = queueBefore(() => null, null);
    await clock.advanceAsync(run);
    queue.add(1);
    expect(await close()).toMatchObject({ ms, unsent: { count: 1 } });
  }
});

test('a collector that took the spans before is given two seconds for the last ones, however short the run', async () => {
  for (const [answers, ended] of [
    [1_900, { unsent: null, ms: 1_900 }],
    [null, { unsent: { count: 1, reason: 'it did not answer in time' }, ms: 2_000 }],
  ] as const) {
    let wait: Wait = 10;
    const { clock, queue, close } = queueBefore(
      () => null,
      () => wait,
    );
    queue.add(1);
    await clock.advanceAsync(500);
    wait = answers;
    queue.add(2);
    expect(await close()).toEqual(ended);
  }
});

test('time in which the program did not run is not held against the collector', async () => {
  const { clock, queue, close } = queueBefore(() => null, 20);
  queue.add(1);
  await clock.advanceAsync(251);
  clock.stall(3_000);
  expect(await close()).toEqual({ unsent: null, ms: 0 });
});

test('after the end waited long enough nothing more is sent', async () => {
  const { clock, queue, close, requests } = queueBefore(() => 'away', 600);
  queue.add(1);
  await clock.advanceAsync(300);
  expect(await close()).toMatchObject({ unsent: { reason: 'it did not answer in time' } });
  await clock.advanceAsync(10_000);
  expect(requests).toEqual([[1]]);
});

test('while a collector is away only so many spans are kept, and the others are counted', async () => {
  const { queue, close } = queueBefore(() => 'away', 0);
  for (let span = 0; span < 10_000; span += 1) queue.add(span);
  expect(await close()).toEqual({ unsent: { count: 10_000, reason: 'away' }, ms: 0 });
});
