import type { FileChange } from '../../agent-facts.ts';
import type { ToolPatch } from './updates.ts';

/** Lines that the diffs of a call change in its files. Equal lines at the beginning and the end do not count. */
export const changesOf = (content: NonNullable<ToolPatch['content']>): readonly FileChange[] =>
  content.flatMap((item, index) => {
    if (item.type !== 'diff' || !('newText' in item)) return [];
    const { added, removed } = changedLines(item.oldText ?? '', item.newText);
    const start = index < filesWithStart ? startOf(removed, added) : '';
    const counts = { path: item.path, added: added.length, removed: removed.length };
    return [start === '' ? counts : { ...counts, start }];
  });

/** The journal keeps every edit, so only the first lines of its first files. */
const filesWithStart = 3;
const mostLines = 6;
const longestLine = 300;

/** The first removed and added lines, those that were removed first. */
const startOf = (removed: readonly string[], added: readonly string[]): string => {
  const old = removed.slice(0, Math.max(2, mostLines - added.length));
  const now = added.slice(0, mostLines - old.length);
  return [...old.map((line) => `-${short(line)}`), ...now.map((line) => `+${short(line)}`)].join('\n');
};

/** A longer line is left out whole: half of a secret would not be recognised. */
const short = (line: string): string => (line.length <= longestLine ? line : `… ${line.length} characters`);

/** Between the common beginning and the common end, which is exact for one edit in one place. */
const changedLines = (
  before: string,
  after: string,
): { readonly added: readonly string[]; readonly removed: readonly string[] } => {
  const old = linesOf(before);
  const now = linesOf(after);
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  return { added: now.slice(head, now.length - tail), removed: old.slice(head, old.length - tail) };
};

const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : (text.endsWith('\n') ? text.slice(0, -1) : text).split(/\r?\n/);
