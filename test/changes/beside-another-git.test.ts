import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGit } from '../../src/changes/git/git.io.ts';
import { changesWorld, gitEnvironment, personGit } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

/** A repository with a worktree that another git has begun to make, and a git that notes each call and does `after` once one has ended. */
const besideHalfMade = (after: string) => {
  const { top, repo } = changesWorld(template);
  const half = join(repo, '.git/worktrees/half');
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, 'gitdir'), join(top, 'half/.git'));
  writeFileSync(join(half, 'HEAD'), personGit(repo, 'rev-parse', 'HEAD'));
  writeFileSync(join(half, 'commondir'), '');
  const shim = join(top, 'bin/git');
  mkdirSync(join(top, 'bin'));
  writeFileSync(shim, `#!/bin/sh\n/usr/bin/env PATH="$REAL_PATH" git "$@"\ncode=$?\n${after}\nexit $code\n`);
  chmodSync(shim, 0o755);
  const env = gitEnvironment(top);
  const path = `${join(top, 'bin')}:${env['PATH']}`;
  const git = createGit({ ...env, REAL_PATH: env['PATH'], PATH: path, HALF: half });
  const add = () =>
    git.run({ args: ['worktree', 'add', '--quiet', '-B', 'mine', join(top, 'mine')], cwd: repo });
  return { repo, add };
};

test('a worktree is made although another git is in the middle of making one', async () => {
  const { repo, add } = besideHalfMade('[ -s "$HALF/commondir" ] || echo ../.. > "$HALF/commondir"');
  expect(await add()).toMatchObject({ code: 0 });
  expect(personGit(repo, 'worktree', 'list')).toMatch(/\[mine\]/);
});

test('one that stays half made is a failure with the words of git', async () => {
  const { add } = besideHalfMade('');
  expect(await add()).toMatchObject({
    code: 128,
    error: expect.stringMatching(/failed to read .*commondir/),
  });
});
