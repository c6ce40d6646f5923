import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAcpBackend } from '../../../src/agents/backends/acp/create-acp-backend.ts';
import { createWarmAgents } from '../../../src/agents/backends/acp/warm/warm-agents.ts';
import { markerOf } from '../../../src/agents/marker.ts';
import type { Brief, TurnResult } from '../../../src/agents/port.ts';
import { example } from '../../../src/agents/profiles/example.ts';
import type { AgentProfile } from '../../../src/agents/profiles/profile.ts';
import type { RoleFact } from '../../../src/agents/role-fact.ts';
import { createClock } from '../../../src/base/clock.io.ts';
import { createDisk } from '../../../src/base/disk.io.ts';
import { createSpawn } from '../../../src/base/process/spawn.io.ts';
import { defaultSettings } from '../../../src/session/settings.ts';
import { createManualClock } from '../../helpers/manual-clock.ts';
import { briefOf, taskOf } from '../../helpers/role-port.ts';
import type { Action } from '../../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { bench } from '../../helpers/worker-bench.ts';

const done: Action = { do: 'say', text: JSON.stringify({ status: 'completed', summary: ['It works.'] }) };
const settings = { ...defaultSettings, roles: { reviewer: 'example' } };

/** Works of one session with one agent; `first` is what it does in its first reply. */
const begin = (first: readonly Action[] = [done], of: Partial<AgentProfile> = {}) => {
  const directory = tempDir();
  const agent = createScriptedAgent(directory, {
    initialize: { agentCapabilities: { loadSession: true } },
    turns: [
      { actions: first, afterwards: [{ do: 'say', text: 'too late' }] },
      { again: true, actions: [done] },
    ],
  });
  const profile = { ...example, command: [agent.command, ...agent.args], manySessions: true, ...of };
  const spawn = createSpawn();
  const waits = createManualClock();
  const warm = createWarmAgents({ spawn, clock: waits });
  const backend = createAcpBackend(
    { disk: createDisk(), spawn, clock: createClock(), env: process.env, version: 'test', warm },
    profile,
  );
  const workspace = tempDir();
  const sessionDirectory = tempDir();
  const brief = (number: number, some: Partial<Brief>): Brief =>
    briefOf({
      workspace,
      sessionDirectory,
      task: taskOf({}),
      attempt: 1,
      settings,
      ...some,
      invocation: `Executor-${number}`,
    });
  const markers = ['1', '2', '3', '1-ahead-example-1', '1-ahead-example-2', '1-ahead-example-3'].map((name) =>
    markerOf({ sessionDirectory, invocation: `Executor-${name}` }),
  );
  onTestFinished(async () => {
    await spawn.stopMarked(markers, 500);
  });
  const asked = (wanted: string): readonly unknown[] =>
    agent
      .log()
      .flatMap(({ what, method, params }) => (what === 'request' && method === wanted ? [params] : []));
  let works = 0;
  return {
    waits,
    /** One work from its start to its end. */
    work: async (some: Partial<Brief> = {}, data?: unknown) => {
      works += 1;
      const at = bench(backend, brief(works, some));
      const result = await at.turn('implement', data);
      await at.worker.end?.();
      return { ...at, result, kept: at.worker.kept?.() ?? [] };
    },
    /** One work that a pause ends with its first reply. */
    pause: async () => {
      works += 1;
      const at = bench(backend, brief(works, {}), [{ kind: 'pause' }]);
      const result = await at.turn('implement');
      await at.worker.end?.();
      return { kept: at.worker.kept?.() ?? [], continuation: continuationIn(result) };
    },
    /** One work that is not ended yet. */
    open: async (some: Partial<Brief> = {}) => {
      works += 1;
      const at = bench(backend, brief(works, some));
      await at.turn('implement');
      return at;
    },
    /** Starts agents for so many works as the first one, until the signal; gives what is told of them. */
    ahead: (count: number, until: AbortSignal, some: Partial<Brief> = {}) => {
      const facts: RoleFact[] = [];
      const emit = (fact: RoleFact): void => void facts.push(fact);
      backend.ahead?.({ brief: brief(1, some), count, until }, { emit });
      return facts;
    },
    starts: () => agent.log().filter(({ what }) => what === 'started').length,
    /** The parameters of each such request. */
    asked,
    opened: () => asked('session/new'),
    running: () => markers.flatMap((marker) => spawn.survivors(marker, workspace).marked),
    stopMarked: (number: number) => spawn.stopMarked(markers.slice(number - 1, number), 500),
  };
};

const continuationIn = (result: TurnResult): unknown => {
  if (result.kind !== 'paused') throw new Error(JSON.stringify(result));
  return result.continuation;
};

test('the next work that would start the same gets the same process, and a session of its own', async () => {
  const { work, starts, running } = begin();
  const one = await work();
  expect(one.kept).toEqual(running());
  const two = await work();
  expect(starts()).toBe(1);
  const connected = [one, two].map(({ facts }) => facts.find(({ type }) => type === 'agent.connected'));
  expect(connected).toMatchObject([
    { session: expect.stringMatching(/-1$/u) },
    { session: expect.stringMatching(/-2$/u) },
  ]);
  // Whoever stops the second one looks for the processes of the first.
  expect(two.facts[0]).toMatchObject({
    type: 'agent.launched',
    marker: expect.stringMatching(/Executor-1$/u),
  });
  expect(two.facts).toContainEqual(one.facts.find(({ type }) => type === 'agent.process-started'));
  // What the first session said after its end is nobody's.
  expect(two.output()).not.toContain('too late');
});

/** A worktree of a session: their directory is one for all of them. */
const worktree = (place: string, name: string): string => {
  const workspace = join(place, name);
  mkdirSync(workspace);
  return workspace;
};

test('a process serves one task after another, each in its own worktree', async () => {
  const { work, starts, opened } = begin();
  const place = tempDir();
  const trees = ['one-1', 'two-1'].map((name) => worktree(place, name));
  for (const workspace of trees) {
    await work({ workspace, slot: 0, task: { ...taskOf({}), id: workspace } });
    rmSync(workspace, { recursive: true });
  }
  expect(starts()).toBe(1);
  expect(opened()).toMatchObject(trees.map((cwd) => ({ cwd })));
});

test.each<[string, () => Partial<Brief>]>([
  ['another directory', () => ({ workspace: tempDir() })],
  ['another worktree number', () => ({ slot: 3 })],
  ['another session', () => ({ session: '260215-101501' })],
])('%s starts an agent of its own', async (_, some) => {
  const { work, starts } = begin();
  await work();
  await work(some());
  expect(starts()).toBe(2);
});

test('a worktree with a file that its agent reads only when it starts has an agent of its own', async () => {
  const { work, starts } = begin(undefined, { readsAtStart: ['.example/settings.json'] });
  const place = tempDir();
  const plain = worktree(place, 'plain');
  const own = worktree(place, 'own');
  mkdirSync(join(own, '.example'));
  writeFileSync(join(own, '.example/settings.json'), '{}');
  await work({ workspace: plain, slot: 0 });
  await work({ workspace: own, slot: 0 });
  expect(starts()).toBe(2);
});

test('what differs by the work goes with the session where the agent takes it there', async () => {
  const { work, starts, opened } = begin(undefined, { sessionOptions: 'sample' });
  await work({ slot: 0 });
  await work({ slot: 3 });
  expect(starts()).toBe(1);
  expect(opened()).toMatchObject(
    ['0', '3'].map((RALPH_SLOT) => ({
      _meta: { sample: { options: { env: { RALPH_SLOT }, title: expect.stringMatching(/^Executor: /u) } } },
    })),
  );
});

test('work that continues an earlier session starts an agent of its own', async () => {
  const { work, starts } = begin();
  await work();
  const continuation = { session: 'earlier', told: [], text: 'so far', wrong: [] };
  await work({}, { continuation });
  expect(starts()).toBe(2);
});

test.each(['load', 'none'] as const)(
  'work that a pause interrupted continues in its own process, which takes no other (resume: %s)',
  async (resume) => {
    const { work, pause, starts, running } = begin([{ do: 'say', text: 'Half of it.' }], { resume });
    const { kept, continuation } = await pause();
    expect(kept).toEqual(running());
    await work();
    expect(starts()).toBe(2);
    const { result, facts, output } = await work({}, { continuation });
    expect(starts()).toBe(2);
    expect(result).toMatchObject({ kind: 'answered' });
    expect(facts).toContainEqual(
      expect.objectContaining({ type: 'agent.connected', began: resume === 'load' ? 'loaded' : 'new' }),
    );
    // What it says in the session that it opened again is heard; what the one that it left still says is not.
    expect(output()).toContain('It works.');
    expect(output()).not.toContain('too late');
  },
);

test('a session is closed by the request of the agent itself where that of the protocol is missing', async () => {
  const { pause, asked } = begin([{ do: 'say', text: 'Half of it.' }], { closesWith: 'sample/close' });
  await pause();
  expect(asked('sample/close')).toMatchObject([{ sessionId: expect.stringMatching(/-1$/u) }]);
});

test('an agent waits ten minutes for a pause to end', async () => {
  const { pause, waits, running } = begin([{ do: 'say', text: 'Half of it.' }]);
  await pause();
  waits.advance(599_000);
  expect(running()).not.toEqual([]);
  waits.advance(1_000);
  await expect.poll(running).toEqual([]);
});

test.each<[string, readonly Action[]]>([
  ['failed', [{ do: 'fail', code: -32603, message: 'no' }]],
  ['left a process running', [{ do: 'fork', command: 'sleep 60' }, done]],
])('an agent that %s ends with its work', async (_, first) => {
  const { work, starts, running } = begin(first);
  const one = await work();
  expect([one.kept, running()]).toEqual([[], []]);
  await work();
  expect(starts()).toBe(2);
});

test('an agent that was never tried with several sessions ends with its work', async () => {
  const { work, running } = begin([done], { manySessions: false });
  expect((await work()).kept).toEqual([]);
  expect(running()).toEqual([]);
});

test('no agent waits after the lessons of an iteration', async () => {
  const { work, running } = begin();
  expect((await work({ mode: 'TASK_REVIEW' })).kept).not.toEqual([]);
  await work({ mode: 'STAGE' });
  await expect.poll(running).toEqual([]);
});

test('an abort ends an agent that waits by the marker of the work that started it, and the next work starts another', async () => {
  const { work, starts, running, stopMarked } = begin();
  await work();
  expect(await stopMarked(1)).toMatchObject({ unverified: [] });
  expect(running()).toEqual([]);
  expect((await work()).result).toMatchObject({ kind: 'answered' });
  expect(starts()).toBe(2);
});

test('a stop ends an agent that other work started', async () => {
  const { work, open, starts, running } = begin();
  await work();
  const two = await open();
  expect(running()).not.toEqual([]);
  await two.worker.stop('abort');
  expect(running()).toEqual([]);
  expect(starts()).toBe(1);
});

test('an agent waits for two minutes', async () => {
  const { work, waits, running } = begin();
  await work();
  expect(running()).not.toEqual([]);
  waits.advance(120_000);
  await expect.poll(running).toEqual([]);
});

describe('an agent that was started ahead', () => {
  const started = (starts: () => number, number: number) => expect.poll(starts).toBe(number);

  test('opens its session, and serves the next work with it like one whose work ended', async () => {
    const { ahead, work, starts, opened, asked, running } = begin();
    const facts = ahead(1, new AbortController().signal);
    await started(starts, 1);
    expect(facts).toEqual([
      {
        type: 'agent.launched',
        program: expect.any(String),
        marker: expect.stringMatching(/Executor-1-ahead-example-1$/u),
        ahead: true,
      },
    ]);
    await expect.poll(opened).toHaveLength(1);
    expect(asked('session/prompt')).toEqual([]);
    const one = await work();
    expect(one.result).toMatchObject({ kind: 'answered' });
    expect(one.facts[0]).toMatchObject({
      type: 'agent.launched',
      marker: facts[0]?.type === 'agent.launched' && facts[0].marker,
    });
    expect([starts(), opened().length]).toEqual([1, 1]);
    expect(one.kept).toEqual(running());
  });

  test('closes a session in another directory than that of the work, which gets its own', async () => {
    const { ahead, work, starts, opened, asked } = begin(undefined, { closesWith: 'sample/close' });
    const place = tempDir();
    const here = worktree(place, 'one');
    const there = worktree(place, 'two');
    ahead(1, new AbortController().signal, { workspace: here, slot: 0 });
    await expect.poll(opened).toHaveLength(1);
    expect((await work({ workspace: there, slot: 0 })).result).toMatchObject({ kind: 'answered' });
    expect(starts()).toBe(1);
    expect(opened()).toMatchObject([{ cwd: here }, { cwd: there }]);
    expect(asked('sample/close')).toContainEqual({ sessionId: expect.stringMatching(/-1$/u) });
  });

  test('is one that waits, where each session is a program: it opens its session now', async () => {
    const { ahead, work, starts, opened, waits, running } = begin(undefined, { sessionOptions: 'sample' });
    await work();
    const before = new AbortController();
    expect(ahead(1, before.signal)).toEqual([]);
    await expect.poll(opened).toHaveLength(2);
    expect(ahead(1, before.signal)).toEqual([]);
    // Its time begins anew with the end of the work before it.
    waits.advance(600_000);
    expect(running()).not.toEqual([]);
    before.abort();
    expect((await work()).result).toMatchObject({ kind: 'answered' });
    expect([starts(), opened().length]).toEqual([1, 2]);
  });

  test('is another one beside the one that works, where each session is a program', async () => {
    const { ahead, open, starts } = begin(undefined, { sessionOptions: 'sample' });
    const one = await open();
    expect(ahead(1, new AbortController().signal)).toHaveLength(1);
    await started(starts, 2);
    await one.worker.end?.();
  });

  test('is none where enough of them wait or work, and three wait at most', async () => {
    const { ahead, work, open, starts } = begin();
    const { signal } = new AbortController();
    await work();
    expect(ahead(1, signal)).toEqual([]);
    const two = await open();
    expect(ahead(1, signal)).toEqual([]);
    expect(ahead(9, signal)).toHaveLength(3);
    await started(starts, 4);
    expect(ahead(9, signal)).toEqual([]);
    await two.worker.end?.();
  });

  test('waits as long as the work before it, and two minutes more', async () => {
    const { ahead, starts, running, waits } = begin();
    const before = new AbortController();
    ahead(1, before.signal);
    await started(starts, 1);
    waits.advance(600_000);
    expect(running()).not.toEqual([]);
    before.abort();
    waits.advance(119_000);
    expect(running()).not.toEqual([]);
    waits.advance(1_000);
    await expect.poll(running).toEqual([]);
  });

  test('is one that waits: it stays for the work to come', async () => {
    const { ahead, work, running, waits } = begin();
    await work();
    waits.advance(119_000);
    const before = new AbortController();
    expect(ahead(1, before.signal)).toEqual([]);
    waits.advance(600_000);
    expect(running()).not.toEqual([]);
    before.abort();
    waits.advance(120_000);
    await expect.poll(running).toEqual([]);
  });

  test('is not started any more when the work before it has ended meanwhile', async () => {
    const { ahead, work, starts } = begin();
    ahead(1, AbortSignal.abort());
    await work();
    expect(starts()).toBe(1);
  });

  test('is ended by its own marker, and the work starts another', async () => {
    const { ahead, work, starts, running, stopMarked } = begin();
    ahead(1, new AbortController().signal);
    await started(starts, 1);
    await stopMarked(4);
    expect(running()).toEqual([]);
    expect((await work()).result).toMatchObject({ kind: 'answered' });
    expect(starts()).toBe(2);
  });

  test('is none for an agent that was never tried with several sessions', () => {
    const { ahead } = begin(undefined, { manySessions: false });
    expect(ahead(1, new AbortController().signal)).toEqual([]);
  });

  test('that cannot start is left to the work to report', async () => {
    const { ahead, work } = begin(undefined, { command: ['no-such-agent'] });
    expect(ahead(1, new AbortController().signal)).toHaveLength(1);
    expect((await work()).result).toMatchObject({ kind: 'failed' });
  });
});
