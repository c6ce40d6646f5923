import { join } from 'node:path';
import { largeCommit } from '../../agents/large-commit.ts';
import { realPath } from '../../agents/real-path.ts';
import { faultSentence } from '../../base/fault.ts';
import { list } from '../../base/sentence.ts';
import { shortPath } from '../../changes/git/nested.ts';
import type { Attempt, Committed, SessionChanges } from '../../changes/port.ts';
import type { Result } from '../../changes/result.ts';
import { attemptKey } from '../../pipeline/changes/changes-state.ts';
import { unclaimedWork } from '../../pipeline/changes/unclaimed.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { Core } from '../core.ts';
import { mergedFiles } from './merged-files.ts';

/**
 * Why a person looks at a committed attempt before it is merged: repositories in it, its size, a secret, files that another agent may have written there.
 * Each reason is a sentence, because who merges it all the same has accepted all of them. `null`: nothing.
 */
export const whyAsked = async (
  core: Core,
  changes: SessionChanges,
  {
    step,
    named,
    committed,
  }: { readonly step: Attempt; readonly named: Attempt; readonly committed: Committed },
): Promise<string | null> => {
  if (committed.repositories.length > 0) return repositoriesSentence(committed.repositories, core, step);
  const reasons = [
    unreadFiles(committed, core, step),
    largeFiles(core, step),
    await secretsIn(changes, named),
    await perhapsOfOthers(core, changes, step, named),
  ].filter((reason) => reason !== null);
  return reasons.length === 0 ? null : reasons.join(' ');
};

/** The files of a merge that another agent may have written into the worktree, in one sentence (src/changes/README.md, Attribution). */
const perhapsOfOthers = async (
  { loop, options }: Core,
  changes: SessionChanges,
  { task, attempt }: Attempt,
  named: Attempt,
): Promise<string | null> => {
  const work = unclaimedWork(loop.state(), task, (path) => realPath(options.disk, path));
  if (work === null) return null;
  const changed = await changedBy(loop.state(), changes, { task, attempt }, named);
  if (!changed.ok) return faultSentence(changed.fault);
  const files = changed.value.filter(work.isUnclaimed);
  if (files.length === 0) return null;
  const verb = files.length === 1 ? 'was' : 'were';
  return `${list(files, 3)} ${verb} changed in its worktree, but it neither declares nor reports the change, and ${list(work.beside, 3)} worked beside it and could write there.`;
};

/** A first attempt merges what it changed. */
const changedBy = async (
  { tasks }: SessionState,
  changes: SessionChanges,
  { task, attempt }: Attempt,
  named: Attempt,
): Promise<Result<readonly string[]>> =>
  attempt === 1 ? { ok: true, value: tasks.get(task)?.changed ?? [] } : mergedFiles(changes, named);

/** The merge would be without the files of these repositories: of each, git records the name of a commit at most. */
const repositoriesSentence = (
  repositories: readonly string[],
  { loop }: Core,
  { task, attempt }: Attempt,
): string => {
  const place = placeOf(loop.state(), task, attempt);
  const [one = '', ...others] = repositories;
  const more = repositories.length > 3 ? ` and ${repositories.length - 3} more` : '';
  const what =
    others.length === 0
      ? `${one} is a separate git repository, whose files`
      : `${repositories.slice(0, 3).join(', ')}${more} are separate git repositories, whose files`;
  return `${what} a merge would leave behind. They stay in ${place}. To merge them as files, remove the .git inside first.`;
};

const placeOf = ({ iteration, changes }: SessionState, task: string, attempt: number): string =>
  changes.attempts.get(attemptKey(iteration, task, attempt))?.directory ?? 'its worktree';

const unreadFiles = (
  { unread = [] }: Committed,
  { loop }: Core,
  { task, attempt }: Attempt,
): string | null =>
  unread.length === 0
    ? null
    : `git cannot read ${list(unread.map(shortPath), 3)} in its worktree, so a merge would leave ${unread.length === 1 ? 'it' : 'them'} behind in ${placeOf(loop.state(), task, attempt)}.`;

/** The size of the files that the attempt changed, in one sentence, when a person should look at it; else `null`. */
const largeFiles = ({ loop, options }: Core, { task, attempt }: Attempt): string | null => {
  const { iteration, changes, tasks } = loop.state();
  const directory = changes.attempts.get(attemptKey(iteration, task, attempt))?.directory ?? null;
  if (directory === null) return null;
  const sizeOf = (path: string): number => options.disk.lstat(join(directory, path))?.size ?? 0;
  const large = largeCommit(tasks.get(task)?.changed ?? [], sizeOf);
  return large === null ? null : `its commit would contain ${large}.`;
};

/** The added lines of the merge that look like secrets, as `a.ts:3`, in one sentence; the fault when they cannot be read; `null` when there are none. */
export const secretsIn = async (changes: SessionChanges, named: Attempt): Promise<string | null> => {
  const ranges = await changes.ranges({ of: 'merge', ...named });
  if (!ranges.ok) return faultSentence(ranges.fault);
  const found: string[] = [];
  for (const range of ranges.value) {
    const secrets = await changes.findSecrets(range);
    if (!secrets.ok) return faultSentence(secrets.fault);
    found.push(...secrets.value.map(({ path, line }) => `${path}:${line}`));
  }
  if (found.length === 0) return null;
  return `${found.join(', ')} ${found.length === 1 ? 'looks' : 'look'} like a secret.`;
};
