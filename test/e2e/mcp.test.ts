import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { communicationRules } from '../../src/issues/team/communication.ts';
import { cleanEnvironment, programFile, runProgram, startProgram } from '../helpers/program.ts';
import { taskOf } from '../helpers/role-port.ts';
import { sessionFixture } from '../helpers/session-fixture.ts';
import { dropSignal, storedId, storeStory } from '../helpers/stored-story.ts';
import { createStory } from '../helpers/story.ts';
import { workspaceWith } from '../helpers/workspace.ts';

/** The official client, connected to the program. */
const connect = async (workspace: string, ...args: readonly string[]) => {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programFile, 'mcp', ...args],
    env: cleanEnvironment(),
    cwd: workspace,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (text: Buffer) => {
    stderr += text.toString();
  });
  await client.connect(transport);
  return { client, stderr: () => stderr };
};

test('the official client talks to the program, a message of 10 MB is refused, and the connection goes on', async () => {
  const { workspace, session } = sessionFixture('v2.2');
  const { client, stderr } = await connect(workspace);
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  const large = { type: 'INFO', message: 'x'.repeat(10 * 1024 * 1024) };
  await expect(client.callTool({ name: 'send_signal', arguments: large })).rejects.toThrow(
    'A message may be at most 1048576 bytes long.',
  );
  expect(JSON.stringify(await client.callTool({ name: 'session_status', arguments: {} }))).toContain(session);
  await client.close();
  expect(stderr()).toBe('');
});

test('a pending signal comes with the next result; a session that ends or goes meanwhile is one sentence, and the connection stays', async () => {
  const story = createStory()
    .begin('Ship it')
    .tasks([taskOf({ id: 'one' })]);
  const workspace = storeStory(story);
  const { client, stderr } = await connect(workspace, '--as', 'executor', '--session', storedId);
  const call = async (name: string): Promise<string> =>
    JSON.stringify(await client.callTool({ name, arguments: {} }));
  expect(await call('task_list')).not.toContain('messages');
  dropSignal(workspace, '0001', { type: 'STEER', target: 'Executor', message: 'Use tabs.' });
  dropSignal(workspace, '0002', { type: 'INFO', target: 'Reviewer', message: 'Not yours.' });
  const steered = await call('task_list');
  expect(steered).toContain('Use tabs.');
  expect(steered).not.toContain('Not yours.');
  expect(await call('check_signals')).not.toContain('Use tabs.');
  const directory = join(workspace, '.ralph-sessions', storedId);
  const events = story.state('COMPLETE').events.map((event) => `${JSON.stringify(event)}\n`);
  writeFileSync(join(directory, 'journal.jsonl'), events.join(''));
  expect(await call('task_list')).toMatch(/has ended: nothing in it is waiting for an agent.*"isError":true/);
  rmSync(directory, { recursive: true });
  expect(await call('task_list')).toMatch(/no session \S+260215-101500.*"isError":true/);
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  await client.close();
  expect(stderr()).toBe('');
});

test('requests that are piped in are all answered before it ends, and stdout holds nothing but protocol', async () => {
  const { workspace } = sessionFixture('v2.2');
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'pipe', version: '1' },
  };
  const lines = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'task_list', arguments: {} } },
  ].map((message) => JSON.stringify(message));
  const program = startProgram(['mcp', '--as', 'executor'], {
    cwd: workspace,
    input: `${lines.join('\n')}\nno json\n[]\n\n`,
  });
  program.endInput();
  const { code, stdout } = await program.done;
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, null, null]);
  expect(answers.filter(({ error }) => error).map(({ error }) => error.code)).toEqual([-32700, -32600]);
});

test('a worker reads the rules of the team when it connects, and hears what starts a team where none is; an agent of a session joins none', async () => {
  const workspace = workspaceWith({});
  const { client, stderr } = await connect(workspace, '--as', 'builder');
  expect(client.getInstructions()).toContain('you are the builder');
  for (const rule of Object.values(communicationRules)) expect(client.getInstructions()).toContain(rule);
  const claimed = JSON.stringify(await client.callTool({ name: 'task_claim', arguments: {} }));
  expect(claimed).toContain('no team is working here: `ralph-tui run --issue ID --mode team` starts one');
  await client.close();
  expect(stderr()).toBe('');
  expect(
    await runProgram(['mcp', '--as', 'builder'], { cwd: workspace, env: { RALPH_RUN: '/x/Executor-1' } }),
  ).toMatchObject({ code: 2, stderr: expect.stringContaining('an agent in a session cannot join a team') });
});

test('a wrong role, an unknown session and one that can only be read end it at once with one sentence', async () => {
  const { workspace, session } = sessionFixture('v2.6');
  for (const [args, sentence] of [
    [['--as', 'boss'], 'unknown role "boss"; use one of Orchestrator, '],
    [['--session', session], 'this session was written by Ralph v2 (2.6+) and is read-only'],
    [['--session', '260101-000000'], 'no session "260101-000000" in '],
  ] as const) {
    const { code, stdout, stderr } = await runProgram(['mcp', ...args], { cwd: workspace });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^ralph-tui: [^\n]*\n$/);
    expect(stderr).toContain(sentence);
  }
  expect(
    await runProgram(['mcp'], { cwd: workspaceWith({}), env: { RALPH_RUN: '/x/Executor-1' } }),
  ).toMatchObject({ code: 2, stderr: expect.stringContaining('set its role with --as') });
});
