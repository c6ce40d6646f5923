import { once } from 'node:events';
import { request } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Message } from '../../src/agents/port.ts';
import type { OpenTools } from '../../src/agents/tools.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createRedact } from '../../src/base/redact.ts';
import { createToolServer } from '../../src/mcp/create-tool-server.io.ts';
import { longestWait } from '../../src/mcp/patience.ts';
import { largestBody } from '../../src/mcp/refusal.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { type PlayedCalls, playedCalls } from './tool-calls.ts';

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const world = async (calls: PlayedCalls = playedCalls()) => {
  const clock = createManualClock();
  const server = createToolServer({ clock, random: createRandom(), program: 'test' });
  closings.push(server.close);
  const open = await server.open(calls);
  return { calls, clock, server, open };
};

const connect = async ({ url, token }: Pick<OpenTools, 'url' | 'token'>): Promise<Client> => {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  closings.push(() => client.close());
  return client;
};

const textSchema = z.object({ type: z.literal('text'), text: z.string() });

/** The object in a result's one text block. */
const call = async (client: Client, name: string, input: Record<string, unknown> = {}) => {
  const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: input }));
  const { text } = z.tuple([textSchema]).parse(result.content)[0];
  return { failed: result.isError === true, body: z.record(z.string(), z.unknown()).parse(JSON.parse(text)) };
};

const steer: Message = { id: 'a1', kind: 'STEER', text: "Use 'bar'.", from: 'kim', apply: 'adjust' };

/** Connects without a word, `count` times. `said`: what each sends at once. */
const silent = async (url: string, count: number, said = ''): Promise<readonly Socket[]> => {
  const { port, hostname } = new URL(url);
  const sockets = Array.from({ length: count }, () => createConnection(Number(port), hostname));
  for (const socket of sockets) socket.on('error', () => {});
  closings.push(async () => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(said);
  return sockets;
};

test('silent connections, with a token or without one, take no room from another worker', async () => {
  const { open, server } = await world();
  const other = await server.open(playedCalls());
  const before = await connect(open);
  const { host, pathname } = new URL(open.url);
  const halfway = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${other.token}\r\nContent-Length: 9\r\n\r\n`;
  await silent(open.url, 300);
  await silent(open.url, 300, halfway);
  expect((await (await connect(open)).listTools()).tools).toHaveLength(6);
  expect((await before.listTools()).tools).toHaveLength(6);
});

test('a connection that sends no request is closed soon', async () => {
  const { open } = await world();
  const [socket] = await silent(open.url, 1, 'POST /mcp HTTP/1.1\r\n');
  if (socket === undefined) throw new Error('no connection');
  socket.resume();
  await once(socket, 'close');
  // Node's own limit for a request that does not come is a minute, and it looks for such every half minute.
}, 55_000);

test('an agent sees six tools, each marked to be loaded at once', async () => {
  const { open } = await world();
  const { tools } = await (await connect(open)).listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'check_signals',
    'task_get',
    'task_list',
    'task_update',
    'ask_person',
    'stage_knowledge',
  ]);
  for (const tool of tools) {
    expect(tool._meta).toEqual({ 'anthropic/alwaysLoad': true });
    expect(JSON.stringify(tool.inputSchema)).not.toMatch(/\$schema|propertyNames/);
  }
});

test('task_get gives the own task with the reports of what it waits for', async () => {
  const { open } = await world();
  const { body } = await call(await connect(open), 'task_get');
  expect(body).toMatchObject({
    task: { id: 'html', objective: 'Write the page.', criteria: ['html works'] },
    depends_on: [{ id: 'schema', status: 'done', metadata: { port: 8080 }, report: 'It validates.' }],
  });
});

test('task_list gives all tasks, or those in one status', async () => {
  const client = await connect((await world()).open);
  expect((await call(client, 'task_list')).body).toMatchObject({ tasks: [{ id: 'schema' }, { id: 'html' }] });
  expect((await call(client, 'task_list', { status: 'done' })).body).toMatchObject({
    tasks: [{ id: 'schema', depends_on: [] }],
  });
});

test('every result carries what the person said meanwhile, whatever the tool', async () => {
  const { calls, open } = await world();
  const client = await connect(open);
  for (const [name, input] of [
    ['check_signals', {}],
    ['task_list', {}],
    ['task_update', { status: 'in_progress', note: 'half' }],
    ['stage_knowledge', { category: 'how-to', name: 'x.md', body: '# X' }],
    ['task_get', { id: 'ghost' }],
  ] as const) {
    calls.boundaries.push({ kind: 'go', messages: [steer] });
    const { body } = await call(client, name, input);
    expect(body).toMatchObject({
      messages: [{ id: 'a1', kind: 'STEER', from: 'kim', text: "Use 'bar'.", verdict: 'adjust' }],
      next: expect.stringContaining('escalate'),
    });
  }
  await expect.poll(() => calls.reachedMessages).toEqual(Array.from({ length: 5 }, () => steer));
  expect(calls.missedMessages).toEqual([]);
});

test('an update is taken when its outcome fits, and else refused with the fields that do not', async () => {
  const { calls, open } = await world();
  const client = await connect(open);
  expect(await call(client, 'task_update', { status: 'completed' })).toMatchObject({
    failed: true,
    body: { wrong: ['outcome: missing'] },
  });
  expect(
    await call(client, 'task_update', { status: 'completed', outcome: { status: 'done' } }),
  ).toMatchObject({ failed: true, body: { wrong: ['status: must be completed'] } });
  expect(
    await call(client, 'task_update', { status: 'completed', outcome: { status: 'completed' } }),
  ).toMatchObject({ failed: false, body: { accepted: true } });
  // No prompt but that of the Executor names `status`.
  expect(await call(client, 'task_update', { outcome: { status: 'completed' } })).toMatchObject({
    body: { accepted: true },
  });
  expect(calls.updates).toHaveLength(4);
});

test('arguments that do not fit are answered with the field, not with a protocol error', async () => {
  const client = await connect((await world()).open);
  expect(
    await call(client, 'stage_knowledge', { category: 'blog', name: '../x.md', body: '' }),
  ).toMatchObject({
    failed: true,
    body: {
      wrong: [expect.stringMatching(/^category: /), expect.stringMatching(/^name: /), expect.any(String)],
    },
  });
  expect(await call(client, 'rm_rf')).toMatchObject({ failed: true, body: { error: /check_signals/ } });
});

test('a call during a hold waits for its end, and then carries what was queued', async () => {
  const { calls, open } = await world();
  const client = await connect(open);
  calls.boundaries.push({ kind: 'pause' }, { kind: 'go', messages: [steer] });
  const called = call(client, 'check_signals');
  await calls.resume();
  expect((await called).body).toMatchObject({ messages: [{ id: 'a1' }] });
});

test('a hold that goes on ends the wait after 45 seconds with the order to end the turn', async () => {
  const { calls, clock, open } = await world();
  const client = await connect(open);
  calls.boundaries.push({ kind: 'pause' });
  const called = call(client, 'check_signals');
  await calls.waiting();
  await clock.advanceAsync(longestWait - 1);
  expect(clock.armed()).toBe(1);
  clock.advance(1);
  expect((await called).body).toMatchObject({
    session: 'paused',
    next: expect.stringContaining('prompted again'),
  });
  expect(clock.armed()).toBe(0);
});

test('an abort and a cancel tell the agent to stop', async () => {
  const { calls, open } = await world();
  const client = await connect(open);
  calls.boundaries.push({ kind: 'abort' }, { kind: 'cancel', reason: 'CANCEL by kim' });
  expect((await call(client, 'check_signals')).body).toMatchObject({ session: 'aborted' });
  expect((await call(client, 'check_signals')).body).toMatchObject({ session: /CANCEL by kim/ });
});

test('a question that is answered in time is answered in the result', async () => {
  const { calls, open } = await world();
  const client = await connect(open);
  const asked = call(client, 'ask_person', { question: 'Which port?', options: ['80', '8080'] });
  await calls.answer('8080');
  expect((await asked).body).toMatchObject({ answered: true, answer: '8080', request: 'ask:Executor-7:1' });
  expect(calls.questions).toEqual([{ question: 'Which port?', options: ['80', '8080'] }]);
});

test('a question nobody answers ends the turn after one bounded wait, also when a hold begins', async () => {
  const { calls, clock, open } = await world();
  const client = await connect(open);
  calls.boundaries.push({ kind: 'pause' });
  const asked = call(client, 'ask_person', { question: 'Which port?' });
  await calls.waiting();
  await clock.advanceAsync(longestWait);
  expect((await asked).body).toMatchObject({
    answered: false,
    next: expect.stringContaining('End your turn'),
  });
  expect(clock.armed()).toBe(0);
});

test('a hold ends the wait for an answer at once, without a wait of its own', async () => {
  const { calls, clock, open } = await world();
  const client = await connect(open);
  calls.boundaries.push({ kind: 'pause' });
  const asked = call(client, 'ask_person', { question: 'Which port?' });
  await calls.hold();
  expect((await asked).body).toMatchObject({ answered: false, session: 'paused' });
  expect(clock.armed()).toBe(0);
});

test('a caller that cancels while it waits takes no message with it', async () => {
  const { calls, clock, open } = await world();
  const client = await connect(open);
  calls.boundaries.push({ kind: 'go', messages: [steer] });
  const hungUp = new AbortController();
  const asked = client.callTool({ name: 'ask_person', arguments: { question: 'Which?' } }, undefined, {
    signal: hungUp.signal,
  });
  await calls.waiting();
  hungUp.abort('no more');
  await expect(asked).rejects.toThrow();
  await expect.poll(() => clock.armed()).toBe(0);
  expect(calls.boundaries).toHaveLength(1);
});

test('messages of a result that never left are given back', async () => {
  const calls = playedCalls();
  const begun = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const { clock, open } = await world({
    ...calls,
    boundary: async () => {
      begun.resolve();
      await gone.promise;
      return { kind: 'go', messages: [steer] };
    },
  });
  const client = await connect(open);
  const hungUp = new AbortController();
  const ask = (id: number, name: string, input: object) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: input },
  });
  const sent = fetch(open.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${open.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': client.transport?.sessionId ?? '',
    },
    // The question of the same request shows when the server has seen that the connection is gone: its timer ends.
    body: JSON.stringify([ask(8, 'ask_person', { question: 'Which?' }), ask(9, 'check_signals', {})]),
    signal: hungUp.signal,
  }).then((response) => response.text());
  sent.catch(() => {});
  await Promise.all([begun.promise, calls.waiting()]);
  hungUp.abort();
  await expect.poll(() => clock.armed()).toBe(0);
  gone.resolve();
  await expect.poll(() => calls.missedMessages).toEqual([steer]);
  expect(calls.reachedMessages).toEqual([]);
});

test('a token is one worker’s: it dies with it, and another one stays alive', async () => {
  const first = playedCalls();
  const { server, open } = await world(first);
  const second = playedCalls();
  const other = await server.open(second);
  expect(other.token).not.toBe(open.token);
  expect(createRedact()(`the token is ${open.token}!`)).toBe('the token is [redacted]!');
  const client = await connect(open);
  await call(client, 'task_update', { status: 'in_progress' });
  open.close();
  await expect(call(client, 'check_signals')).rejects.toThrow();
  await call(await connect(other), 'task_update', { status: 'in_progress' });
  expect([first.updates.length, second.updates.length]).toEqual([1, 1]);
});

test('a worker that ends answers the call that waits', async () => {
  const { calls, clock, open } = await world();
  const client = await connect(open);
  const asked = call(client, 'ask_person', { question: 'Which?' });
  asked.catch(() => {});
  await calls.waiting();
  open.close();
  await expect.poll(() => clock.armed()).toBe(0);
});

/** One raw request; the status, or the code of the broken connection. */
const raw = (
  url: string,
  headers: Record<string, string>,
  options: { readonly method?: string; readonly path?: string; readonly body?: string } = {},
): Promise<number | string> => {
  const { promise, resolve } = Promise.withResolvers<number | string>();
  const { port } = new URL(url);
  const sent = request(
    { host: '127.0.0.1', port, path: options.path ?? '/mcp', method: options.method ?? 'POST', headers },
    (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    },
  );
  sent.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
  sent.end(options.body ?? '{}');
  return promise;
};

test('who has no token, a wrong one or the one of an ended worker is refused', async () => {
  const { open } = await world();
  expect(await raw(open.url, {})).toBe(401);
  expect(await raw(open.url, { authorization: 'Bearer wrong' })).toBe(401);
  expect(await raw(open.url, { authorization: `Basic ${open.token}` })).toBe(401);
  expect(await raw(open.url, { authorization: `Bearer ${open.token}` })).toBe(400);
  open.close();
  expect(await raw(open.url, { authorization: `Bearer ${open.token}` })).toBe(401);
});

test('a foreign Host or Origin is refused, also with the right token', async () => {
  const { open } = await world();
  const authorization = `Bearer ${open.token}`;
  const { port, host } = new URL(open.url);
  expect(await raw(open.url, { authorization, host: `evil.example:${port}` })).toBe(403);
  expect(await raw(open.url, { authorization, host: '127.0.0.1' })).toBe(403);
  expect(await raw(open.url, { authorization, origin: 'https://evil.example' })).toBe(403);
  expect(await raw(open.url, { authorization, origin: 'null' })).toBe(403);
  expect(await raw(open.url, { authorization, origin: `http://${host}` })).toBe(400);
});

test('other paths, methods, sessions and texts are refused', async () => {
  const { open } = await world();
  const authorization = `Bearer ${open.token}`;
  expect(await raw(open.url, { authorization }, { path: '/' })).toBe(404);
  expect(await raw(open.url, { authorization }, { method: 'PUT' })).toBe(405);
  expect(await raw(open.url, { authorization }, { body: 'no json' })).toBe(400);
  const brackets = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
  expect(await raw(open.url, { authorization }, { body: `{"jsonrpc":"2.0","x":${brackets}}` })).toBe(400);
  expect(await raw(open.url, { authorization, 'mcp-session-id': 'x' })).toBe(404);
});

test('a body of 10 MB is refused, whether it says its length or not', async () => {
  const { open } = await world();
  const authorization = `Bearer ${open.token}`;
  const body = JSON.stringify({ filler: 'x'.repeat(10_000_000) });
  expect(await raw(open.url, { authorization, 'content-length': String(body.length) }, { body })).toBeOneOf([
    413,
    'ECONNRESET',
    'EPIPE',
  ]);
  expect(await raw(open.url, { authorization, 'transfer-encoding': 'chunked' }, { body })).toBeOneOf([
    413,
    'ECONNRESET',
    'EPIPE',
  ]);
  expect(
    await raw(open.url, { authorization, 'content-length': String(largestBody + 1) }, { body: '{' }),
  ).toBe(413);
});

test('the server listens on loopback alone, and its port is closed with it', async () => {
  const { server, open } = await world();
  expect(new URL(open.url).hostname).toBe('127.0.0.1');
  await server.close();
  expect(await raw(open.url, {})).toBe('ECONNREFUSED');
});
