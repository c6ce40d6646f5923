import { expect, test } from 'vitest';
import type { AgentLink, SessionRequest } from '../../../src/agents/backends/acp/link.ts';
import { openAhead } from '../../../src/agents/backends/acp/warm/ahead-session.ts';
import { claude } from '../../../src/agents/profiles/claude.ts';
import type { AgentTools, ToolCalls } from '../../../src/agents/tools.ts';
import { briefOf } from '../../helpers/role-port.ts';

/** A session that an agent opened ahead, with what was asked of it and of our tools. */
const begin = (opens: () => Promise<{ id: string }> = async () => ({ id: 's' })) => {
  const requests: SessionRequest[] = [];
  const opened: ToolCalls[] = [];
  let closed = 0;
  const tools: AgentTools = {
    open: async (calls) => {
      opened.push(calls);
      return { name: 'ralph', url: 'http://127.0.0.1:1/mcp', token: 'secret', close: () => (closed += 1) };
    },
    close: async () => {},
  };
  const link: Pick<AgentLink, 'open'> = {
    open: async (request: SessionRequest) => {
      requests.push(request);
      return { mode: null, modes: [], model: null, models: [], options: [], ...(await opens()) };
    },
  };
  const brief = briefOf({ workspace: '/work', slot: 2, goal: 'Ship it' });
  const session = openAhead(Promise.resolve(link), { profile: claude, brief, tools });
  return { session, requests, calls: () => opened[0], closed: () => closed };
};

/** What the tools of a work are built over. */
const calls = (told: string[]): ToolCalls => ({
  brief: briefOf({ goal: 'The work' }),
  listed: () => void told.push('listed'),
  tasks: () => [],
  report: () => null,
  ask: () => ({ request: 'r', answered: Promise.resolve(null) }),
  stage: () => ({ kind: 'stored', file: 'f' }) as never,
  boundary: async () => ({ kind: 'go', messages: [] }),
  reached: () => void told.push('reached'),
  missed: () => void told.push('missed'),
  held: async () => {},
  released: async () => {},
  update: () => ({ kind: 'noted' }),
});

test('the session is opened with our tools, a title and the number of the worktree, and their token stands in no argument', async () => {
  const { session, requests } = begin();
  expect(await session.opened).toMatchObject({ id: 's' });
  expect(requests).toMatchObject([
    {
      cwd: '/work',
      tools: [{ headers: [{ value: expect.stringMatching(/^\$\{RALPH_TOOLS_TOKEN\}$/u) }] }],
      meta: { claudeCode: { options: { env: { RALPH_SLOT: '2', RALPH_TOOLS_TOKEN: 'Bearer secret' } } } },
    },
  ]);
});

test('our tools answer nothing before the work has begun, and then serve it', async () => {
  const { session, calls: before } = begin();
  await session.opened;
  const given = before();
  expect(given?.brief.goal).toBe('Ship it');
  given?.listed?.();
  await expect(given?.boundary()).rejects.toThrow('the work of this session has not begun');
  expect(() => given?.update({} as never)).toThrow('has not begun');
  const told: string[] = [];
  expect(await session.tools?.adopt(calls(told))).toMatchObject({ token: 'secret' });
  // The agent listed them before: the work need not wait for that.
  expect(told).toEqual(['listed']);
  expect(given?.brief.goal).toBe('The work');
  expect(await given?.boundary()).toEqual({ kind: 'go', messages: [] });
});

test('the token of a session that nobody takes ends, once', async () => {
  const { session, closed } = begin();
  await session.opened;
  session.tools?.close();
  session.tools?.close();
  await expect.poll(closed).toBe(1);
});

test('an agent that refuses the session has its tools for the one that the work opens', async () => {
  const { session } = begin(() => Promise.reject(new Error('no')));
  await expect(session.opened).rejects.toThrow('no');
  expect(await session.tools?.adopt(calls([]))).toMatchObject({ name: 'ralph' });
});
