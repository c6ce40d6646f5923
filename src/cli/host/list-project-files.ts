import { createGit } from '../../changes/git/git.io.ts';
import { textOf } from '../../changes/git/git-text.ts';

/** Bytes of one answer of git. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Lists the files of a git checkout that count as work: tracked files, and new files that are not ignored.
 * `null` outside a checkout. Runs no program of the repository's configuration.
 */
export const listProjectFiles = async (workspace: string): Promise<readonly string[] | null> => {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { code, out } = await createGit(process.env, mostBytes).run({ args, cwd: workspace });
  return code === 0
    ? textOf(out)
        .split('\0')
        .filter((file) => file !== '')
    : null;
};
