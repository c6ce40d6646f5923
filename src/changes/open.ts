import { join } from 'node:path';
import { printedCommand } from '../base/process/printed-command.ts';
import { createConfigurationWatch } from './configuration.ts';
import {
  type ChangesPorts,
  type Context,
  markerOf,
  readRefs,
  readTheseRefs,
  refuse,
  tryGit,
  type WorkTree,
  writeRefs,
} from './context.ts';
import { createContext } from './create-context.ts';
import { workspaceIn } from './files/workspace-path.ts';
import { takeObjects } from './git/own-objects.ts';
import { sessionDirectory, shortBranch } from './git/ref-names.ts';
import {
  addWorktree,
  discardWorktree,
  removeLocks,
  removeWhatIsAside,
  settleWorktree,
  worktreeAt,
} from './git/worktrees.ts';
import { identityFor } from './identity.ts';
import { createSerially } from './memory.ts';
import { restoreEmptyBranch, takeOver } from './own-refs.ts';
import type { Opening } from './port.ts';
import type { OpenSession } from './session-state.ts';
import { checkTreeName, discardCheckTree } from './work/check-tree.ts';
import { leaveObjects } from './work/leave-objects.ts';
import { finishMove } from './work/move-files.ts';
import { showFiles } from './work/own-checkout.ts';

/** Opens a session's changes. What a crash cut off is completed or taken back first. */
export const openSession = async (ports: ChangesPorts, opening: Opening): Promise<OpenSession> => {
  const context = await createContext(ports, opening);
  const running = await ports.git.settled(markerOf(context));
  if (running.length > 0)
    throw refuse(
      'git-running',
      `${running.length === 1 ? 'a git process' : 'git processes'} from an earlier run ${running.length === 1 ? 'is' : 'are'} still working on this session (pid ${running.join(', ')})`,
      {
        hint:
          running.length === 1 ? 'wait for it to finish, or end it' : 'wait for them to finish, or end them',
      },
    );
  await leaveObjects(context, true);
  const watch = createConfigurationWatch(context);
  await context.files.removeTree(join(context.place, 'tmp'));
  removeWhatIsAside(context);
  const isWorktree = opening.isolation === 'worktree';
  const refs = await readRefs(context);
  if (refs.has(context.names.configuration)) {
    removeRefLocks(context);
    takeObjects(context);
    await takeOver(context, opening.recorded);
    await watch.changed();
    await finishMove(context, refs.get(context.names.moving));
  } else {
    await begin(context, await watch.store());
    takeObjects(context);
    await takeOver(context);
  }
  const base = refs.get(context.names.base) ?? context.repository.head ?? '';
  const isGone = refs.has(context.names.configuration) && !refs.has(context.names.branch);
  if (opening.reads === true && isGone) await restoreEmptyBranch(context, base);
  const own = isWorktree ? await ownWorktree(context) : null;
  if (isWorktree) await removeHalfMade(context);
  const identity = await identityFor(context);
  const removals = { serially: createSerially(), waiting: new Map() };
  const last = { tree: '', commit: null };
  const checkout = { serially: createSerially(), waiting: null, shows: null };
  const serially = createSerially();
  const beside = new Set<Promise<unknown>>();
  const shows = new Set<Promise<unknown>>();
  return {
    context,
    watch,
    base,
    own,
    checks: [],
    identity,
    serially,
    beside,
    shows,
    removals,
    checkout,
    last,
  };
};

const begin = async (context: Context, configuration: string): Promise<void> => {
  const { names, repository, opening, continued } = context;
  const base = continued === null ? repository.head : await forkOf(context, continued);
  const refs = { [names.configuration]: configuration, ...(base ? { [names.base]: base } : {}) };
  if (opening.isolation === 'shared') return writeRefs(context, refs);
  // Both fail when somebody else has a branch of this name, or moved it.
  const branch =
    continued === null
      ? `create ${names.branch}\0${repository.head}\0`
      : `verify ${names.branch}\0${continued}\0`;
  const rest = Object.entries(refs).map(([ref, to]) => `update ${ref}\0${to}\0\0`);
  const input = [branch, ...rest].join('');
  const answer = await tryGit(context, ['update-ref', '-z', '--stdin'], { input });
  if (answer.code === 0) return;
  const taken = await takenAmong(context, ['refs/heads/ralph', 'refs/heads/ralph-attempt']);
  const isOwnTaken = continued === null && (await takenAmong(context, [names.branch])) !== undefined;
  const name = shortBranch(taken ?? names.branch);
  if (taken !== undefined || isOwnTaken)
    throw refuse('branch-taken', `the repository already has a branch ${name}, which the session needs`, {
      // A branch of a session may be that of one that runs: only `ralph` itself is in nobody's use.
      hint:
        taken === undefined
          ? 'start again: another session gets another branch'
          : `rename it: \`${printedCommand('git', 'branch', '-m', name, 'NEW')}\``,
    });
  throw refuse('git-failed', `git could not create the branch ${name}: ${answer.error}`);
};

/** The first of these refs that is there. */
const takenAmong = async (context: Context, refs: readonly string[]): Promise<string | undefined> => {
  for (const ref of refs)
    if ((await tryGit(context, ['show-ref', '--verify', '--quiet', ref])).code === 0) return ref;
  return undefined;
};

/** Where a branch left the person's own: what it holds since is its work. */
const forkOf = async (context: Context, tip: string): Promise<string> => {
  const { head } = context.repository;
  const answer = head === null ? null : await tryGit(context, ['merge-base', head, tip]);
  return answer?.code === 0 ? answer.out.toString().trim() : tip;
};

/** The session's own worktree, on its branch, with what is merged. */
const ownWorktree = async (context: Context): Promise<WorkTree> => {
  const path = join(context.place, sessionDirectory);
  const tip = (await readRefs(context)).get(context.names.branch);
  if (tip === undefined)
    throw refuse(
      'no-branch',
      `the branch ${shortBranch(context.names.branch)} of this session no longer exists`,
      {
        hint: 'recover it with `git reflog`, or start a new session',
      },
    );
  const known = worktreeAt(context, path);
  if (known !== null) {
    removeLocks(context, known);
    await settleWorktree(context, known);
    // A branch that somebody else moved stays as it is: the next step that needs it asks.
    const now = (await readTheseRefs(context, [context.names.branch])).get(context.names.branch);
    if (now === tip) await showFiles(context, known, tip);
    return known;
  }
  await discardWorktree(context, path);
  context.files.makeDirectory(context.place);
  const add = [path, shortBranch(context.names.branch)];
  const made = await addWorktree(context, 'make the worktree of the session', path, add);
  context.files.makeDirectory(workspaceIn(path, context.repository.prefix));
  return made;
};

/** Attempts whose `prepare` was cut off: nothing worked in their worktrees yet. */
const removeHalfMade = async (context: Context): Promise<void> => {
  const refs = await readRefs(context);
  for (const name of context.files.list(context.place)) {
    const path = join(context.place, name);
    // Nobody knows what a program that was killed left in it.
    if (checkTreeName.test(name)) await discardCheckTree(context, path, context.opening.before ?? nothing);
    const attempt = context.names.attemptOf(name);
    if (attempt === null) continue;
    const tree = worktreeAt(context, path);
    if (!refs.has(context.names.of(attempt).start)) {
      await discardWorktree(context, path);
      const { branch } = context.names.of(attempt);
      if (refs.has(branch)) await writeRefs(context, { [branch]: null });
    } else if (tree !== null) removeLocks(context, tree);
  }
};

const nothing = async (): Promise<void> => {};

/** Lock files of our refs, left by a git that died with the machine. */
const removeRefLocks = (context: Context): void => {
  const walk = (directory: string): void => {
    for (const name of context.files.list(directory)) {
      const path = join(directory, name);
      if (context.files.kind(path) === 'directory') walk(path);
      else if (name.endsWith('.lock')) context.files.unlink(path);
    }
  };
  for (const ref of context.names.all) {
    walk(join(context.repository.commonDir, ref));
    context.files.unlink(join(context.repository.commonDir, `${ref}.lock`));
  }
};
