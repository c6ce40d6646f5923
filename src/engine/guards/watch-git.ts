import { join } from 'node:path';
import type { InvocationId } from '../../agents/port.ts';
import type { Disk } from '../../base/disk.ts';
import { readBytes } from '../../base/replace-file.ts';
import type { Core } from '../core.ts';
import { gitWithHead } from './control-files.ts';
import { type GitRefs, movesOf, type RefMove, readGitRefs } from './git-refs.ts';
import { createWatch, firstFew, type Watch } from './watch.ts';

/** Says what agents with a model did to HEAD, branches and remotes: none of it is ours, and none of it is taken back. */
export const createGitWatch = (core: Core): Watch => {
  const { disk, paths } = core.options;
  let git: string | null = null;
  let before: GitRefs | null = null;
  return createWatch({
    isFor: ({ model }) => model !== undefined,
    take: () => {
      git = gitWithHead(disk, paths.workspace);
      before = git === null ? null : readGitRefs(disk, git);
    },
    look: (working) => {
      if (before === null || git === null || disk.lstat(join(git, 'HEAD')) === null) return;
      const [known, directory, now] = [before, git, readGitRefs(disk, git)];
      before = now;
      const moves = movesOf(known, now, (name) =>
        tailOf(disk, join(directory, 'logs', name), known.logs.get(name) ?? 0),
      );
      if (moves.length > 0 && core.loop.isOpen()) say(core, working, moves);
    },
  });
};

const say = (core: Core, working: ReadonlySet<InvocationId>, moves: readonly RefMove[]): void =>
  core.loop.run(() => {
    for (const invocation of working)
      core.loop.commit({ type: 'finding.noted', invocation, text: `git: ${wordsOf(moves)}` });
    const { invocations } = core.loop.state();
    const allowed = [...working].flatMap((id) => invocations.get(id)?.allowed ?? []);
    const unasked = moves.filter(({ ref }) => !allowed.some((command) => isNamedIn(command, ref)));
    if (unasked.length === 0) return;
    core.problem({
      code: 'git-moved',
      what: `while ${[...working].join(', ')} ${working.size === 1 ? 'was' : 'were'} working, someone ${wordsOf(unasked)}`,
      hint: 'ralph-tui did not do this; see `git reflog`',
    });
  });

const wordsOf = (moves: readonly RefMove[]): string => firstFew(moves.map(({ what }) => what));

/** Whether a person who allowed this command saw the ref in it: what it did there is no news to them. */
const isNamedIn = (command: string, ref: string | null): boolean =>
  ref !== null && command.split(/[\s'":]+/).includes(ref);

const tailOf = (disk: Disk, path: string, from: number): string => {
  try {
    const bytes = disk.lstat(path) === null ? null : readBytes(disk, path, largestLog);
    return new TextDecoder().decode(bytes?.subarray(from));
  } catch {
    // A log that cannot be read explains nothing.
    return '';
  }
};

/** Bytes of a ref's log. */
const largestLog = 8 * 1_048_576;
