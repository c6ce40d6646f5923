import { expect, test } from 'vitest';
import { createGit } from '../../src/changes/git/git.io.ts';
import { git as plainGit } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('where the directory of ours cannot be written, git does not run, and one sentence names it', async () => {
  const cwd = tempDir();
  plainGit(cwd, 'init', '-q');
  const { run } = createGit({ ...process.env, XDG_STATE_HOME: '/dev/null' });
  expect(await run({ args: ['status'], cwd })).toMatchObject({
    code: null,
    failure: 'other',
    error:
      'git needs a directory of this program in /dev/null/ralph-tui/git, which cannot be written (ENOTDIR); set XDG_STATE_HOME to a folder that you can write to',
  });
});
