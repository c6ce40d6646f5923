import { PassThrough } from 'node:stream';
import { setImmediate as soon } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { Engine } from '../../src/engine/engine.ts';
import { serveStdio } from '../../src/mcp/serve-stdio.io.ts';
import { createStdioTransport } from '../../src/mcp/stdio-transport.io.ts';
import { callHost } from '../../src/mcp/workers/call-host.io.ts';
import { createWorkerCalls } from '../../src/mcp/workers/create-worker-calls.ts';
import { serveWorkers } from '../../src/mcp/workers/serve-workers.io.ts';
import type { Listening } from '../../src/mcp/workers/wire.ts';
import { workerTools } from '../../src/mcp/workers/worker-tools.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession } from '../helpers/flow-session.ts';
import { isLongForm } from '../helpers/test-form.ts';

type Session = ReturnType<typeof createFlowSession>;

/** The official MCP client of one worker, at the other end of its program's stdin and stdout; that program is connected over a real port. */
const client = async (session: Session, at: Listening) => {
  const process = session.spawn.beside();
  const [up, down] = [new PassThrough(), new PassThrough()];
  let socket: { close(): void } | null = null;
  const served = serveStdio(
    {
      clock: session.clock,
      program: 'test',
      tools: workerTools,
      calls: createWorkerCalls({
        team: 'analyst',
        program: () => 'other',
        self: process.identity,
        reads: {
          tasks: () => [],
          report: () => null,
          status: () => ({ body: {} }),
          questions: () => ({ body: {} }),
        },
        dial: async () => {
          const line = await callHost(at);
          socket = line;
          return { line, token: at.token, session: 'one' };
        },
      }),
      instructions: '',
    },
    { input: up, output: down, redact: (text) => text },
  );
  const mcp = new Client({ name: 'agent', version: '1' });
  await mcp.connect(
    createStdioTransport(down, up, { sent: () => {}, lost: () => {}, redact: (text) => text }),
  );
  onTestFinished(async () => {
    socket?.close();
    up.end();
    await served;
  });
  return {
    call: async (name: string, input: Record<string, unknown> = {}) => {
      const result = CallToolResultSchema.parse(await mcp.callTool({ name, arguments: input }));
      const [{ text }] = z
        .tuple([z.object({ type: z.literal('text'), text: z.string() })])
        .parse(result.content);
      return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    },
    /** `kill -9`: the process is gone, and its connection with it. */
    die: () => {
      process.kill();
      socket?.close();
    },
  };
};

/** A team whose only agent of ours works on its first task for ever. */
const teamOf = async (count: number) => {
  const issues = Object.fromEntries(
    Array.from({ length: count + 2 }, (_, at) => [
      at + 1,
      at === 0 ? 'state: research-needed' : 'state: research-needed\nparent: 1',
    ]),
  );
  const session = createFlowSession({
    issues,
    start: { fill: 'team' },
    settings: {
      flow: { ...defaultSettings.flow, join: 'always' },
      concurrency: { ...defaultSettings.concurrency, max_parallel_executors: 1 },
    },
    answers: () => new Promise(() => undefined),
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.clock.advanceAsync(2_000);
  const served = await serveWorkers({
    door: engine.workers,
    works: session.works(),
    watch: (changed) => engine.subscribe(changed),
    clock: session.clock,
    random: session.random,
    token: 'a token of the host',
  });
  onTestFinished(served.close);
  return { session, engine, at: served.at };
};

const taskIds = (engine: Engine): readonly string[] =>
  [...engine.state().tasks.keys()].filter((id) => id.startsWith('research-')).slice(1);

/** Moves the session's clock while real connections answer. */
const whileMoving = async <T>(session: Session, work: Promise<T>): Promise<T> => {
  let done = false;
  void work.finally(() => {
    done = true;
  });
  while (!done) {
    await soon();
    await session.clock.advanceAsync(20);
  }
  return work;
};

const found = { status: 'completed', result: { files: ['src/a.ts'] }, document: '# Found\n' };

/** More in the long run: each claim passes two MCP connections. */
const contested = isLongForm ? 100 : 25;

test(`8 MCP clients on one engine: of ${contested} tasks that all of them claim each has one winner, and none is lost`, async () => {
  const { session, engine, at } = await teamOf(contested);
  const wanted = taskIds(engine);
  expect(wanted).toHaveLength(contested);
  const clients = await Promise.all(Array.from({ length: 8 }, () => client(session, at)));
  const winners = new Map<string, number>();
  const work = async (): Promise<void> => {
    for (const task of wanted) {
      const answers = await Promise.all(clients.map(({ call }) => call('task_claim', { task })));
      const winner = answers.findIndex(({ claimed }) => claimed === task);
      expect(answers.filter(({ claimed }) => claimed === task)).toHaveLength(1);
      expect(answers.filter(({ refused }) => refused === 'taken_by')).toHaveLength(7);
      winners.set(task, winner);
      expect(
        await clients[winner]?.call('task_update', { status: 'completed', outcome: found }),
      ).toMatchObject({
        accepted: true,
        // Nobody prompts it again: its answer leads to its next task.
        next: expect.stringContaining('Call task_claim'),
      });
    }
  };
  await whileMoving(session, work());
  await session.clock.advanceAsync(20_000);
  expect(winners.size).toBe(contested);
  const done = session.all('task.qualified').map(({ task }) => task);
  expect(done.toSorted()).toEqual([...wanted].toSorted());
  expect(engine.state().flow?.messages).toMatchObject({ sent: 0, refused: 0 });
});

test('clients that are killed at any point: every task is completed once by one that lives', async () => {
  const { session, engine, at } = await teamOf(20);
  const wanted = taskIds(engine);
  const worker = async (dies: number): Promise<void> => {
    const own = await client(session, at);
    for (let count = 0; ; count += 1) {
      const { claimed, idle } = await own.call('task_claim');
      if (idle !== undefined) return;
      expect(claimed).toMatch(/^research-/);
      if (count === dies) {
        own.die();
        return worker(dies + 7);
      }
      await own.call('task_update', { status: 'completed', outcome: found });
    }
  };
  await whileMoving(session, Promise.all([0, 1, 2, 3].map(worker)));
  await session.clock.advanceAsync(60_000);
  expect(session.all('worker.left').length).toBeGreaterThan(3);
  const done = session.all('task.qualified').map(({ task }) => task);
  expect(done.toSorted()).toEqual([...wanted].toSorted());
  expect(session.find('task.failed')).toBeUndefined();
});
