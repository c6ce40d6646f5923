import { expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { type KeptFiles, keptFilesOf } from '../../src/cli/serve/kept-files.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { deviceWith } from '../helpers/served.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const uid = process.getuid?.() ?? 0;
const [known, gone, fresh] = ['1', '2', '3'].map((digit) => deviceWith(digit.repeat(64), 'steer'));
const push = {
  endpoint: 'https://fcm.googleapis.com/x',
  p256dh: 'B'.repeat(87),
  auth: 'A'.repeat(22),
};
const key = (letter: string) => ({ publicKey: letter.repeat(87), privateKey: letter.repeat(43) });
if (known === undefined || gone === undefined || fresh === undefined) throw new Error('three devices');

/** What a program does with the devices, each with all that must hold once it is done. */
const changes: Readonly<Record<string, (kept: KeptFiles) => unknown>> = {
  revoke: (kept) => kept.revoke(gone.id),
  pair: (kept) => kept.pair(fresh),
  'rename the revoked one': (kept) => kept.rename(gone.id, 'again'),
  'notify the revoked one': (kept) => kept.receive(gone.id, push),
  'rename another': (kept) => kept.rename(known.id, 'desk'),
  'notify another': (kept) => kept.receive(known.id, push),
  'make the keys': (kept) => kept.vapid(() => key('K')),
  look: (kept) => kept.read(),
};

/** Calls `other` before the n-th call of the disk. `calls` counts them. */
const interrupted = (disk: Disk, n: number, other: () => void): { disk: Disk; calls: () => number } => {
  let calls = 0;
  return {
    calls: () => calls,
    disk: new Proxy(disk, {
      get: (target, name, receiver) => {
        calls += 1;
        if (calls === n) other();
        return Reflect.get(target, name, receiver);
      },
    }),
  };
};

const start = () => {
  const disk = createSimulatedDisk({ uid });
  const random = createSeededRandom(1);
  const open = (on: Disk): KeptFiles =>
    keptFilesOf({ XDG_STATE_HOME: '/state' }, { disk: on, random }, '/work');
  const kept = open(disk);
  for (const device of [known, gone]) kept.pair(device);
  return { disk, open, kept };
};

/** One change with another before each call of the disk that it makes. */
const tryBetween = (one: string, other: string): void => {
  for (let n = 1, isDone = false; !isDone; n += 1) {
    const { disk, open, kept } = start();
    let result: unknown;
    const { disk: own, calls } = interrupted(disk, n, () => {
      result = changes[other]?.(open(disk));
    });
    const { path } = kept.read();
    const made = changes[one]?.(open(own));
    isDone = calls() < n;
    if (isDone) result = changes[other]?.(open(disk));
    const done = new Set([one, other]);
    const { devices, vapid, path: after } = kept.read();
    const seen = `"${one}", with "${other}" before call ${n}`;
    expect(after, seen).toBe(path);
    expect(devices, seen).toEqual([
      {
        ...known,
        ...(done.has('rename another') ? { name: 'desk' } : {}),
        ...(done.has('notify another') ? { push } : {}),
      },
      ...(done.has('revoke')
        ? []
        : [
            {
              ...gone,
              ...(done.has('rename the revoked one') ? { name: 'again' } : {}),
              ...(done.has('notify the revoked one') ? { push } : {}),
            },
          ]),
      ...(done.has('pair') ? [fresh] : []),
    ]);
    if (one === 'make the keys' && one === other) expect([made, result], seen).toEqual([vapid, vapid]);
    // Nothing about a revoked device is left, nor of a write in between.
    if (done.has('revoke')) expect(disk.tree('/state').join('\n'), seen).not.toContain(gone.id);
  }
};

test.each(Object.keys(changes))('"%s" and any other change at once lose nothing of each other', (one) => {
  for (const other of Object.keys(changes)) if (!(one === 'pair' && other === one)) tryBetween(one, other);
});

test('what is damaged, or what others could have written, counts for nothing and is named', () => {
  const { disk, kept } = start();
  const file = disk.tree('/state').find((path) => path.endsWith(`devices/${gone.id}.json`)) ?? '';
  disk.chmod(file, 0o620);
  expect(() => kept.read()).toThrow('damaged, or others can write to it');
  disk.drop(file);
  expect(kept.read().devices).toEqual([known]);
  disk.put(file, '{');
  expect(() => kept.read()).toThrow('damaged, or others can write to it');
});
