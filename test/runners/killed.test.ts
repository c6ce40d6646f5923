import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { type Disk, DiskError } from '../../src/base/disk.ts';
import { FaultError } from '../../src/base/fault.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import type { Spawn } from '../../src/base/process/spawn.ts';
import { collectLate } from '../../src/runners/remote/collect-late.ts';
import { createSimulatedCarrier } from '../helpers/simulated-carrier.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { obedient } from './obedient.ts';
import {
  createManualClock,
  git,
  hostOf,
  pumped,
  recordingHost,
  repositoryWithTask,
  serveIn,
} from './remote-session.ts';

/** As a later process of that machine sees it: those before it are gone. */
const later = (): Spawn => ({ ...createSpawn(), isAlive: () => 'dead' });

/** A worker that has written `half.txt` on a runner and works on. */
const begun = async (orphanAfterMs: number, disk: Disk = createDisk()) => {
  const clock = createManualClock();
  const directory = tempDir();
  const there = serveIn(clock, directory, [obedient], { disk });
  const carrier = createSimulatedCarrier(clock, () => 0.5, there.attach);
  const host = hostOf(clock, carrier, orphanAfterMs);
  const wait = <T>(promise: Promise<T>): Promise<T> => pumped(clock, promise);
  const { workspace, brief } = repositoryWithTask();
  const recorded = recordingHost();
  const worker = host.place(obedient).start(brief, recorded.host);
  const ask = { kind: 'implement', prompt: 'file half.txt\nfact begun\nwait', messages: [] };
  const turn = worker.turn(ask, recorded.boundary);
  await wait(expect.poll(() => recorded.facts.length).toBe(1) as unknown as Promise<void>);
  const late = async () =>
    collectLate(host, await host.runner.ready(), { session: brief.session, workspace }, (fault) => {
      throw new FaultError(fault);
    });
  const work = (): readonly string[] => readdirSync(join(directory, 'work'));
  return { ...host, clock, directory, there, carrier, wait, workspace, brief, turn, late, work };
};

test('a runner that was killed loses nothing: the next one keeps its work, which comes under refs/ralph/late', async () => {
  const { clock, directory, carrier, wait, workspace, brief, turn, late, work } = await begun(6_000_000);
  carrier.replace(serveIn(clock, directory, [obedient], { spawn: later() }).attach);
  expect(await wait(turn)).toMatchObject({ kind: 'failed', fault: { code: 'runner-restarted' } });
  const ref = `refs/ralph/late/${brief.session}/Executor-1`;
  carrier.replace(serveIn(clock, directory, [obedient], { spawn: later() }).attach);
  expect(await wait(late())).toEqual([{ invocation: 'Executor-1', attempt: 1, ref }]);
  expect(git(workspace, 'show', `${ref}:half.txt`)).toBe('half.txt');
  // Only the process that brought it has a directory now, an empty one.
  expect(work().filter((name) => name.includes('.left-'))).toEqual([]);
  expect(readdirSync(join(directory, 'work', work()[0] ?? ''))).toEqual(['owner.json']);
});

test('the work of a process that lives is left alone', async () => {
  const { clock, directory, carrier, wait, late, work } = await begun(6_000_000);
  const before = work();
  carrier.replace(serveIn(clock, directory, [obedient]).attach);
  await wait(expect.poll(carrier.connections).toBeGreaterThan(1) as unknown as Promise<void>);
  carrier.replace(serveIn(clock, directory, [obedient]).attach);
  expect(await wait(late())).toEqual([]);
  expect(work()).toEqual(before);
});

test('work that does not fit on a full disk stays there, and is kept once there is room', async () => {
  let isFull = false;
  const disk = createDisk();
  const full: Disk = {
    ...disk,
    write: (handle, bytes) => {
      if (isFull) throw new DiskError('ENOSPC', 'write', handle.path);
      disk.write(handle, bytes);
    },
  };
  const { clock, directory, there, carrier, wait, workspace, brief, late } = await begun(60_000, full);
  isFull = true;
  carrier.cut();
  await wait(there.over);
  expect(there.late.of(brief.session)).toEqual([]);
  carrier.mend();
  carrier.replace(serveIn(clock, directory, [obedient], { spawn: later() }).attach);
  await wait(expect.poll(() => late().catch(() => null)).toHaveLength(1) as unknown as Promise<void>);
  expect(git(workspace, 'show', `refs/ralph/late/${brief.session}/Executor-1:half.txt`)).toBe('half.txt');
});

test('a full disk there is one sentence with the machine and what to do', async () => {
  const disk = createDisk();
  const full: Disk = {
    ...disk,
    write: (handle) => {
      throw new DiskError('ENOSPC', 'write', handle.path);
    },
  };
  const clock = createManualClock();
  const there = serveIn(clock, tempDir(), [obedient], { disk: full });
  const { place } = hostOf(
    clock,
    createSimulatedCarrier(clock, () => 0.5, there.attach),
  );
  const { workspace, brief } = repositoryWithTask();
  writeFileSync(join(workspace, 'b.txt'), 'x');
  const { host, boundary } = recordingHost();
  const turn = place(obedient)
    .start(brief, host)
    .turn({ kind: 'implement', prompt: '', messages: [] }, boundary);
  expect(await pumped(clock, turn)).toMatchObject({
    kind: 'failed',
    fault: { code: 'runner-disk', what: 'the disk there is full', where: 'runner gpu' },
  });
});
