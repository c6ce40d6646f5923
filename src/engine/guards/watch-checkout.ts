import { join } from 'node:path';
import type { InvocationId } from '../../agents/port.ts';
import type { Disk } from '../../base/disk.ts';
import { readBytes, readText } from '../../base/replace-file.ts';
import type { Core } from '../core.ts';
import { trackedPaths } from './git-index.ts';
import { commonDirectory, repositoryOf } from './repository-of.ts';
import { createWatch, firstFew, type Watch } from './watch.ts';

/**
 * Says which files of the person's checkout changed while an agent with a model worked in a worktree: it has no business there, but the person has,
 * so nothing is blamed and nothing is taken back.
 */
export const createCheckoutWatch = (core: Core): Watch => {
  const { disk, paths } = core.options;
  let before: Checkout = nothing;
  const take = (): void => {
    before = readCheckout(disk, paths.workspace);
  };
  return createWatch({
    isFor: ({ model, workspace }) => model !== undefined && workspace !== paths.workspace,
    take,
    look: (working) => {
      const known = before;
      take();
      // A file that git no longer tracks, or whose repository is gone, may still be as it was.
      const markNow = (path: string): string =>
        before.marks.get(path) ?? markOf(disk, join(known.root, path));
      const changed = [...known.marks].flatMap(([path, mark]) =>
        isTracker(path) || markNow(path) === mark ? [] : [path],
      );
      if (changed.length > 0 && core.loop.isOpen()) say(core, working, firstFew(changed));
    },
  });
};

const say = (core: Core, working: ReadonlySet<InvocationId>, names: string): void =>
  core.loop.run(() => {
    for (const invocation of working)
      core.loop.commit({
        type: 'finding.noted',
        invocation,
        text: `your checkout: ${names} changed in the meantime`,
      });
    core.problem({
      code: 'checkout-changed',
      what: `${names} in your checkout changed while ${[...working].join(', ')} worked in ${working.size === 1 ? 'a worktree' : 'worktrees'}`,
      hint: 'you or an agent made the change; see `git diff`',
    });
  });

/** Issues of the workspace: the engine moves them while agents work. */
const isTracker = (path: string): boolean => /(?:^|\/)\.ralph\/issues\//.test(path);

interface Checkout {
  readonly root: string;
  /** What a changed file cannot keep, by its path below `root`. */
  readonly marks: ReadonlyMap<string, string>;
}

const nothing: Checkout = { root: '', marks: new Map() };

/** The tracked files as the file system marks them, without a process: one look at each. Empty where git's index cannot be read. */
const readCheckout = (disk: Disk, workspace: string): Checkout => {
  try {
    const found = repositoryOf(disk, workspace);
    const index = found && readBytes(disk, join(found.git, 'index'), largestIndex);
    if (!found || !index) return nothing;
    const tracked = trackedPaths(index, hashBytesIn(disk, found.git), mostFiles);
    const { root } = found;
    return { root, marks: new Map(tracked.map((path) => [path, markOf(disk, join(root, path))])) };
  } catch {
    // It only tells: what cannot be read has nothing to tell.
    return nothing;
  }
};

/** The time of its inode changes with every write, whatever a program sets the time of its contents to. */
const markOf = (disk: Disk, path: string): string => {
  const stat = disk.lstat(path);
  return stat === null ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
};

const hashBytesIn = (disk: Disk, git: string): 20 | 32 => {
  const config = readText(disk, join(commonDirectory(disk, git), 'config')) ?? '';
  return /^\s*objectformat\s*=\s*sha256/im.test(config) ? 32 : 20;
};

/** Bytes. */
const largestIndex = 16 * 1_048_576;

/** More tracked files are not looked at: two looks at these take some 20 ms an attempt. */
const mostFiles = 5_000;
