import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import type { Random } from '../../base/random.ts';
import { readBytes, writeNew } from '../../base/replace-file.ts';
import { discard } from '../../base/temporary-file.ts';
import { carrier, gitText, type RunnerGit } from './git.ts';

export interface RepositoryPorts {
  readonly git: RunnerGit;
  readonly disk: Disk;
  readonly random: Random;
}

/** A work tree with the directory that git keeps for it. */
export interface WorkTree {
  readonly root: string;
  readonly gitDir: string;
}

/** The most bytes of an index that is copied. A larger one is rebuilt. */
const largestIndex = 268_435_456;

/**
 * The files of a work tree as a commit on `parent`: `parent` itself when nothing changed. Ignored files and the directory of our sessions are left out.
 * Works on a copy of the index, so that the person's and the agent's own index stay as they are.
 */
export const commitOfTree = async (
  ports: RepositoryPorts,
  tree: WorkTree,
  parent: string,
  message: string,
): Promise<string> => {
  const { git, disk, random } = ports;
  const indexFile = join(tree.gitDir, `ralph-index-${random.hex(8)}`);
  const on = { cwd: tree.root, gitDir: tree.gitDir, workTree: tree.root, indexFile };
  try {
    const known = readBytes(disk, join(tree.gitDir, 'index'), largestIndex);
    if (known === null) await gitText(git, 'read the commit', { ...on, args: ['read-tree', parent] });
    else writeNew(disk, random, indexFile, known);
    const add = ['add', '--all', '--', ':/', ':(top,exclude,glob)**/.ralph-sessions/**'];
    const [before] = await Promise.all([
      gitText(git, 'read the commit', { ...on, args: ['rev-parse', `${parent}^{tree}`] }),
      gitText(git, 'record the files', { ...on, args: add, magicPaths: true }),
    ]);
    const written = await gitText(git, 'record the files', { ...on, args: ['write-tree'] });
    if (written === before) return parent;
    return gitText(git, 'record the files', {
      ...on,
      args: ['commit-tree', written, '-p', parent],
      input: `${message}\n`,
      identity: carrier,
    });
  } finally {
    discard(disk, indexFile);
  }
};
