import { expect, test } from 'vitest';
import { isForbiddenVariable } from '../../src/base/process/forbidden-variable.ts';

test.each([
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'BASH_ENV',
  'BASH_FUNC_ls%%',
  'ZDOTDIR',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'BUN_OPTIONS',
  'npm_config_script_shell',
  'PYTHONPATH',
  'PERL5OPT',
  'RUSTC_WRAPPER',
  'GIT_SSH_COMMAND',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_CONFIG_COUNT',
  'PAGER',
  'MANPAGER',
  'LESSOPEN',
  'BROWSER',
  'RALPH_TASK',
  'node_options',
])('%s makes other commands run foreign code and is not set by a plan', (name) => {
  expect(isForbiddenVariable(name)).toBe(true);
});

test.each(['NODE_ENV', 'GREETER_PACE', 'GITHUB_REF', 'PATH_TO_FILE', 'DEBUG', 'ENVIRONMENT', 'TERM'])(
  '%s may be set',
  (name) => {
    expect(isForbiddenVariable(name)).toBe(false);
  },
);
