import { execFile } from 'node:child_process';

/** Bytes of one answer of git. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Lists the files of a git checkout that count as work: tracked files, and new files that are not ignored.
 * `null` outside a checkout. Runs no program of the repository's configuration: hooks and the file system
 * monitor are switched off.
 */
export const listProjectFiles = (workspace: string): Promise<readonly string[] | null> =>
  new Promise((resolve) => {
    const quietly = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
    const ask = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    execFile('git', [...quietly, ...ask], { cwd: workspace, maxBuffer: mostBytes }, (error, stdout) =>
      resolve(error === null ? stdout.split('\0').filter((file) => file !== '') : null),
    );
  });
