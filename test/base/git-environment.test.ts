import { expect, test } from 'vitest';
import { gitEnvironment, personalGit } from '../../src/base/process/git-environment.ts';
import { createGit } from '../../src/changes/git/git.io.ts';
import { createGhPullRequests } from '../../src/issues/pull-requests/gh-pull-requests.ts';
import { scriptedPorts } from '../helpers/scripted-programs.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const theirs = {
  GIT_SSH_COMMAND: 'ssh -F work',
  GIT_ASKPASS: '/askpass',
  SSH_ASKPASS: '/askpass',
  SSH_AUTH_SOCK: '/agent',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
  GIT_AUTHOR_NAME: 'Kim',
  GNUPGHOME: '/keys',
};
const places = { GIT_DIR: '/else', GIT_WORK_TREE: '/else', GIT_INDEX_FILE: '/else', GIT_NAMESPACE: 'n' };

test('what a person configured for git counts, and what points git elsewhere does not', () => {
  const env = { ...theirs, ...places, PATH: '/bin', TOKEN_OF_A_HELPER: 't' };
  expect(gitEnvironment(env)).toEqual({ ...theirs, PATH: '/bin', TOKEN_OF_A_HELPER: 't' });
  expect(personalGit(env)).toEqual(theirs);
});

test('configuration in the environment reaches our git', async () => {
  const env = { PATH: process.env['PATH'], HOME: tempDir(), ...theirs, GIT_CONFIG_KEY_0: 'user.name' };
  const { out } = await createGit(env).run({ args: ['config', 'user.name'], cwd: '/' });
  expect(new TextDecoder().decode(out)).toBe('*\n');
});

test('a push has the whole environment of the person, gh what concerns git, and both the locale C', async () => {
  const given: Record<string, Readonly<Record<string, string>>> = {};
  const ports = scriptedPorts({
    git: (args) => (args[0] === 'config' ? { out: 'remote.origin.url\na/b\0' } : {}),
    gh: (args) => (args[1] === 'list' ? { out: '[]' } : { out: 'https://github.com/a/b/pull/1' }),
  });
  const { start } = ports.spawn;
  const spawn = {
    ...ports.spawn,
    start: (...call: Parameters<typeof start>) => {
      given[String(call[0].command[0])] = call[0].env;
      return start(...call);
    },
  };
  const env = { ...theirs, ...places, PATH: '/bin:bin', LC_ALL: 'de_DE', TOKEN_OF_A_HELPER: 't' };
  const opened = await createGhPullRequests({ ...ports, spawn, env }).open({
    branch: 'ralph/1',
    title: 't',
    body: 'b',
    base: null,
  });
  expect(opened.ok).toBe(true);
  const always = { PATH: '/bin', LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  expect(given['git']).toMatchObject({ ...theirs, ...always, TOKEN_OF_A_HELPER: 't' });
  expect(given['gh']).toMatchObject({ ...theirs, ...always });
  expect(given['gh']).not.toHaveProperty('TOKEN_OF_A_HELPER');
  for (const name of Object.keys(places)) expect(given['git']).not.toHaveProperty(name);
});
