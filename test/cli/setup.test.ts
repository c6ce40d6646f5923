import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLayers } from '../../src/cli/settings/load-settings.ts';
import { answersOf, initByOptions } from '../../src/cli/setup/run-init.ts';
import { setupOffers } from '../../src/cli/setup/write-setup.ts';
import { trustQuestion } from '../../src/cli/trust/trust-question.ts';
import { configSubject } from '../../src/cli/trust/trust-subjects.ts';
import { createWorld } from '../../src/cli/world.ts';
import { parseConfig } from '../../src/session/config.ts';
import { withOffered } from '../../src/session/forms/form.ts';
import { setupQuestions } from '../../src/session/setup/questions.ts';
import { setupConfig, setupLines } from '../../src/session/setup/setup-config.ts';
import { setupForm } from '../../src/session/setup/setup-form.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { setupOffers as twoAgents } from '../helpers/scenes/setup.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

test('a new configuration explains its keys and passes our own check', () => {
  const answers = withOffered(setupForm(twoAgents), {
    reviewer: 'codex',
    models: 'planner=big',
    isolation: 'worktree',
  });
  const text = setupConfig(null, twoAgents, answers) ?? '';
  expect(text).toMatch(/^# Settings of ralph-tui for this repository/);
  expect(text).toContain(
    '# What agents may do without asking: ask, edits, workspace or all.\npermissions: ask\n',
  );
  expect(parseConfig(text, 'config.yaml', 'workspace')).toMatchObject({
    ok: true,
    value: {
      values: {
        roles: {
          planner: 'gemini',
          questioner: 'gemini',
          executor: 'gemini',
          reviewer: 'codex',
          librarian: 'codex',
        },
        models: { planner: 'big' },
        permissions: 'ask',
        isolation: 'worktree',
        worktree: { setup: ['npm ci'] },
        loop: { verify: ['npm run lint && npm test'] },
      },
    },
  });
});

test('an existing configuration keeps its comments and keys, and only differences are written', () => {
  const before = '# Ours.\nroles:\n  executor: codex # fast\nlimits:\n  max_cost: 5 # a day\n';
  const offers = { ...twoAgents, written: { roles: { executor: 'codex' } } };
  const answers = { agent: 'gemini', planner: 'codex', reviewer: 'codex' };
  const text = setupConfig(before, offers, answers) ?? '';
  expect(text).toContain('# Ours.\n');
  expect(text).toContain('executor: gemini # fast');
  expect(text).toContain('max_cost: 5 # a day');
  expect(setupLines(offers, answers)).toContain('  roles.executor: gemini (was codex)');
});

test('answers that hold already write nothing', () => {
  const written = { permissions: 'ask' as const };
  expect(setupConfig('permissions: ask\n', { ...twoAgents, written }, { permissions: 'ask' })).toBeNull();
});

/** A repository with npm scripts and one agent on the PATH, which no test starts. */
const begin = (files: Readonly<Record<string, string>> = {}) => {
  const manifest = JSON.stringify({ name: 'app', scripts: { test: 'node --test', lint: 'true' } });
  const cwd = repositoryWith({ 'package.json': manifest, 'package-lock.json': '{}', ...files });
  const bin = tempDir();
  writeFileSync(join(bin, 'gemini'), '#!/bin/sh\nexit 1\n');
  chmodSync(join(bin, 'gemini'), 0o755);
  const printed: string[] = [];
  const env = {
    PATH: `${bin}:${process.env['PATH']}`,
    XDG_STATE_HOME: tempDir(),
    XDG_CONFIG_HOME: tempDir(),
  };
  const noted: string[] = [];
  const cli = createTestCli({
    cwd,
    env,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  const world = createWorld();
  const init = (options: Parameters<typeof answersOf>[2]): number => {
    const offers = setupOffers(cli, world, cwd);
    const answers = answersOf(offers, ['gemini', 'codex'], options);
    const exists = existsSync(join(cwd, '.ralph/config.yaml'));
    return initByOptions(cli, world, cwd, { offers, answers, exists, options });
  };
  const read = (file: string): string => readFileSync(join(cwd, file), 'utf8');
  return { cwd, cli, world, init, read, printed, noted };
};

test('init writes what flags say and what the repository suggests, git stays clean of sessions, and the person is not asked about it', () => {
  const { cwd, cli, world, init, read, printed } = begin({ '.gitignore': 'node_modules' });
  expect(init({ agent: 'gemini', role: ['reviewer=codex'], permissions: 'edits' })).toBe(0);
  expect(read('.ralph/config.yaml')).toContain('reviewer: codex');
  expect(read('.ralph/config.yaml')).toContain('- npm run lint && npm run test');
  expect(read('.gitignore')).toBe('node_modules\n.ralph-sessions/\n');
  expect(printed.at(-1)).toBe('Written: .ralph/config.yaml and .gitignore.');
  mkdirSync(join(cwd, '.ralph-sessions'));
  writeFileSync(join(cwd, '.ralph-sessions/a'), '');
  expect(execFileSync('git', ['status', '--short'], { cwd, encoding: 'utf8' })).not.toContain(
    'ralph-sessions',
  );
  const config = configSubject(findLayers(cli, world, { workspace: cwd, attended: false }).layers);
  expect(config && trustQuestion(cli.env, world, cwd, [config])).toBeNull();
});

test('what prepares worktrees is a question with the found command as its default, and only where there are worktrees', () => {
  const ids = (isolation: string): readonly string[] =>
    setupQuestions(twoAgents, { isolation }).map(({ id }) => id);
  expect(ids('worktree').slice(5, 8)).toEqual(['isolation', 'install', 'verify']);
  expect(ids('shared')).not.toContain('install');
  const given = withOffered(setupForm(twoAgents), { isolation: 'auto' });
  expect(given['install']).toBe('npm ci');
  expect(setupConfig(null, twoAgents, given)).toContain('- npm ci');
  expect(setupConfig(null, twoAgents, { ...given, install: '' })).not.toContain('npm ci');
  expect(setupConfig(null, twoAgents, { ...given, isolation: 'shared' })).not.toContain('npm ci');
});

test('without questions init adds no command for worktrees unasked, and prints the command that adds it', () => {
  const { init, read, noted } = begin();
  expect(init({ agent: 'gemini' })).toBe(0);
  expect(read('.ralph/config.yaml')).not.toContain('worktree:');
  expect(noted).toEqual([
    "No command prepares new worktrees: `ralph-tui init --setup 'npm ci' --yes` adds one.",
  ]);
  expect(init({ setup: 'npm ci', yes: true })).toBe(0);
  expect(read('.ralph/config.yaml')).toContain('worktree:\n  setup:\n    - npm ci\n');
  expect(() => init({ setup: 'npm ci', isolation: 'shared' })).toThrow(/--isolation shared has none/);
});

test('a configuration that exists is changed with --yes only, and only where a flag says so', () => {
  const { init, read } = begin({ '.ralph/config.yaml': 'permissions: all # mine\n' });
  expect(() => init({ agent: 'gemini' })).toThrow(expect.objectContaining({ code: 3 }));
  expect(read('.ralph/config.yaml')).toBe('permissions: all # mine\n');
  expect(init({ agent: 'gemini', yes: true })).toBe(0);
  expect(read('.ralph/config.yaml')).toMatch(/^permissions: all # mine\nroles:\n {2}planner: gemini\n/);
  expect(read('.ralph/config.yaml')).not.toContain('loop');
});

test.each([
  [{}, /init needs a terminal to ask its questions; without one, answer with options such as --agent NAME/],
  [{ agent: 'nobody' }, /unknown agent "nobody"; known: gemini, codex/],
  [{ role: ['boss=gemini'] }, /--role boss=gemini is not a known role/],
  [{ agent: 'gemini', tracker: 'jira' }, /unknown tracker "jira"; use one of native/],
  [{ agent: 'gemini', tracker: 'linear' }, /linear needs a team key/],
  [{ agent: 'gemini', model: ['planner'] }, /"planner" is not ROLE=NAME: the roles are planner/],
])('wrong options write nothing: %o', (options, sentence) => {
  const { cwd, init } = begin();
  expect(() => init(options)).toThrow(sentence);
  expect(existsSync(join(cwd, '.ralph'))).toBe(false);
});

test('the tracker and the gates are kept as flags say, and only those of a configuration that exists', () => {
  const { init, read } = begin();
  expect(init({ agent: 'gemini', tracker: 'linear:ENG', planReview: 'auto', autoMerge: true })).toBe(0);
  expect(parseConfig(read('.ralph/config.yaml'), 'config.yaml', 'workspace')).toMatchObject({
    ok: true,
    value: { values: { flow: { tracker: 'linear:ENG', plan_review: 'auto', auto_merge: true } } },
  });
  expect(init({ autoMerge: false, yes: true })).toBe(0);
  expect(read('.ralph/config.yaml')).toContain('auto_merge: false');
  expect(read('.ralph/config.yaml')).toContain('tracker: linear:ENG');
});

test('the question for the tracker says what is there of each, and keeps a tracker that is none of the list', () => {
  const { cli, world, cwd } = begin({
    'TODO.md': '- [ ] greet\n',
    '.ralph/config.yaml': 'flow:\n  tracker: markdown:docs/todo.md\n',
  });
  const offers = setupOffers(cli, world, cwd);
  expect(offers.trackers).toEqual({ markdown: 'TODO.md' });
  const question = setupQuestions(offers, {}).find(({ id }) => id === 'tracker');
  expect(question?.options[0]).toMatchObject({ id: 'markdown:docs/todo.md' });
  expect(question?.options.find(({ id }) => id === 'markdown')?.detail).toContain('Found here: TODO.md');
  expect(withOffered(setupForm(offers), {})['tracker']).toBe('markdown:docs/todo.md');
});

test('a configuration with a fault is not changed', () => {
  const { init } = begin({ '.ralph/config.yaml': 'permisions: all\n' });
  expect(() => init({ agent: 'gemini', yes: true })).toThrow(/permisions/);
});
