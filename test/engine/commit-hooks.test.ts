import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { ranByGit } from '../../src/cli/trust/ran-by-git.ts';
import { commitHooks } from '../../src/engine/guards/commit-hooks.ts';
import { readHooks } from '../../src/engine/guards/hooks.ts';
import { git, repositoryWith } from '../helpers/repository.ts';
import { writeIn } from '../helpers/workspace.ts';

const hooksOf = (workspace: string) => {
  const disk = createDisk();
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  return commitHooks(readHooks(disk, workspace, ranByGit(env, { disk }, workspace)));
};

test('hooks of git that may be executed are named, with the only command that they run', () => {
  const workspace = repositoryWith({ 'a.txt': 'a' });
  const write = (name: string, text: string, mode: number): void => {
    writeIn(workspace, `.git/hooks/${name}`, text);
    chmodSync(join(workspace, '.git/hooks', name), mode);
  };
  expect(hooksOf(workspace)).toEqual([]);
  write('commit-msg', '#!/bin/sh\nset -e\nnpx commitlint --edit "$1"\n', 0o755);
  write('pre-commit', '#!/bin/sh\n# Tests\nnpm test\n', 0o755);
  write('pre-merge-commit', 'exit 1\n', 0o644);
  write('post-commit', 'exit 1\n', 0o755);
  expect(hooksOf(workspace)).toEqual([
    { name: 'pre-commit', runs: 'npm test' },
    { name: 'commit-msg', runs: null },
  ]);
});

test('hooks of husky are those that a person wrote, not the files that husky makes', () => {
  const workspace = repositoryWith({
    '.husky/pre-commit': 'npx lint-staged\n',
    '.husky/_/pre-commit': '. "$(dirname "$0")/h"',
    '.husky/_/commit-msg': '. "$(dirname "$0")/h"',
  });
  git(workspace, 'config', 'core.hooksPath', '.husky/_');
  expect(hooksOf(workspace)).toEqual([{ name: 'pre-commit', runs: 'npx lint-staged' }]);
});
