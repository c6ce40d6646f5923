import { type DiffLine, diffOf } from '../../../base/match/line-diff.ts';
import type { FileChange } from '../../agent-facts.ts';
import type { ToolPatch } from './updates.ts';

/** Lines that the diffs of a call change in its files. */
export const changesOf = (content: NonNullable<ToolPatch['content']>): readonly FileChange[] =>
  content.flatMap((item, index) => {
    if (item.type !== 'diff' || !('newText' in item)) return [];
    const lines = diffOf(linesOf(item.oldText ?? ''), linesOf(item.newText));
    const changed = lines.filter(({ kind }) => kind !== 'same');
    const start = index < filesWithStart ? startOf(changed) : '';
    const counts = { path: item.path, added: countOf(changed, 'new'), removed: countOf(changed, 'old') };
    return [start === '' ? counts : { ...counts, start }];
  });

/** The journal keeps every edit, so only the first lines of its first files. */
const filesWithStart = 3;
const mostLines = 6;
const longestLine = 300;

/** The first changed lines in their order, some of the removed ones and some of the added ones. */
const startOf = (changed: readonly DiffLine[]): string => {
  const [added, removed] = [countOf(changed, 'new'), countOf(changed, 'old')];
  const old = Math.min(removed, Math.max(2, mostLines - added));
  const room = { same: 0, old, new: mostLines - old };
  return changed
    .filter(({ kind }) => {
      room[kind] -= 1;
      return room[kind] >= 0;
    })
    .map(({ kind, text }) => `${kind === 'old' ? '-' : '+'}${short(text)}`)
    .join('\n');
};

const countOf = (lines: readonly DiffLine[], kind: DiffLine['kind']): number =>
  lines.filter((line) => line.kind === kind).length;

/** A longer line is left out whole: half of a secret would not be recognised. */
const short = (line: string): string => (line.length <= longestLine ? line : `… ${line.length} characters`);

const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : (text.endsWith('\n') ? text.slice(0, -1) : text).split(/\r?\n/);
