import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { describe, expect, onTestFinished, test } from 'vitest';
import { agentVariables } from '../../src/agents/backends/acp/environment/agent-variables.ts';
import { toolAccess } from '../../src/agents/backends/acp/environment/tool-access.ts';
import { choose, type PermissionAnswer, startBareClient } from '../helpers/bare-client.ts';
import type { Step } from '../helpers/model-server/script.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { profileOf, startOf } from './agents.ts';
import { startPlainMcpServer } from './plain-mcp-server.ts';
import { replies } from './story.ts';
import { installedAgents, makeHome, makeWorkspace, modelServer, processes } from './world.ts';

/** What each agent does by itself: the facts that the profiles of the backend rest on. */
const begin = async (
  agent: RealAgent,
  steps: (workspace: string) => readonly Step[],
  permission?: PermissionAnswer,
) => {
  const home = makeHome();
  const workspace = makeWorkspace(home);
  const model = await modelServer({ name: 'only', when: [], steps: steps(workspace) });
  const mcp = await startPlainMcpServer();
  onTestFinished(mcp.close);
  const start = startOf(agent, home, model.url);
  const profile = profileOf(agent);
  const { servers, env } = toolAccess(profile, [
    {
      name: 'ralph',
      url: mcp.url,
      headers: [{ name: 'Authorization', value: 'Bearer secret-of-this-worker' }],
    },
  ]);
  const client = startBareClient({
    ...start,
    cwd: workspace,
    env: { ...start.env, ...agentVariables(profile, start.env), ...env, RALPH_RUN: `${workspace}/marker` },
    ...(permission ? { permission } : {}),
  });
  onTestFinished(async () => {
    await client.end();
  });
  await client.initialize();
  const { sessionId } = await client.newSession(
    servers.map((server) => ({ type: 'http', ...server, headers: [...server.headers] })),
  );
  const modeId = profile.askingMode;
  if (modeId !== null) await client.agent.request('session/set_mode', { sessionId, modeId });
  return { model, mcp, client, sessionId, workspace };
};

const kinds = (asked: readonly RequestPermissionRequest[]): readonly unknown[] =>
  asked.map(({ toolCall }) => toolCall.kind);

describe.each(installedAgents())('$name', (agent) => {
  const hand = agent.hand;

  test('answers with text, calls a tool of our MCP server, edits a file and runs a command, and asks before each', async () => {
    const { client, sessionId, model, mcp, workspace } = await begin(agent, (workspace) => [
      { reply: [{ text: 'Hello ' }, { text: 'there.' }] },
      ...replies(hand.ours('task_update', { status: 'working' })),
      ...replies(hand.edit(workspace, 'a.txt', 'one', 'two')),
      { reply: [hand.shell('touch b.txt; echo marker=$RALPH_RUN')] },
      { expects: `marker=${workspace}/marker`, reply: [{ text: ' All done.' }] },
    ]);
    expect((await client.prompt(sessionId, 'Say hello')).stopReason).toBe('end_turn');
    expect((await client.prompt(sessionId, 'Work')).stopReason).toBe('end_turn');
    expect(client.text()).toBe('Hello there. All done.');
    expect(model.problems).toEqual([]);
    expect(model.left()).toEqual([]);
    expect(mcp.calls).toEqual(['working']);
    expect([...mcp.authorizations]).toEqual(['Bearer secret-of-this-worker']);
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('two\n');
    expect(kinds(client.asked)).toEqual([
      ...(agent.toolAsk === null ? [] : [agent.toolAsk]),
      'edit',
      'execute',
    ]);
    for (const { options } of client.asked)
      expect(options.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['allow_once', 'reject_once']));
  });

  test('works with each session of one process in the directory of that session, and with its variables', async () => {
    const home = makeHome();
    const model = await modelServer();
    const profile = profileOf(agent);
    const { sessionOptions, askingMode } = profile;
    const start = startOf(agent, home, model.url);
    const client = startBareClient({
      ...start,
      cwd: home,
      env: { ...start.env, ...agentVariables(profile, start.env) },
    });
    onTestFinished(async () => {
      await client.end();
    });
    await client.initialize();
    for (const name of ['first', 'second']) {
      const cwd = join(home, name);
      mkdirSync(cwd);
      model.add({
        name,
        when: [`Work on the ${name}`],
        steps: [
          { reply: [hand.create('', `${name}.txt`, name)] },
          { reply: [hand.shell('echo in=$PWD with=$WITH; pwd > where')] },
          {
            expects: `in=${cwd}${sessionOptions === null ? '' : ` with=${name}`}`,
            reply: [{ text: 'Done.' }],
          },
        ],
      });
      const meta =
        sessionOptions === null
          ? {}
          : { _meta: { [sessionOptions]: { options: { env: { WITH: name }, title: `The ${name}` } } } };
      const { sessionId } = await client.newSession([], { cwd, ...meta });
      if (askingMode !== null)
        await client.agent.request('session/set_mode', { sessionId, modeId: askingMode });
      expect((await client.prompt(sessionId, `Work on the ${name}`)).stopReason).toBe('end_turn');
      expect(readFileSync(join(cwd, `${name}.txt`), 'utf8')).toBe(`${name}\n`);
      expect(readFileSync(join(cwd, 'where'), 'utf8')).toBe(`${cwd}\n`);
      await client.agent.request('session/close', { sessionId }).catch(() => {});
    }
    expect([model.problems, model.left()]).toEqual([[], []]);
  });

  test('leaves a rejected edit, answers a cancel while it works, and leaves nothing behind', async () => {
    const { client, sessionId, model, workspace } = await begin(
      agent,
      (workspace) => [
        ...replies(hand.edit(workspace, 'a.txt', 'one', 'two')),
        ...(agent.endsAtRejection ? [] : [{ reply: [{ text: 'As you like.' }] }]),
        { reply: [{ text: 'Streaming' }, { hold: 'for ever' }] },
        { reply: [hand.shell('echo $PPID; sleep 300')] },
      ],
      (request) => choose(request, request.toolCall.kind === 'edit' ? 'reject_once' : 'allow_once'),
    );
    await client.prompt(sessionId, 'Edit');
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\n');

    const streaming = client.prompt(sessionId, 'Write');
    await client.until(() => client.text().includes('Streaming'));
    await client.cancel(sessionId);
    expect((await streaming).stopReason).toBe('cancelled');
    await model.until(() => model.requests.some((request) => request.kind === 'step' && request.hungUp));

    const running = client.prompt(sessionId, 'Run');
    const shells = () =>
      processes().filter(
        ({ command, environment }) => command.includes('sleep 300') && environment.includes(workspace),
      );
    await expect.poll(() => shells().length).toBeGreaterThan(0);
    for (const { environment } of shells()) expect(environment).toContain(`RALPH_RUN=${workspace}/marker`);
    expect(processes().filter(({ command }) => command.includes('secret-of-this-worker'))).toEqual([]);
    await client.cancel(sessionId);
    expect((await running).stopReason).toBe('cancelled');
    await client.end();
    await expect.poll(() => shells().length).toBe(0);
    expect(model.problems).toEqual([]);
  });
});
