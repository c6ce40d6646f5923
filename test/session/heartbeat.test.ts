import { expect, test } from 'vitest';
import { isFresh, signWords, sinceLastSign, startHeartbeat } from '../../src/session/heartbeat.ts';
import { acquireLock, isLock } from '../../src/session/lock.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const paths = { lock: '/s/lock' };
const identity = { boot: 'b', pidNamespace: 'n', pid: 10, startTime: '10' };

const setUp = () => {
  const clock = createManualClock();
  const disk = createSimulatedDisk({ now: clock.now });
  const lock = acquireLock(disk, createSeededRandom(1), paths, identity, () => 'alive');
  if (!isLock(lock)) throw new Error(lock.what);
  const stop = startHeartbeat(disk, clock, paths, {
    isStillOurs: () => lock.isStillOurs(),
    later: clock.after,
  });
  const take = (takeOver: boolean) =>
    acquireLock(disk, createSeededRandom(2), paths, { ...identity, pid: 11 }, () => 'unknown', {
      takeOver,
      clock,
    });
  return { clock, disk, lock, stop, take, since: () => sinceLastSign(disk, clock, paths) };
};

test('a host gives a sign of life every five seconds, until it stops', () => {
  const { clock, since, stop } = setUp();
  clock.advance(12_000);
  expect(signWords(since())).toBe('last sign of life 2 s ago');
  stop();
  clock.advance(300_000);
  expect([isFresh(since()), clock.armed()]).toEqual([false, 0]);
  expect(signWords(since())).toBe('last sign of life 5 min ago');
});

test('a host that lost its lock gives none', () => {
  const { clock, disk, since } = setUp();
  disk.put('/s/lock/2', '');
  clock.advance(60_000);
  expect(signWords(since())).toBe('last sign of life 60 s ago');
});

test('the file of a long session stays small', () => {
  const { clock, disk } = setUp();
  for (let hour = 0; hour < 24; hour += 1) clock.advance(3_600_000);
  expect(disk.lstat('/s/lock/heartbeat')?.size).toBeLessThan(5_000);
});

test('a full disk ends no heartbeat', () => {
  const { clock, disk, since } = setUp();
  disk.setSpace(0);
  clock.advance(10_000);
  disk.setSpace(null);
  clock.advance(5_000);
  expect(signWords(since())).toBe('last sign of life 0 s ago');
});

test('a host elsewhere that gives signs of life is named as running; one that is silent may be dead', () => {
  const { clock, stop, take } = setUp();
  clock.advance(7_000);
  expect(take(false)).toMatchObject({
    code: 'lock-remote',
    what: 'process 10 is running this session elsewhere (last sign of life 2 s ago)',
  });
  stop();
  clock.advance(600_000);
  expect(take(false)).toMatchObject({ code: 'lock-remote' });
  expect(isLock(take(true))).toBe(true);
});

test('without a heartbeat there is no sign of life', () => {
  const disk = createSimulatedDisk();
  expect(sinceLastSign(disk, createManualClock(), paths)).toBeNull();
  expect([isFresh(null), signWords(null)]).toEqual([false, 'no sign of life']);
});
