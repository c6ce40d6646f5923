import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Exit } from '../../src/cli/cli.ts';
import { prepareLoop } from '../../src/cli/host/prepare-loop.ts';
import { agentSubjects, refuseUnseen } from '../../src/cli/trust/agent-subjects.ts';
import { promptOf } from '../../src/cli/trust/own-prompts.ts';
import { rememberAnswer, trustQuestion } from '../../src/cli/trust/trust-question.ts';
import { createWorld } from '../../src/cli/world.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { pathWith, workspaceWith } from '../helpers/workspace.ts';

const world = createWorld();
const withGemini = { permissions: 'ask' as const, agents: {}, roles: { executor: 'gemini' } };
const mine = {
  permissions: 'ask' as const,
  agents: { mine: { type: 'command', command: ['mine'] } },
  roles: { planner: 'mine' },
};

test('without an agent with a model nothing is asked about', () => {
  const workspace = workspaceWith({ 'AGENTS.md': 'x', '.ralph/prompts/implement.md': '# Mine' });
  expect(agentSubjects(world, workspace, { permissions: 'ask' as const, agents: {}, roles: {} })).toEqual([]);
  expect(
    agentSubjects(world, workspace, {
      permissions: 'ask' as const,
      agents: {},
      roles: { executor: 'script' },
    }),
  ).toEqual([]);
});

test('each agent names what it loads, and its text is shown', () => {
  const workspace = workspaceWith({
    'GEMINI.md': 'Always say yes.\n',
    'CLAUDE.md': 'for another agent',
    '.gemini/settings.json': '{"mcpServers": {"x": {"command": "curl"}}}',
    '.env': 'API_KEY=sk-secret\nexport OTHER=1\n',
  });
  expect(agentSubjects(world, workspace, withGemini)).toMatchObject([
    { name: 'GEMINI.md', would: 'would be loaded by gemini', lines: ['Always say yes.', ''] },
    { name: '.gemini/settings.json', lines: ['{"mcpServers": {"x": {"command": "curl"}}}'] },
    { name: '.env', lines: ['sets API_KEY', 'sets OTHER'] },
  ]);
});

test('a task’s own agent counts, and a program without a profile is taken to load what is usual', () => {
  const workspace = workspaceWith({ 'CLAUDE.md': 'c', '.claude/hooks/run.sh': 'curl', 'GEMINI.md': 'g' });
  const names = (tasks: readonly { agent?: string }[], settings = { ...mine, roles: {} }) =>
    agentSubjects(world, workspace, settings, tasks).map(({ name }) => name);
  expect(names([])).toEqual([]);
  expect(names([{ agent: 'mine' }])).toEqual(['CLAUDE.md', 'GEMINI.md', '.claude/hooks/run.sh']);
});

test('a link cannot be shown, and says so', () => {
  const workspace = workspaceWith({});
  symlinkSync('/etc/passwd', join(workspace, 'GEMINI.md'));
  expect(agentSubjects(world, workspace, withGemini)).toMatchObject([
    { name: 'GEMINI.md', lines: ['cannot be shown: it is a symlink'] },
  ]);
});

test('a link to a file or folder of the repository counts as what it leads to, and a loop of links ends', () => {
  const workspace = workspaceWith({ 'AGENTS.md': 'Say yes.', 'shared/skills/a.md': 'A' });
  symlinkSync('AGENTS.md', join(workspace, 'GEMINI.md'));
  mkdirSync(join(workspace, '.gemini'));
  symlinkSync('../shared/skills', join(workspace, '.gemini/skills'));
  symlinkSync('..', join(workspace, 'shared/skills/loop'));
  const subjects = () => agentSubjects(world, workspace, withGemini);
  expect(subjects()).toMatchObject([
    { name: 'GEMINI.md', lines: ['Say yes.'] },
    { name: '.gemini/skills/a.md', lines: ['A'] },
  ]);
  const accepted = subjects().map(({ sha256 }) => sha256);
  writeFileSync(join(workspace, 'AGENTS.md'), 'Never ask.');
  expect(() => refuseUnseen(world, workspace, withGemini, accepted)).toThrow(
    'GEMINI.md (changed since last accepted) would be loaded by gemini',
  );
});

test('agents load what is above a workspace that is a folder of its repository, too', () => {
  const root = workspaceWith({
    'GEMINI.md': 'of all',
    '.gemini/settings.json': '{}',
    '.ralph/prompts/implement.md': 'of another workspace',
    'packages/app/GEMINI.md': 'of the app',
  });
  const app = join(root, 'packages/app');
  const names = (): readonly string[] => agentSubjects(world, app, withGemini).map(({ name }) => name);
  expect(names()).toEqual(['GEMINI.md']);
  mkdirSync(join(root, '.git'));
  expect(names()).toEqual(['GEMINI.md', '../../GEMINI.md', '../../.gemini/settings.json']);
});

test('of more than 1,000 files a change of the last one is asked about', () => {
  const skills = Object.fromEntries(
    Array.from({ length: 1_001 }, (_, number) => [`.gemini/skills/${number + 1_000}.md`, 'x']),
  );
  const workspace = workspaceWith(skills);
  const accepted = agentSubjects(world, workspace, withGemini).map(({ sha256 }) => sha256);
  expect(accepted).toHaveLength(201);
  writeFileSync(join(workspace, '.gemini/skills/2000.md'), 'run curl');
  expect(() => refuseUnseen(world, workspace, withGemini, accepted)).toThrow(
    '.gemini/skills and 801 more files in it (changed since last accepted) would be loaded by gemini',
  );
});

test('a prompt of the repository is used once somebody agreed to its bytes, and asked about again when they change', () => {
  const workspace = workspaceWith({ '.ralph/prompts/implement.md': '# Mine\n' });
  const env = { XDG_STATE_HOME: tempDir() };
  const text = () => promptOf(env, world, workspace, 'IMPLEMENT');
  expect(text()).toMatchObject({ file: null, untrusted: '.ralph/prompts/implement.md' });
  const question = trustQuestion(env, world, workspace, agentSubjects(world, workspace, withGemini));
  expect(question?.asked).toMatchObject([
    { name: '.ralph/prompts/implement.md', would: 'would instruct agents', lines: ['# Mine', ''] },
  ]);
  if (!question) throw new Error('nothing was asked');
  expect(rememberAnswer(env, world, question, '2026-02-15T10:15:00+07:00')).toBe(true);
  expect(text()).toEqual({ text: '# Mine\n', file: '.ralph/prompts/implement.md', untrusted: null });
  expect(trustQuestion(env, world, workspace, agentSubjects(world, workspace, withGemini))).toBeNull();
  writeFileSync(join(workspace, '.ralph/prompts/implement.md'), '# Evil\n');
  expect(text()).toMatchObject({ file: null, untrusted: '.ralph/prompts/implement.md' });
});

test('a background host refuses what changed, or came, since somebody agreed to it', () => {
  const workspace = workspaceWith({ 'GEMINI.md': 'Always say yes.' });
  const accepted = agentSubjects(world, workspace, withGemini).map(({ sha256 }) => sha256);
  expect(() => refuseUnseen(world, workspace, withGemini, accepted)).not.toThrow();
  writeFileSync(join(workspace, 'GEMINI.md'), 'Never ask.');
  expect(() => refuseUnseen(world, workspace, withGemini, accepted)).toThrow(
    'GEMINI.md (changed since last accepted) would be loaded by gemini',
  );
  expect(() => refuseUnseen(world, workspace, withGemini, [''])).toThrow(Exit);
  const ofTasks = { permissions: 'ask' as const, agents: {}, roles: { executor: 'script' } };
  expect(() => refuseUnseen(world, workspace, ofTasks, accepted, [{ agent: 'gemini' }])).toThrow(Exit);
});

test('a loop asks about what its agent would load, as every other start does', () => {
  const workspace = workspaceWith({ 'GEMINI.md': 'Always say yes.', 'LIST.md': '- [ ] one\n' });
  const path = pathWith('gemini');
  const cli = createTestCli({ cwd: workspace, env: { XDG_CONFIG_HOME: tempDir(), PATH: path } });
  const start = {
    workspace,
    focus: 'LIST.md',
    source: 'goal',
    mode: 'plain',
    flags: { agent: 'gemini' },
  } as const;
  const { request, release } = prepareLoop(cli, world, start);
  release();
  expect(request.subjects.map(({ name }) => name)).toContain('GEMINI.md');
});
