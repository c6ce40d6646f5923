import { join } from 'node:path';
import { largeCommit } from '../../agents/large-commit.ts';
import { faultSentence } from '../../base/fault.ts';
import type { Attempt, Committed, SessionChanges } from '../../changes/port.ts';
import { attemptKey } from '../../pipeline/changes/changes-state.ts';
import type { Core } from '../core.ts';

/** Why a person looks at a committed attempt before it is merged, in one sentence: repositories in it, its size, a secret. `null`: nothing. */
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
  return largeFiles(core, step) ?? secretsIn(changes, named);
};

/** The merge would be without the files of these repositories: of each, git records the name of a commit at most. */
const repositoriesSentence = (
  repositories: readonly string[],
  { loop }: Core,
  { task, attempt }: Attempt,
): string => {
  const { iteration, changes } = loop.state();
  const place = changes.attempts.get(attemptKey(iteration, task, attempt))?.directory ?? 'its worktree';
  const [one = '', ...others] = repositories;
  const more = repositories.length > 3 ? ` and ${repositories.length - 3} more` : '';
  const what =
    others.length === 0
      ? `${one} is a separate git repository, whose files`
      : `${repositories.slice(0, 3).join(', ')}${more} are separate git repositories, whose files`;
  return `${what} a merge would leave behind. They stay in ${place}. To merge them as files, remove the .git inside first.`;
};

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
