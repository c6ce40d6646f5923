import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedCarrier, fair, type Weather } from '../helpers/simulated-carrier.ts';
import { task as taskOf } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { sized } from '../helpers/test-form.ts';
import { conforms, type PortPlace } from './conformance.ts';
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

const remote = (weather: Weather = fair, seed = 1) => {
  const clock = createManualClock();
  const chance = createSeededRandom(seed).next;
  const directory = tempDir();
  const there = serveIn(clock, directory, [obedient]);
  const carrier = createSimulatedCarrier(clock, chance, there.attach, weather);
  const host = hostOf(clock, carrier);
  const wait = <T>(promise: Promise<T>): Promise<T> => pumped(clock, promise);
  return { clock, carrier, directory, there, ...host, backend: host.place(obedient), wait };
};

conforms('this machine', (): PortPlace => ({ backend: obedient, wait: (promise) => promise }));
conforms('a simulated link', () => remote());
conforms('a simulated link that delays, repeats and reorders', () =>
  remote({ delayMs: 20, duplicate: 0.2, reorder: 0.3 }, 7),
);

const ask = {
  kind: 'implement',
  prompt: 'fact one\nboundary a\nfile new.txt\npermission good\nfact two',
  messages: [],
};

test('a runner of the same protocol and an earlier program does the work, and says which program it is', async () => {
  const { backend, runner, wait } = remote();
  const { brief } = repositoryWithTask();
  const { host, boundary } = recordingHost();
  // The host's program is called `here`. An earlier one says no versions of its agents.
  expect(await wait(backend.start(brief, host).turn(ask, boundary))).toMatchObject({ kind: 'answered' });
  expect(runner.described()).toMatchObject({ program: 'there', agents: [] });
  expect(runner.described()).not.toHaveProperty('versions');
});

/** Messages between two cuts. */
const step = sized({ short: 3, long: 1 });

test('a link that is cut at any one message of a task loses nothing and repeats nothing', async () => {
  let cutAt = 0;
  for (let more = true; more; cutAt += step) {
    const { clock, carrier, backend, wait } = remote();
    const { workspace, brief } = repositoryWithTask();
    const { host, facts, boundary, passed } = recordingHost();
    let seen = 0;
    more = false;
    carrier.watch((line) => {
      // Before the first answer the host is told at once that the runner is not reached.
      if (!line.includes('"data"') || line.includes('describe') || line.includes('freeBytes')) return false;
      seen += 1;
      if (seen !== cutAt + 1) return false;
      more = true;
      return true;
    });
    const worker = backend.start(brief, host);
    const result = await wait(worker.turn(ask, boundary));
    await wait(worker.end?.() ?? Promise.resolve());
    expect({
      cutAt,
      result: result.kind,
      facts: facts.map((fact) => 'text' in fact && fact.text),
      passed: passed(),
    }).toEqual({
      cutAt,
      result: 'answered',
      facts: ['one', 'allow', 'two'],
      passed: 1,
    });
    expect(readFileSync(join(workspace, 'new.txt'), 'utf8')).toBe('new.txt\n');
    expect(clock.armed()).toBeLessThan(20);
  }
  expect(cutAt).toBeGreaterThan(15);
});

test('a cut of 30 s while the agent works: a checkpoint waits, and everything arrives once', async () => {
  const { clock, carrier, runner, backend, wait } = remote();
  const { brief } = repositoryWithTask();
  const { host, facts, boundary, passed } = recordingHost();
  const worker = backend.start(brief, host);
  carrier.watch((line) => {
    if (!line.includes('"boundary"')) return false;
    carrier.watch(() => false);
    carrier.cut();
    clock.after(30_000, carrier.mend);
    return true;
  });
  const turn = worker.turn(ask, boundary);
  await wait(
    expect.poll(() => runner.state()?.kind === 'unreachable').toBe(true) as unknown as Promise<void>,
  );
  const since = clock.now();
  expect(passed()).toBe(0);
  expect((await wait(turn)).kind).toBe('answered');
  expect(clock.now() - since).toBeGreaterThanOrEqual(29_000);
  expect(facts.map((fact) => 'text' in fact && fact.text)).toEqual(['one', 'allow', 'two']);
  expect(passed()).toBe(1);
});

test('a runner that crashed has lost the work: the call fails at once with that reason, and the next one works', async () => {
  const { clock, carrier, directory, backend, wait } = remote();
  const { workspace, brief } = repositoryWithTask();
  const { host, facts, boundary } = recordingHost();
  const worker = backend.start(brief, host);
  const turn = worker.turn({ ...ask, prompt: 'fact here\nwait' }, boundary);
  await wait(expect.poll(() => facts.length).toBe(1) as unknown as Promise<void>);
  carrier.replace(serveIn(clock, directory, [obedient]).attach);
  expect(await wait(turn)).toMatchObject({
    kind: 'failed',
    fault: { code: 'runner-restarted', where: 'runner gpu' },
  });
  const again = backend.start({ ...brief, invocation: 'Executor-2' }, host);
  expect((await wait(again.turn(ask, boundary))).kind).toBe('answered');
  await wait(again.end?.() ?? Promise.resolve());
  expect(git(workspace, 'status', '--porcelain')).toBe('?? new.txt');
});

test('the files of a work tree go along as they are, and a change here meanwhile is never overwritten', async () => {
  const { backend, wait } = remote();
  const { workspace, brief } = repositoryWithTask();
  writeFileSync(join(workspace, 'a.txt'), 'changed, not committed\n');
  const { host, facts, boundary } = recordingHost();
  const worker = backend.start(brief, host);
  await wait(worker.turn({ ...ask, prompt: 'file a.txt\nfact done' }, boundary));
  expect(facts).toHaveLength(1);
  writeFileSync(join(workspace, 'a.txt'), 'changed by a person\n');
  await expect(wait(worker.end?.() ?? Promise.resolve())).rejects.toThrow(
    /files in this workspace changed while the runner was working/,
  );
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('changed by a person\n');
});

test('a call that broke inside the runner leaves what the calls before it changed: its end brings that', async () => {
  const { backend, wait } = remote();
  const { workspace, brief } = repositoryWithTask();
  const { host, boundary } = recordingHost();
  const worker = backend.start(brief, host);
  expect((await wait(worker.turn({ ...ask, prompt: 'file kept.txt' }, boundary))).kind).toBe('answered');
  const broken = await wait(worker.turn({ ...ask, prompt: 'file no/such/place.txt' }, boundary));
  expect(broken).toMatchObject({ kind: 'failed', fault: { what: expect.stringContaining('ENOENT') } });
  await wait(worker.end?.() ?? Promise.resolve());
  expect(git(workspace, 'status', '--porcelain')).toBe('?? kept.txt');
});

test('a review that runs no command and asks no model stays here; one with a command goes there', async () => {
  const { backend, carrier, wait } = remote();
  const { brief } = repositoryWithTask();
  const { host, facts, boundary } = recordingHost();
  const review = async (verify: readonly string[]) => {
    const task = taskOf('a', [], { verify: verify.map((cmd) => ({ cmd })) });
    const worker = backend.start({ ...brief, mode: 'TASK_REVIEW', task }, host);
    const result = await wait(worker.turn({ kind: 'review', prompt: 'fact looked', messages: [] }, boundary));
    await wait(worker.end?.() ?? Promise.resolve());
    return result.kind;
  };
  expect(await review([])).toBe('answered');
  expect(carrier.connections()).toBe(0);
  expect(await review(['true'])).toBe('answered');
  expect(carrier.connections()).toBe(1);
  expect(facts).toHaveLength(2);
});

test('work that ends after the links were closed opens none again', async () => {
  const { runner, carrier, backend, wait } = remote();
  const { brief } = repositoryWithTask();
  const { host, boundary } = recordingHost();
  const worker = backend.start(brief, host);
  await wait(worker.turn({ ...ask, prompt: 'fact one' }, boundary));
  const before = carrier.connections();
  runner.close();
  await expect(wait(worker.end?.() ?? Promise.resolve())).rejects.toThrow('the link was closed');
  expect(carrier.connections()).toBe(before);
});
