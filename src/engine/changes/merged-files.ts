import type { Attempt, SessionChanges } from '../../changes/port.ts';
import type { Result } from '../../changes/result.ts';

/** All files that the merge of an attempt brings: also those of the attempts that it began from. */
export const mergedFiles = async (
  changes: SessionChanges,
  attempt: Attempt,
): Promise<Result<readonly string[]>> => {
  const ranges = await changes.ranges({ of: 'merge', ...attempt });
  if (!ranges.ok) return ranges;
  const found = new Set<string>();
  for (const range of ranges.value) {
    const files = await changes.changedFiles(range);
    if (!files.ok) return files;
    for (const { path, from } of files.value) found.add(from ?? path).add(path);
  }
  return { ok: true, value: [...found] };
};
