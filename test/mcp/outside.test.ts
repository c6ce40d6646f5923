import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createSessionCalls } from '../../src/cli/integrations/session-calls.ts';
import { openSession } from '../../src/cli/session/open-session.ts';
import { readProofs } from '../../src/cli/session/proof/signal-proof.ts';
import { openMailbox, publish } from '../../src/cli/session/publish.ts';
import { roleTools, watcherTools } from '../../src/mcp/outside/index.ts';
import { serveStdio } from '../../src/mcp/serve-stdio.io.ts';
import { createStdioTransport } from '../../src/mcp/stdio-transport.io.ts';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import type { Agent } from '../../src/signals/signal.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { taskOf } from '../helpers/role-port.ts';
import { sessionFixture } from '../helpers/session-fixture.ts';
import { dropSignal, storedId, storeStory } from '../helpers/stored-story.ts';
import { createStory, type Story } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const story = (): Story =>
  createStory()
    .begin('Ship it')
    .tasks([taskOf({ id: 'one' }), taskOf({ id: 'two', blockedBy: ['one'] })]);

/** The official client at the other end of two streams. */
const connect = async (
  workspace: string,
  {
    role = null,
    session,
    secret,
    env = {},
  }: { role?: Agent | null; session?: string; secret?: string; env?: Record<string, string> } = {},
) => {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const served = serveStdio(
    {
      clock: createManualClock(),
      program: 'test',
      tools: role === null ? watcherTools : roleTools,
      calls: createSessionCalls(createTestCli({ cwd: workspace, env }), { session, role }),
      instructions: '',
    },
    {
      input: up,
      output: down,
      redact: (text) => (secret === undefined ? text : text.replaceAll(secret, '***')),
    },
  );
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(
    createStdioTransport(down, up, { sent: () => {}, lost: () => {}, redact: (text) => text }),
  );
  onTestFinished(async () => {
    up.end();
    await served;
  });
  return {
    client,
    call: async (name: string, input: Record<string, unknown> = {}) => {
      const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: input }));
      const { text } = z
        .tuple([z.object({ type: z.literal('text'), text: z.string() })])
        .parse(result.content)[0];
      return {
        failed: result.isError === true,
        body: z.record(z.string(), z.unknown()).parse(JSON.parse(text)),
      };
    },
  };
};

const mailbox = (workspace: string, folder: string): readonly string[] =>
  readdirSync(join(workspace, '.ralph-sessions', storedId, 'signals', folder))
    .toSorted()
    .map((name) =>
      readFileSync(join(workspace, '.ralph-sessions', storedId, 'signals', folder, name), 'utf8'),
    );

test('a role gets no tool that steers or answers, and a watcher none that approves', async () => {
  const workspace = storeStory(story());
  const names = async (role: Agent | null) =>
    (await (await connect(workspace, { role })).client.listTools()).tools.map(({ name }) => name);
  const reading = ['check_signals', 'session_status', 'task_list', 'task_get', 'list_questions'];
  expect(await names('Executor')).toEqual([...reading, 'work_on']);
  expect(await names(null)).toEqual([...reading, 'send_signal', 'answer_question']);
  const { call } = await connect(workspace);
  for (const type of ['APPROVE', 'SKIP', 'SET', 'ABORT', 'ANSWER'])
    expect(await call('send_signal', { type })).toMatchObject({ failed: true });
  expect(await (await connect(workspace, { role: 'Executor' })).call('send_signal', {})).toMatchObject({
    failed: true,
    body: { error: expect.stringContaining('Unknown tool "send_signal"') },
  });
});

test('no words of a program decide at a gate: what would be read as a decision is refused, and nothing is written', async () => {
  const workspace = storeStory(story());
  const { call } = await connect(workspace);
  for (const message of ['SKIP_PROMOTION: too early', '  SKIP_PROMOTION:'])
    expect(await call('send_signal', { type: 'INFO', target: 'Librarian', message })).toMatchObject({
      failed: true,
      body: { error: expect.stringContaining('would be read as SKIP, which decides at a gate') },
    });
  const toAll = { type: 'INFO', target: 'ALL', message: 'SKIP_PROMOTION: too early' };
  expect(await call('send_signal', toAll)).toMatchObject({ failed: false });
  expect(mailbox(workspace, 'inputs')).toEqual([expect.stringContaining('target: ALL')]);
});

test('whatever a program sends has no record of a person: the author is not proven', async () => {
  const workspace = storeStory(story());
  const env = { XDG_STATE_HOME: tempDir() };
  const { call } = await connect(workspace, { env });
  for (const signal of [
    { type: 'INFO', message: 'The key moved.' },
    { type: 'STEER', message: 'Use tabs.' },
    { type: 'PAUSE' },
    { type: 'RETRY', task: 'one' },
  ])
    expect((await call('send_signal', signal)).body).toMatchObject({ sent: true });
  expect(existsSync(join(env.XDG_STATE_HOME, 'ralph-tui', 'proofs'))).toBe(false);
  const cli = createTestCli({ cwd: workspace, env });
  const session = openSession(cli, storedId);
  const proven = () =>
    openMailbox(env, session)
      .list()
      .map(({ id, signal }) => [signal?.type, readProofs(env, session.world, session.paths).of(id) !== null]);
  const ofProgram = ['INFO', 'STEER', 'PAUSE', 'RETRY'].map((type) => [type, false]);
  expect(proven()).toEqual(ofProgram);
  publish(cli, session, { type: 'STEER', target: 'ALL', message: 'Use spaces.' }, false);
  expect(proven()).toEqual([...ofProgram, ['STEER', true]]);
});

test('every result carries what is pending for the role, each message once, and claims nothing without a task', async () => {
  const workspace = storeStory(story());
  const { call } = await connect(workspace, { role: 'Executor' });
  const calls = [
    ['check_signals', {}],
    ['session_status', {}],
    ['task_list', {}],
    ['task_get', { id: 'ghost' }],
    ['list_questions', {}],
  ] as const;
  for (const [index, [name, input]] of calls.entries()) {
    dropSignal(workspace, `000${index}`, { type: 'STEER', target: 'Executor', message: `Word ${index}.` });
    dropSignal(workspace, `100${index}`, { type: 'INFO', target: 'Reviewer', message: 'Not yours.' });
    expect((await call(name, input)).body).toMatchObject({
      messages: [{ kind: 'STEER', text: `Word ${index}.` }],
      next: expect.stringContaining('escalate'),
    });
  }
  expect((await call('check_signals')).body).toEqual({ checked: true });
  expect(mailbox(workspace, 'inputs')).toHaveLength(10);
});

test('with a task named, its messages are claimed, and archived when the result was sent', async () => {
  const workspace = storeStory(story());
  const { call } = await connect(workspace, { role: 'Executor' });
  expect((await call('task_get')).body).toMatchObject({
    error: expect.stringContaining('not working on a single task'),
  });
  expect((await call('work_on', { task: 'one' })).body).toMatchObject({ task: 'one' });
  expect((await call('task_get')).body).toMatchObject({ task: { id: 'one' } });
  dropSignal(workspace, '0001', { type: 'INFO', target: 'Executor', task: 'one', message: 'For one.' });
  dropSignal(workspace, '0002', { type: 'INFO', target: 'Executor', task: 'two', message: 'For two.' });
  expect((await call('check_signals')).body).toMatchObject({ messages: [{ text: 'For one.' }] });
  await expect
    .poll(() => mailbox(workspace, 'processed').join())
    .toMatch(/For one\.[\s\S]*handled_by: Ralph-v2-Executor[\s\S]*for one/);
  expect(mailbox(workspace, 'inputs').join()).toMatch(/^type: "INFO"\n[^,]*For two/);
  expect((await call('work_on', { task: 'ghost' })).body).toMatchObject({
    error: expect.stringMatching(/no task "ghost" in session .*tasks: one, two/),
  });
});

test('a hold ends the turn of a role, an unread ABORT too, and a watcher may end the hold', async () => {
  const workspace = storeStory(story());
  dropSignal(workspace, '0001', { type: 'ABORT', target: 'ALL' });
  const role = await connect(workspace, { role: 'Reviewer' });
  expect((await role.call('task_list')).body).toMatchObject({ session: 'aborted' });
  const { call } = await connect(workspace);
  expect((await call('task_list')).body).not.toHaveProperty('session');
  expect((await call('send_signal', { type: 'RESUME' })).body).toMatchObject({
    sent: true,
    read: expect.stringContaining('no process is running this session now'),
  });
  expect(mailbox(workspace, 'inputs').join()).toMatch(/type: RESUME\n[\s\S]*from: mcp of /);
});

test('a program sends what steers, is told what a signal lacks, and gets no echo of its own words', async () => {
  const workspace = storeStory(story());
  const { call } = await connect(workspace);
  expect((await call('send_signal', { type: 'INFO' })).body).toMatchObject({
    error: 'INFO needs a message.',
  });
  expect((await call('send_signal', { type: 'RETRY' })).body).toMatchObject({ error: 'RETRY needs a task.' });
  expect((await call('send_signal', { type: 'CANCEL', task: 'ghost' })).body).toMatchObject({
    error: expect.stringContaining('no task "ghost"'),
  });
  expect((await call('send_signal', { type: 'INFO', message: 'All hear.' })).body).toMatchObject({
    sent: true,
  });
  expect((await call('check_signals')).body).toEqual({ checked: true });
  expect((await (await connect(workspace)).call('check_signals')).body).toMatchObject({
    messages: [{ text: 'All hear.' }],
  });
});

test('an agent’s question is answered by a program, and what approves work is not', async () => {
  const asks = story();
  for (const kind of ['ask', 'review'] as const)
    asks.add({
      type: 'question.asked',
      kind,
      request: `${kind}:one:1`,
      text: 'Which?',
      options: plainOptions(['a', 'b']),
      invocation: null,
    });
  const workspace = storeStory(asks);
  const { call } = await connect(workspace);
  expect((await call('list_questions')).body).toMatchObject({
    questions: [
      { request: 'ask:one:1', answered_by: 'a person or a program' },
      { request: 'review:one:1', answered_by: 'a person only' },
    ],
  });
  for (const request of ['review:one:1', 'plan', 'permission:one:1', 'merge:1', 'changes:1', 'stall:1'])
    expect(await call('answer_question', { request, option: 'approve' })).toMatchObject({
      failed: true,
      body: { error: expect.stringContaining('is not an open question that a program may answer') },
    });
  expect((await call('answer_question', { request: 'ask:one:1', option: 'a' })).body).toMatchObject({
    sent: true,
  });
  expect(mailbox(workspace, 'inputs').join()).toMatch(
    /^type: ANSWER\n[^,]*request: ask:one:1\n[^,]*option: a\n/,
  );
});

test('a session that is complete, gone or of another program is one sentence', async () => {
  const ended = storeStory(story().state('COMPLETE'));
  expect(await (await connect(ended)).call('task_list')).toMatchObject({
    failed: true,
    body: {
      error: expect.stringMatching(/^no session is running in \S+: the newest, 260215-101500, has ended/),
    },
  });
  const named = await connect(ended, { role: 'Executor', session: storedId });
  expect(await named.call('task_list')).toMatchObject({
    failed: true,
    body: { error: expect.stringContaining('has ended: nothing in it is waiting for an agent') },
  });
  const foreign = sessionFixture('v2.6');
  expect(await (await connect(foreign.workspace)).call('task_list')).toMatchObject({
    failed: true,
    body: { error: expect.stringContaining('is read-only; steer it with the program that runs it') },
  });
});

test('what goes out holds no secret of the environment', async () => {
  const workspace = storeStory(
    createStory()
      .begin('Use hunter2 well')
      .tasks([taskOf({ id: 'one' })]),
  );
  const { call } = await connect(workspace, { secret: 'hunter2' });
  expect((await call('session_status')).body).toMatchObject({ goal: 'Use *** well' });
});
