import { asResult, type ChangesPorts, readRefs, refuse, worktreePath, writeRefs } from './context.ts';
import { createReadingContext } from './create-context.ts';
import { examineWorkspace } from './examine.ts';
import { workspaceIn } from './files/workspace-path.ts';
import { passOn } from './git/own-objects.ts';
import { shortBranch } from './git/ref-names.ts';
import { openSession } from './open.ts';
import { clearOrphan, findOrphans } from './orphans.ts';
import { acceptMoved } from './own-refs.ts';
import type { Attempt, BeforeRemoval, ChangesPort, Prepared, SessionChanges, Start } from './port.ts';
import { readRanges } from './ranges.ts';
import { createReader } from './read.ts';
import type { OpenSession } from './session-state.ts';
import { keepCheckTree, missingInCheckTree, releaseCheckTree, showInCheckTree } from './work/check-tree.ts';
import { cleanAttempt, closeSession } from './work/clean.ts';
import { commitAttempt, takeSnapshot } from './work/commit.ts';
import { finishSession, proposeMerge } from './work/finish.ts';
import { asMerged, landMerge, mergeAttempt, takeBackMerge } from './work/merge.ts';
import { shownTip } from './work/own-checkout.ts';
import { prepareWorktree } from './work/prepare.ts';
import { openForEditing, resolveConflict } from './work/resolve.ts';
import { makeScratch } from './work/scratch.ts';
import { redoMerged, undoMerged } from './work/undo.ts';
import { redoShared, undoShared } from './work/undo-shared.ts';

/** The changes of workspaces, over git. Nothing throws, but for a port that does. */
export const createChanges = (ports: ChangesPorts): ChangesPort => ({
  examine: (workspace, plan = null) => examineWorkspace(ports.git, ports.files, workspace, plan),
  open: (opening) => asResult(async () => createSession(await openSession(ports, opening))),
  read: (workspace, session) =>
    asResult(async () => {
      const context = await recordedContext(ports, workspace, session);
      return createReader(context);
    }),
  scratch: (workspace, copy = []) => asResult(() => makeScratch(ports, workspace, copy)),
  findOrphans: (workspace, live) => asResult(() => findOrphans(ports, workspace, live)),
  clearOrphan: (workspace, orphan) => asResult(() => clearOrphan(ports, workspace, orphan)),
});

/** The context of a session that recorded changes. One with a branch had worktrees. */
const recordedContext = async (ports: ChangesPorts, workspace: string, session: string) => {
  const context = await createReadingContext(ports, workspace, session);
  const refs = await readRefs(context);
  if (refs.size === 0) throw refuse('nothing-recorded', `the session ${session} recorded no changes`);
  const isolation = refs.has(context.names.branch) ? 'worktree' : 'shared';
  return { ...context, opening: { ...context.opening, isolation } } as const;
};

const createSession = (session: OpenSession): SessionChanges => {
  const { context, own, serially } = session;
  const { prefix } = context.repository;
  const queued = <T>(run: () => Promise<T>) =>
    asResult(() =>
      serially(async () => {
        const value = await run();
        // Also what no commit holds, such as the lines of a conflict.
        passOn(context);
        return value;
      }),
    );
  const beside = <T>(run: () => Promise<T>, works = session.beside) =>
    asResult(async () => {
      const work = run();
      works.add(work);
      try {
        return await work;
      } finally {
        works.delete(work);
      }
    });
  return {
    ...createReader(context),
    // The present state of a work tree is recorded for it.
    ranges: (scope) => beside(() => readRanges(context, scope)),
    worktree:
      own === null
        ? null
        : {
            branch: shortBranch(context.names.branch),
            base: session.base,
            directory: workspaceIn(own.root, prefix),
          },
    prepare: (attempt, start = { from: 'session' }) =>
      asResult(async () => {
        await session.removals.waiting.get(worktreePath(context, attempt));
        return serially(() => prepare(session, attempt, start));
      }),
    snapshot: (attempt, moment) => beside(() => takeSnapshot(session, attempt, moment)),
    commit: (attempt, message) => queued(() => commitAttempt(session, attempt, message)),
    merge: (attempt, train) => asMerged(() => serially(() => mergeAttempt(session, attempt, train))),
    showBranch: () => asResult(() => shownTip(session)),
    land: (attempt, merge) => queued(() => landMerge(session, attempt, merge)),
    showMerged: (attempt, commit = null, how = {}) =>
      beside(() => showInCheckTree(session, attempt, commit, how), session.shows),
    keepShown: (attempt, ran) => queued(() => keepCheckTree(session, attempt, ran)),
    missingInShown: (attempt) => asResult(() => missingInCheckTree(session, attempt)),
    hideMerged: (attempt) => releaseCheckTree(session, attempt),
    takeBack: (attempt) => queued(() => takeBackMerge(session, attempt)),
    openConflict: (attempt) => queued(async () => ({ directory: await openForEditing(session, attempt) })),
    resolve: (attempt, resolution, train) =>
      asMerged(() => serially(() => resolveConflict(session, attempt, resolution, train))),
    acceptConfiguration: (state) => queued(() => acceptConfiguration(session, state)),
    undo: (work) => queued(() => (own === null ? undoShared(session, work) : undoMerged(session, work))),
    redo: (work) => queued(() => (own === null ? redoShared(session, work) : redoMerged(session, work))),
    propose: (attempt, merge) => queued(() => proposeMerge(session, attempt, merge)),
    finish: (how) => queued(() => finishSession(session, how)),
    clean: (attempt, ...how) => asResult(() => cleanLater(session, attempt, ...how)),
    close: (before = async () => {}) =>
      asResult(async () => {
        await session.removals.serially(async () => {});
        return serially(() => closeSession(session, before));
      }),
  };
};

/** A removal takes long where there are many files: it begins after the merges that wait, and those that come later do not wait for it. */
const cleanLater = (
  session: OpenSession,
  attempt: Attempt,
  ...how: readonly [before?: BeforeRemoval, results?: readonly string[]]
): Promise<null> => {
  const { serially, removals, context } = session;
  const path = worktreePath(context, attempt);
  const removal = removals.serially(async () => {
    await serially(async () => {});
    return cleanAttempt(session, attempt, ...how);
  });
  const over = removal
    .catch(() => {})
    .then(() => {
      if (removals.waiting.get(path) === over) removals.waiting.delete(path);
    });
  removals.waiting.set(path, over);
  return removal;
};

const acceptConfiguration = async ({ context, watch }: OpenSession, state: string): Promise<null> => {
  const accepted = await watch.accept(state);
  if (accepted !== null) await writeRefs(context, { [context.names.configuration]: accepted });
  await acceptMoved(context, state);
  return null;
};

const prepare = async (session: OpenSession, attempt: Attempt, start: Start): Promise<Prepared> => {
  if (session.own !== null) return prepareWorktree(session.context, attempt, start);
  return {
    directory: session.context.opening.workspace,
    branch: null,
    slot: null,
    existed: true,
    problems: [],
  };
};
