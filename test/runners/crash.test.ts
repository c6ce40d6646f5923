import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend, Brief } from '../../src/agents/port.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import type { Spawn } from '../../src/base/process/spawn.ts';
import type { Pipe, PipeEnd } from '../../src/runners/link/pipe.ts';
import { collectLate } from '../../src/runners/remote/collect-late.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedCarrier } from '../helpers/simulated-carrier.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { sized } from '../helpers/test-form.ts';
import { obedient } from './obedient.ts';
import {
  briefIn,
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

const ask = {
  kind: 'implement',
  prompt: 'fact one\nboundary a\nfile new.txt\npermission good\nask why?\nfact two',
  messages: [],
};

/** A runner over a link that delays, repeats and reorders, and a repository whose attempts have a work tree each, as the engine places them. */
const begin = () => {
  const clock = createManualClock();
  const directory = tempDir();
  const { workspace: repository } = repositoryWithTask();
  let wrote = false;
  /** Asks for a permission right after its file. */
  const agent: Backend = {
    ...obedient,
    start: (brief, host) =>
      obedient.start(brief, {
        ...host,
        permission: async (asked, over) => {
          wrote = true;
          return (await host.permission?.(asked, over)) ?? 'refuse';
        },
      }),
  };
  /** The process of each link, as a real runner has them: one that is ending takes no connection of the next link. */
  const processes = new Map<string, ReturnType<typeof serveIn>>();
  const attach = (pipe: Pipe, link: string): PipeEnd => {
    const process = processes.get(link) ?? serveIn(clock, directory, [agent], { spawn: later() });
    processes.set(link, process);
    return process.attach(pipe);
  };
  const weather = { delayMs: 10, duplicate: 0.2, reorder: 0.3 };
  const carrier = createSimulatedCarrier(clock, createSeededRandom(5).next, attach, weather);
  return {
    ...{ clock, carrier, wrote: () => wrote },
    wait: <T>(promise: Promise<T>): Promise<T> => pumped(clock, promise),
    over: () => Promise.all([...processes.values()].map(({ over }) => over)),
    /** Kills the processes. */
    replace: () => {
      processes.clear();
      carrier.replace(attach);
    },
    attempt: (number: number): Brief => {
      const workspace = join(tempDir(), 'tree');
      git(repository, 'worktree', 'add', '--quiet', '--detach', workspace);
      return briefIn(workspace, `Executor-${number}`);
    },
    late: async (host: ReturnType<typeof hostOf>, { session }: Brief) =>
      collectLate(host, await host.runner.ready(), { session, workspace: repository }, ({ what }) => {
        throw new Error(what);
      }),
    /** Crashes before the message of this number arrives. Returns whether there were so many. */
    crashAt: (number: number, crash: () => void): (() => boolean) => {
      let seen = 0;
      carrier.watch((line) => {
        if (seen >= number || !line.includes('"data"')) return false;
        seen += 1;
        if (seen < number) return false;
        crash();
        return true;
      });
      return () => seen >= number;
    },
  };
};

type Begun = ReturnType<typeof begin>;

const perform = async (host: ReturnType<typeof hostOf>, brief: Brief): Promise<string> => {
  const recorded = recordingHost();
  const worker = host.place(obedient).start(brief, recorded.host);
  const result = await worker.turn(ask, recorded.boundary);
  await worker.end?.();
  return result.kind === 'failed' ? result.fault.what : result.kind;
};

const isThere = ({ workspace }: Brief): boolean => existsSync(join(workspace, 'new.txt'));

/** The next attempt does the work once; what the first one wrote is in its work tree or kept as late work. */
const nothingIsLost = async (
  { wait, attempt, late, carrier }: Begun,
  host: ReturnType<typeof hostOf>,
  first: { readonly brief: Brief; readonly wrote: boolean },
  crashed: string,
) => {
  carrier.watch(() => false);
  const second = attempt(2);
  expect(await wait(perform(host, second)), crashed).toBe('answered');
  expect(git(second.workspace, 'status', '--porcelain'), crashed).toBe('?? new.txt');
  const kept = await wait(late(host, second));
  if (first.wrote && !isThere(first.brief)) expect(kept, crashed).toHaveLength(1);
  for (const { invocation, ref } of kept) {
    expect(invocation, crashed).toBe('Executor-1');
    expect(git(second.workspace, 'show', `${ref}:new.txt`), crashed).toBe('new.txt');
  }
  expect(await wait(late(host, second)), crashed).toEqual([]);
};

/** Messages between two crashes. */
const step = sized({ short: 5, long: 1 });

test('a runner that crashes at any message of a task loses nothing: the next attempt does the work, and what was written is kept', async () => {
  let number = 1;
  for (let more = true; more; number += step) {
    const begun = begin();
    const host = hostOf(begun.clock, begun.carrier);
    let wrote = false;
    const crashed = begun.crashAt(number, () => {
      wrote = begun.wrote();
      begun.replace();
    });
    const brief = begun.attempt(1);
    // A crash after its last call fails its end.
    await begun.wait(perform(host, brief)).catch(() => 'failed');
    more = crashed();
    await nothingIsLost(begun, host, { brief, wrote }, `runner at message ${number}`);
    host.runner.close();
  }
  expect(number).toBeGreaterThan(15);
});

test('a host that crashes at any message of a task loses nothing: the next one finds what was written, and does the work once', async () => {
  let number = 1;
  for (let more = true; more; number += step) {
    const begun = begin();
    const { clock, carrier, wait } = begun;
    const dead = hostOf(clock, carrier, 60_000);
    const gone = Promise.withResolvers<void>();
    const crashed = begun.crashAt(number, () => {
      carrier.cut();
      gone.resolve();
    });
    const brief = begun.attempt(1);
    await wait(Promise.race([gone.promise, perform(dead, brief)]));
    more = crashed();
    // A dead host opens no connection again. The carrier is cut: the runner does not hear of it.
    dead.runner.close();
    // The runner stops by itself, and ends.
    await pumped(clock, begun.over(), 1_000);
    carrier.mend();
    const first = { brief, wrote: begun.wrote() };
    await nothingIsLost(begun, hostOf(clock, carrier, 60_000), first, `host at message ${number}`);
  }
  expect(number).toBeGreaterThan(15);
});
