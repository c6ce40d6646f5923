import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { acquireLock, isLock } from '../../src/session/lock.ts';
import { removeTree } from '../helpers/remove-tree.ts';

/** Real processes that race for the lock of a process that is really dead: each round has one winner, and nothing is left beside it. */
export interface LockRaceResult {
  readonly rounds: number;
  readonly racers: number;
  readonly winners: number;
  readonly refused: number;
  readonly seconds: number;
  readonly problems: readonly string[];
}

const racers = 8;
const helpers = join(import.meta.dirname, '../helpers');

export const lockRace = async (rounds: number): Promise<LockRaceResult> => {
  const directory = mkdtempSync(join(tmpdir(), 'ralph-tui-locks-'));
  const started = performance.now();
  const children = Array.from({ length: racers }, () =>
    fork(join(helpers, 'quick-start.mjs'), [join(helpers, 'lock-racer.ts')], { execArgv: [] }),
  );
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    const dead = await deadProcess();
    const problems: string[] = [];
    let winners = 0;
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const lock = join(directory, String(round));
      if (!isLock(acquireLock(createDisk(), createRandom(), { lock }, dead, () => 'alive')))
        throw new Error('the first holder got no lock');
      const answers = await race(children, lock);
      const won = answers.filter((answer) => answer === 'won').length;
      winners += won;
      refused += answers.filter((answer) => answer === 'lock-held').length;
      if (won !== 1) problems.push(`round ${round} has ${won} winners: ${answers.join(', ')}`);
      if (answers.some((answer) => answer !== 'won' && answer !== 'lock-held'))
        problems.push(`round ${round}: ${answers.join(', ')}`);
      const left = readdirSync(lock).sort();
      if (left.join(' ') !== '1 2') problems.push(`round ${round} left ${left.join(' ')}`);
    }
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    return { rounds, racers, winners, refused, seconds, problems };
  } finally {
    for (const child of children) child.kill();
    removeTree(directory);
  }
};

/** All start in the same millisecond; what each says. */
const race = (children: readonly ChildProcess[], lock: string): Promise<readonly string[]> => {
  const startAt = Date.now() + 5;
  return Promise.all(
    children.map(async (child): Promise<string> => {
      const answer = once(child, 'message');
      child.send({ lock, startAt });
      return String((await answer)[0]);
    }),
  );
};

/** Who a process was that has ended. */
const deadProcess = async () => {
  const child = spawn('true', { stdio: 'ignore' });
  await once(child, 'exit');
  const { self, isAlive } = createSpawn();
  const identity = { ...self, pid: child.pid ?? 0, startTime: '1' };
  if (isAlive(identity) !== 'dead') throw new Error('the dead process lives');
  return identity;
};
