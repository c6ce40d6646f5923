import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import type { Fault } from '../../src/base/fault.ts';
import type { ProcessIdentity } from '../../src/base/process/spawn.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { acquireLock, isLock, type Lock, readLock } from '../../src/session/lock.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk, SimulatedCrash, type SimulatedDisk } from '../helpers/simulated-disk.ts';
import { makeTempDir, removeTempDir } from '../helpers/temp-dir.ts';

const paths = { lock: '/s/lock' };
const who = (pid: number): ProcessIdentity => ({
  boot: 'b',
  pidNamespace: 'pid:[1]',
  pid,
  startTime: String(pid),
});
const aliveAre =
  (...pids: readonly number[]) =>
  (identity: ProcessIdentity) =>
    identity.boot !== 'b' ? 'unknown' : pids.includes(identity.pid) ? 'alive' : 'dead';
const take = (
  disk: SimulatedDisk,
  pid: number,
  isAlive: (identity: ProcessIdentity) => 'alive' | 'dead' | 'unknown' = () => 'alive',
  options = {},
): Lock | Fault => acquireLock(disk, createSeededRandom(pid), paths, who(pid), isAlive, options);
const mustTake = (...args: Parameters<typeof take>): Lock => {
  const result = take(...args);
  if (!isLock(result)) throw new Error(`no lock: ${result.what}`);
  return result;
};

describe('the lock of a session', () => {
  test('is a file that says who holds it', () => {
    const disk = createSimulatedDisk();
    const lock = mustTake(disk, 10);
    expect(lock.epoch).toBe(1);
    expect(lock.isStillOurs()).toBe(true);
    expect(disk.text('/s/lock/1')).toBe(
      'pid: 10\nstart_time: "10"\nboot: "b"\npid_namespace: "pid:[1]"\nreleased: false\n',
    );
    expect(readLock(disk, paths)).toEqual({ epoch: 1, released: false, ...who(10) });
    expect(disk.tree('/s/lock')).toEqual(['/s/lock/1']);
  });

  test('is refused while its holder lives, whose pid is named', () => {
    const disk = createSimulatedDisk();
    mustTake(disk, 10);
    expect(take(disk, 11, aliveAre(10))).toEqual({
      code: 'lock-held',
      what: 'process 10 is already running this session',
      where: '/s/lock/1',
      hint: 'attach to it, or stop it first',
    });
  });

  test('goes to the next one when its holder is dead or has released it', () => {
    const disk = createSimulatedDisk();
    const first = mustTake(disk, 10);
    const second = mustTake(disk, 11, aliveAre());
    expect([first.isStillOurs(), second.isStillOurs(), second.epoch]).toEqual([false, true, 2]);
    second.release();
    second.release();
    expect(second.isStillOurs()).toBe(false);
    expect(readLock(disk, paths)?.released).toBe(true);
    expect(mustTake(disk, 12, () => 'alive').epoch).toBe(3);
    expect(disk.tree('/s/lock')).toEqual(['/s/lock/2', '/s/lock/3']);
  });

  test('of another boot or container is taken over only on demand', () => {
    const disk = createSimulatedDisk();
    const lost = mustTake(disk, 10);
    expect(take(disk, 11, () => 'unknown')).toMatchObject({ code: 'lock-remote' });
    const taken = mustTake(disk, 11, () => 'unknown', { takeOver: true });
    expect([lost.isStillOurs(), taken.epoch]).toEqual([false, 2]);
    taken.release();
    expect(lost.isStillOurs()).toBe(false);
  });

  test('of a living process is not taken over on demand either', () => {
    const disk = createSimulatedDisk();
    mustTake(disk, 10);
    expect(take(disk, 11, aliveAre(10), { takeOver: true })).toMatchObject({ code: 'lock-held' });
  });

  test('that cannot be read is a fault, whatever stands in it', () => {
    for (const text of [
      '',
      'pid: x',
      '{',
      '- 1',
      '['.repeat(4_000),
      'a: &a [*a]',
      `x: ${'y'.repeat(5_000)}`,
    ]) {
      const disk = createSimulatedDisk();
      disk.mkdir('/s/lock');
      disk.put('/s/lock/7', text);
      expect(take(disk, 11)).toMatchObject({ code: 'lock-unreadable', where: '/s/lock/7' });
      expect(readLock(disk, paths)).toBeNull();
      expect(mustTake(disk, 11, () => 'alive', { takeOver: true }).epoch).toBe(8);
    }
    const disk = createSimulatedDisk();
    disk.mkdir('/s/lock');
    disk.putSymlink('/s/lock/7', '/s/secret');
    expect(take(disk, 11)).toMatchObject({ code: 'lock-unreadable' });
  });

  test('ignores other files in its directory, and is lost when the directory is', () => {
    const disk = createSimulatedDisk();
    disk.mkdir('/s/lock');
    for (const name of ['README', '01', '-3', '9'.repeat(30), '.tmp-x']) disk.put(`/s/lock/${name}`, 'x');
    const lock = mustTake(disk, 10);
    expect(lock.epoch).toBe(1);
    for (const name of disk.readdir('/s/lock')) disk.unlink(`/s/lock/${name}`);
    disk.rmdir('/s/lock');
    expect(lock.isStillOurs()).toBe(false);
    expect(() => lock.release()).not.toThrow();
    expect(readLock(disk, paths)).toBeNull();
  });

  test('keeps the old holder out after a crash of the new one at any operation, and after a power loss', () => {
    for (const loss of [() => false, () => true]) {
      for (let at = 1; ; at += 1) {
        const disk = createSimulatedDisk();
        mustTake(disk, 10);
        disk.crashAfter(at);
        try {
          mustTake(disk, 11, aliveAre());
          expect(at).toBeGreaterThan(5);
          break;
        } catch (error) {
          if (!(error instanceof SimulatedCrash)) throw error;
        }
        disk.loseUnflushed(loss);
        const next = mustTake(disk, 12, aliveAre());
        expect(next.isStillOurs()).toBe(true);
        expect([2, 3]).toContain(next.epoch);
      }
    }
  });

  test('is not lost to a contender whose temporary file a winner sweeps away, and leaves nothing of one that died', () => {
    const disk = createSimulatedDisk();
    disk.mkdir('/s/lock');
    disk.put('/s/lock/.tmp-0123456789abcdef', 'half');
    let raced = false;
    const slow = {
      ...disk,
      link: (from: string, to: string) => {
        if (!raced) {
          raced = true;
          expect(isLock(take(disk, 10))).toBe(true);
        }
        disk.link(from, to);
      },
    };
    const late = acquireLock(slow, createSeededRandom(11), paths, who(11), aliveAre(10));
    expect(late).toMatchObject({ code: 'lock-held' });
    expect(disk.tree('/s/lock')).toEqual(['/s/lock/1']);
  });

  test('on a full disk is not taken and not lost', () => {
    const disk = createSimulatedDisk();
    const lock = mustTake(disk, 10);
    disk.setSpace(5);
    expect(() => take(disk, 11, aliveAre())).toThrow('ENOSPC');
    expect(lock.isStillOurs()).toBe(true);
  });

  test('is given up on a full disk too: the same process can take it again', () => {
    const disk = createSimulatedDisk();
    const lock = mustTake(disk, 10);
    disk.setSpace(5);
    lock.release();
    expect(disk.tree('/s/lock')).toEqual(['/s/lock/1-released']);
    expect(readLock(disk, paths)).toEqual({ epoch: 1, released: true, ...who(10) });
    disk.setSpace(null);
    expect(mustTake(disk, 10).epoch).toBe(2);
    expect(mustTake(disk, 11, aliveAre()).epoch).toBe(3);
    expect(disk.tree('/s/lock')).toEqual(['/s/lock/2', '/s/lock/3']);
    expect(lock.isStillOurs()).toBe(false);
  });
});

describe('eight processes that race for the lock of a dead holder', () => {
  const racers = 8;
  const rounds = 60;
  let directory = '';
  let children: ChildProcess[] = [];
  beforeAll(async () => {
    directory = makeTempDir();
    const helpers = join(import.meta.dirname, '../helpers');
    children = Array.from({ length: racers }, () =>
      fork(join(helpers, 'quick-start.mjs'), [join(helpers, 'lock-racer.ts')], { execArgv: [] }),
    );
    await Promise.all(children.map((child) => once(child, 'message')));
  });
  afterAll(() => {
    for (const child of children) child.kill();
    removeTempDir(directory);
  });

  test(`have one winner in each of ${rounds} rounds`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const lock = join(directory, String(round));
      const dead = acquireLock(createDisk(), createRandom(), { lock }, who(1), () => 'alive');
      expect(isLock(dead)).toBe(true);
      const startAt = Date.now() + 5;
      const answers = await Promise.all(
        children.map(async (child): Promise<string> => {
          const answer = once(child, 'message');
          child.send({ lock, startAt });
          return String((await answer)[0]);
        }),
      );
      expect(answers.filter((answer) => answer === 'won')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'lock-held')).toHaveLength(racers - 1);
    }
  });
});
