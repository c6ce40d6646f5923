import { expect, test } from 'vitest';
import { agentFaults } from '../../src/cli/agents/agent-faults.ts';
import { checkAgents } from '../../src/cli/host/check-agents.ts';
import { agentSubjects } from '../../src/cli/trust/agent-subjects.ts';
import { createWorld } from '../../src/cli/world.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const own = (fallback: string) => ({ type: 'command', command: ['cat'], output: 'claude', fallback });
const check = (agents: Readonly<Record<string, unknown>>, max_cost: number | null = null): void =>
  checkAgents(createTestCli({ cwd: '/', env: { PATH: '/bin:/usr/bin' } }), createWorld(), workspaceWith({}), {
    agents,
    roles: { executor: 'own' },
    on: {},
    limits: { ...defaultSettings.limits, max_cost },
  });

test('a fallback is checked before a session begins like an agent with a role', () => {
  expect(() => check({ own: own('nobody') })).toThrow(
    'agents.own.fallback must name another agent, not "nobody"; name one of these: ',
  );
  expect(() => check({ own: own('own') })).toThrow('agents.own.fallback must name another agent, not "own"');
  expect(() => check({ own: own('second'), second: { type: 'command', command: ['no-such-cat'] } })).toThrow(
    'second is not installed: no-such-cat was not found',
  );
  expect(() => check({ own: own('second'), second: { type: 'command', command: ['cat'] } }, 5)).toThrow(
    'limits.max_cost cannot be applied to cat: it does not report its cost',
  );
  expect(() => check({ own: own('second'), second: own('own') }, 5)).not.toThrow();
});

test('an agent whose entry is wrong is refused before a session begins, with the key that is wrong', () => {
  expect(() => check({ own: { ...own('codex'), outptu: 'claude' } })).toThrow(/^agents\.own: .*outptu/);
  expect(() => check({ own: own('odd'), odd: { type: 'command', command: [] } })).toThrow(
    'agents.odd.command: ',
  );
});

test('a fallback that is no agent, and an entry of a wrong form, are faults of the configuration with their file', () => {
  const faults = (agents: Readonly<Record<string, unknown>>) =>
    agentFaults([{ name: 'workspace', file: '.ralph/config.yaml', values: { agents }, line: () => 3 }]);
  expect(faults({ own: own('codex') })).toEqual([]);
  expect(faults({ own: own('nobody'), odd: { type: 'command', command: [] } })).toMatchObject([
    { code: 'unknown-fallback', where: '.ralph/config.yaml:3' },
    { code: 'wrong-agent', what: expect.stringContaining('agents.odd.command') },
  ]);
});

test('what a fallback loads from the repository is asked about before the first start', () => {
  const workspace = workspaceWith({ 'GEMINI.md': 'Be brief.\n' });
  const subjects = (agents: Readonly<Record<string, unknown>>) =>
    agentSubjects(createWorld(), workspace, { permissions: 'ask', agents, roles: { executor: 'first' } }).map(
      ({ would }) => would,
    );
  const first = { type: 'acp', command: ['first'], loads: [] };
  expect(subjects({ first })).toEqual([]);
  expect(subjects({ first: { ...first, fallback: 'gemini' } })).toEqual(['would be loaded by gemini']);
});
