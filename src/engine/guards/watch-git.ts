import { join } from 'node:path';
import type { Brief, InvocationId } from '../../agents/port.ts';
import { readBytes } from '../../base/replace-file.ts';
import type { Core } from '../core.ts';
import { gitWithHead } from './control-files.ts';
import { type GitRefs, movesOf, readGitRefs } from './git-refs.ts';

/** Says what agents with a model did to HEAD, branches and remotes: none of it is ours, and none of it is taken back. */
export interface GitWatch {
  around<T>(brief: Brief, work: () => Promise<T>): Promise<T>;
  /** Runs a commit of ours, which is no news. */
  own<T>(work: () => Promise<T>): Promise<T>;
}

/** Agents that work at the same time share one picture, because nothing shows which of them it was. */
export const createGitWatch = (core: Core): GitWatch => {
  const { disk, paths } = core.options;
  const working = new Set<InvocationId>();
  let git: string | null = null;
  let before: GitRefs | null = null;

  const take = (): void => {
    git = gitWithHead(disk, paths.workspace);
    before = git === null ? null : readGitRefs(disk, git);
  };

  const tailOf = (path: string, from: number): string => {
    try {
      const bytes = disk.lstat(path) === null ? null : readBytes(disk, path, largestLog);
      return new TextDecoder().decode(bytes?.subarray(from));
    } catch {
      // A log that cannot be read explains nothing.
      return '';
    }
  };

  const look = (): void => {
    if (before === null || git === null || disk.lstat(join(git, 'HEAD')) === null) return;
    const [known, directory, now] = [before, git, readGitRefs(disk, git)];
    before = now;
    const moves = movesOf(known, now, (name) =>
      tailOf(join(directory, 'logs', name), known.logs.get(name) ?? 0),
    );
    if (moves.length === 0 || !core.loop.isOpen()) return;
    const what = `${moves.slice(0, mostTold).join(', ')}${moves.length > mostTold ? ` and ${moves.length - mostTold} more` : ''}`;
    const who = [...working].join(', ');
    core.loop.run(() => {
      for (const invocation of working)
        core.loop.commit({ type: 'finding.noted', invocation, text: `git: ${what}` });
      core.problem({
        code: 'git-moved',
        what: `while ${who} worked, somebody ${what}`,
        hint: 'this program did not; `git reflog` shows it',
      });
    });
  };

  return {
    around: async ({ invocation, model }, work) => {
      if (model === undefined) return work();
      if (working.size === 0) take();
      working.add(invocation);
      try {
        return await work();
      } finally {
        look();
        working.delete(invocation);
      }
    },
    own: async (work) => {
      look();
      try {
        return await work();
      } finally {
        if (working.size > 0) take();
      }
    },
  };
};

/** Bytes of a ref's log. */
const largestLog = 8 * 1_048_576;

/** Limit of moves in one sentence. */
const mostTold = 5;
