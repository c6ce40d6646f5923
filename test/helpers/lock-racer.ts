import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { acquireLock, isLock } from '../../src/session/lock.ts';

/**
 * One contender of the lock race, started by `lock.test.ts` with a channel: told a lock directory and a moment, it tries once and says how it
 * went. The dead holder is of no real boot, so it counts as dead; the contenders are told apart for real.
 */
const spawn = createSpawn();

process.on('message', ({ lock, startAt }: { lock: string; startAt: number }) => {
  while (Date.now() < startAt) {}
  const result = acquireLock(createDisk(), createRandom(), { lock }, spawn.self, (holder) =>
    holder.boot === 'b' ? 'dead' : spawn.isAlive(holder),
  );
  const stillOurs = isLock(result) && result.isStillOurs();
  process.send?.(isLock(result) ? (stillOurs ? 'won' : 'won and lost') : result.code);
});
process.send?.('ready');
