import { expect, test } from 'vitest';
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

test('a runner without its host stops the agent after orphan_after and keeps its work, which comes under refs/ralph/late and is not merged', async () => {
  const clock = createManualClock();
  const directory = tempDir();
  const there = serveIn(clock, directory, [obedient]);
  const carrier = createSimulatedCarrier(clock, () => 0.5, there.attach);
  const { runner, place, disk, random, copy } = hostOf(clock, carrier, 60_000);
  const wait = <T>(promise: Promise<T>): Promise<T> => pumped(clock, promise);
  const { workspace, brief } = repositoryWithTask();
  const { host, facts, boundary } = recordingHost();
  const signs: true[] = [];
  const worker = place(obedient).start(brief, { ...host, heard: () => void signs.push(true) });
  const ask = { kind: 'implement', prompt: 'file half.txt\nfact begun\nwait', messages: [] };
  const turn = worker.turn(ask, boundary);
  await wait(expect.poll(() => facts.length).toBe(1) as unknown as Promise<void>);

  carrier.cut();
  const cutAt = clock.now();
  const result = await wait(turn);
  // A minute for the runner to stop by itself, then the attempt is given up here. Until then it counts as alive.
  expect(clock.now() - cutAt).toBeGreaterThanOrEqual(120_000);
  expect(result).toMatchObject({
    kind: 'failed',
    fault: { code: 'runner-given-up', what: 'runner gpu was unreachable for 2 min' },
  });
  expect(signs.length).toBeGreaterThan(15);
  await wait(there.over);
  expect(there.late.of(brief.session)).toMatchObject([{ invocation: 'Executor-1', attempt: 1 }]);

  carrier.mend();
  carrier.replace(serveIn(clock, directory, [obedient]).attach);
  const peer = await wait(runner.ready());
  const ports = { disk, random, copy };
  const session = { session: brief.session, workspace };
  const odd: string[] = [];
  const collect = () => wait(collectLate(ports, peer, session, ({ what }) => void odd.push(what)));
  // One that cannot be brought, here because its commit is gone, stays there and keeps no other from coming.
  const [known] = there.late.of(brief.session);
  if (known) there.late.add({ ...known, invocation: 'Executor-0', task: 'gone' });
  const collected = await collect();
  const ref = `refs/ralph/late/${brief.session}/Executor-1`;
  expect(collected).toEqual([{ invocation: 'Executor-1', attempt: 1, ref }]);
  expect(git(workspace, 'show', `${ref}:half.txt`)).toBe('half.txt');
  expect(git(workspace, 'status', '--porcelain')).toBe('');
  expect(await collect()).toEqual([]);
  expect(odd).toEqual([odd[0], odd[0]]);
  expect(odd[0]).toMatch(/^the late work of gone stays on the runner: git could not pack the result: /u);
});

test('the first work on a runner waits until what came late is taken over: a session that ends after it leaves none there', async () => {
  const clock = createManualClock();
  const there = serveIn(clock, tempDir(), [obedient]);
  const carrier = createSimulatedCarrier(clock, () => 0.5, there.attach);
  const taken = Promise.withResolvers<void>();
  const { runner } = hostOf(clock, carrier, 60_000, { reached: () => taken.promise });
  let isReady = false;
  const ready = runner.ready().then((peer) => {
    isReady = true;
    return peer;
  });
  await pumped(clock, expect.poll(() => runner.described()).not.toBeNull() as unknown as Promise<void>);
  expect(isReady).toBe(false);
  taken.resolve();
  await pumped(clock, ready);
  expect(isReady).toBe(true);
});
