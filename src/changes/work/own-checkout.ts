import { join } from 'node:path';
import { type Context, runGit, type WorkTree } from '../context.ts';
import { moveBranch } from '../own-refs.ts';
import type { OpenSession } from '../session-state.ts';

/** Moves the session's branch and its work tree. */
export const moveTo = async (session: OpenSession, commit: string): Promise<void> => {
  await moveBranch(session.context, commit);
  await showTip(session);
};

/** Brings the session's own work tree to the tip of its branch. Who asks before it begins shares it. */
export const showTip = (session: OpenSession): Promise<null> => {
  const { context, own, checkout } = session;
  checkout.waiting ??= checkout.serially(async () => {
    checkout.waiting = null;
    const tip = tipOf(context);
    checkout.shows = null;
    if (own !== null && tip !== undefined) await showFiles(context, own, tip);
    checkout.shows = tip ?? null;
    return null;
  });
  return checkout.waiting;
};

/** Waits until the session's own work tree shows the tip of its branch. */
export const shownTip = async (session: OpenSession): Promise<null> => {
  await session.checkout.serially(async () => {});
  return session.own === null || session.checkout.shows === tipOf(session.context) ? null : showTip(session);
};

const tipOf = ({ own, names }: Context): string | undefined => own.refs?.get(names.branch);

/** Untracked files that somebody left go; ignored ones stay. The branch is not written: it may have moved on meanwhile. */
export const showFiles = async (context: Context, own: WorkTree, commit: string): Promise<void> => {
  const head = context.files.read(join(own.gitDir, 'HEAD'))?.trim();
  const { branch } = context.names;
  const extra = { in: own };
  if (head !== `ref: ${branch}`)
    await runGit(context, 'return to the session branch', ['symbolic-ref', 'HEAD', branch], extra);
  await runGit(context, 'update the merged files', ['read-tree', '--reset', '-u', commit], extra);
  await runGit(context, 'remove leftover files', ['clean', '-ffdq'], extra);
};
