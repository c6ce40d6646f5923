import { expect, test } from 'vitest';
import { childEnvironment } from '../../src/base/process/child-environment.ts';

test('a child inherits what it needs to find its way, and what it is given', () => {
  const parent = {
    PATH: '/bin',
    HOME: '/h',
    LANG: 'C',
    LC_ALL: 'C',
    TERM: 'xterm',
    TZ: 'UTC',
    XDG_CACHE_HOME: '/c',
  };
  expect(childEnvironment({ ...parent, USER: undefined }, { EXTRA: '1', PATH: '/other' })).toEqual({
    ...parent,
    PATH: '/other',
    EXTRA: '1',
  });
});

test('a child inherits neither what makes programs run code nor what is secret nor what is unknown', () => {
  const parent = {
    LD_PRELOAD: 'x',
    LD_ANYTHING: 'x',
    DYLD_INSERT_LIBRARIES: 'x',
    NODE_OPTIONS: '--require x',
    GIT_SSH_COMMAND: 'x',
    GIT_CONFIG_KEY_0: 'core.pager',
    'BASH_FUNC_ls%%': '() { x; }',
    BASH_ENV: 'x',
    ANTHROPIC_API_KEY: 'x',
    RALPH_RUN: 'outer',
    WHATEVER: 'x',
  };
  expect(childEnvironment(parent)).toEqual({});
});
