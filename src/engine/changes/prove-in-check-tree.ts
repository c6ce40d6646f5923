import type { Brief, RoleEnd } from '../../agents/port.ts';
import type { Fault } from '../../base/fault.ts';
import { asSentence } from '../../base/sentence.ts';
import type { Prepared, SessionChanges } from '../../changes/port.ts';
import type { Core } from '../core.ts';
import type { Active } from '../invocation/active.ts';
import type { Worktrees } from '../invocation/worktrees.ts';
import { attemptOf, recorded, say, takeSnapshot } from './attempt-record.ts';
import { permanent } from './open-changes.ts';
import { tearDownCheck } from './tear-down.ts';

type SetUp = Parameters<Worktrees['enter']>[2];

/** Whether the `verify` of an attempt runs: on its merge, or before somebody reviews it. A flow proposes its merge in a worktree that nothing else is done in. */
export const isProof = ({ merged, verifies, phase }: Brief): boolean =>
  merged === true || (verifies === true && phase !== 'merge');

/** Proof is taken on a commit where no agent has worked, after `worktree.setup`. A runner sets up its own copy of that. */
export const enterProof = async (
  core: Core,
  active: Active,
  brief: Brief,
  changes: SessionChanges,
  setup: SetUp,
): Promise<Brief | Fault> => {
  const placed = await showProof(core, brief, changes, setup);
  // A person or the end of the session may have stopped it meanwhile.
  if ('code' in placed || active.stop) changes.hideMerged(attemptOf(brief));
  return placed;
};

const showProof = async (
  core: Core,
  brief: Brief,
  changes: SessionChanges,
  setup: SetUp,
): Promise<Brief | Fault> => {
  const attempt = attemptOf(brief);
  const commit = await commitOf(core, brief, changes);
  if (commit !== null && typeof commit !== 'string') return commit;
  const isSent = brief.runner !== undefined;
  const shown = await changes.showMerged(attempt, commit, { before: tearDownCheck(core), isSent });
  if (!shown.ok) return permanent(shown.fault);
  say(core, odd, shown.value.problems);
  const placed = inPlace(brief, shown.value);
  if (shown.value.existed) return placed;
  const sets = brief.settings.worktree.setup.length > 0;
  const failed = sets ? await setup(placed) : null;
  if (failed !== null) return setUpFailed(placed, failed);
  const kept = await changes.keepShown(attempt, sets);
  return kept.ok ? placed : permanent(kept.fault);
};

/** The merge, or what the attempt left. `null`: the merge changed nothing, and the session's branch is shown. */
const commitOf = async (
  core: Core,
  brief: Brief,
  changes: SessionChanges,
): Promise<string | null | Fault> => {
  const known = recorded(core, brief);
  if (brief.merged) return known?.merged ?? null;
  if (known?.after) return known.after;
  const taken = await takeSnapshot(core, brief, changes, { moment: 'after', odd });
  return taken.ok ? taken.value.commit : permanent(taken.fault);
};

/** Frees the check tree. A failure names what only lies in the attempt's own worktree. */
export const leaveProof = async (
  core: Core,
  brief: Brief,
  changes: SessionChanges | Fault,
  end: RoleEnd,
): Promise<RoleEnd> => {
  if ('code' in changes) return end;
  try {
    if (end.kind !== 'outcome' || end.outcome.role !== 'Reviewer' || end.outcome.verdict !== 'Failed')
      return end;
    const missing = await changes.missingInShown(attemptOf(brief));
    if (!missing.ok) say(core, odd, [missing.fault.what]);
    if (!missing.ok || missing.value.length === 0) return end;
    const feedback = `${asSentence(end.outcome.feedback)} ${missingSentence(missing.value)}`;
    return { ...end, outcome: { ...end.outcome, feedback } };
  } finally {
    changes.hideMerged(attemptOf(brief));
  }
};

const missingSentence = (paths: readonly string[]): string => {
  const named = paths.slice(0, 3).join(', ');
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  const it = paths.length === 1 ? 'it' : 'them';
  return `verify ran on the commit, without ${named}${more}, which git ignores: track ${it}, or let worktree.setup make ${it}.`;
};

export const inPlace = (brief: Brief, { directory, slot }: Prepared): Brief => ({
  ...brief,
  workspace: directory,
  ...(slot === null ? {} : { slot }),
});

export const setUpFailed = ({ workspace }: Brief, failed: string): Fault =>
  permanent({ code: '', what: `worktree.setup failed: ${failed}`, where: workspace });

/** The code of what git found odd about a worktree. */
export const odd = 'worktree-odd';
