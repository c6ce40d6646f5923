import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGit } from '../../src/changes/git/git.io.ts';
import { prepareDemo } from '../../src/cli/session/demo-workspace.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const sample = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const { workspace, prepared } = prepareDemo(createGit(env));
  await prepared();
  onTestFinished(() => removeTree(workspace));
  return workspace;
};

test('the sample is a git repository with one commit, also for somebody who never told git a name', async () => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: tempDir(), GIT_CONFIG_NOSYSTEM: '1' };
  const workspace = await sample(env);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: workspace, env, encoding: 'utf8' });
  expect(git('log', '--format=%s')).toBe('The sample project\n');
  expect(git('status', '--porcelain')).toBe('');
  // A session there has nothing to say about an identity.
  expect(git('var', 'GIT_COMMITTER_IDENT')).toMatch(/^ralph-tui demo </);
});

test('without git the sample is there all the same', async () => {
  const workspace = await sample({ PATH: tempDir() });
  expect(existsSync(join(workspace, 'plan.yaml'))).toBe(true);
  expect(existsSync(join(workspace, '.git'))).toBe(false);
});
