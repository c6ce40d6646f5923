import { printedCommand } from '../../src/base/process/printed-command.ts';
import { safe } from '../../src/base/safe.ts';
import { list } from '../../src/base/sentence.ts';
import { count } from '../../src/words/local-time.ts';
import type { ChangedFile, UnmergedWork } from '../ports/viewer-port.ts';

/** "The changes of options and readme are not merged (2 files, +3 −1): `ralph-tui diff options` shows those of options". */
export const unmergedWords = (
  unmerged: readonly UnmergedWork[],
  commandOf: (words: string) => string,
): string => {
  const files = unmerged.flatMap((work) => work.files);
  const tasks = unmerged.map(({ task }) => safe(task));
  const [first = ''] = tasks;
  const command = commandOf(printedCommand('diff', unmerged[0]?.task ?? ''));
  const whose = tasks.length === 1 ? 'them' : `those of ${first}`;
  return `The changes of ${list(tasks, namedTasks)} are not merged (${sumOf(files)}): \`${command}\` shows ${whose}`;
};

/** "12 files, +340 −12: the.ts, largest.ts, four.ts, changes.ts and 8 more"; '' for none. */
export const changedWords = (files: readonly ChangedFile[]): string => {
  if (files.length === 0) return '';
  const names = list(
    bySize(files).map(({ path }) => safe(path)),
    namedFiles,
  );
  return `${sumOf(files)}: ${names}`;
};

/** "2 files, +3 −1". Tasks may have changed the same file. */
export const sumOf = (files: readonly ChangedFile[]): string =>
  [count(new Set(files.map(({ path }) => path)).size, 'file'), linesOf(files)]
    .filter((part) => part !== '')
    .join(', ');

const namedFiles = 4;
const namedTasks = 4;

/** "+340 −12"; '' without a counted line. */
export const linesOf = (files: readonly ChangedFile[]): string => {
  const sum = (of: (file: ChangedFile) => number | null): number =>
    files.reduce((all, file) => all + (of(file) ?? 0), 0);
  const [added, removed] = [sum((file) => file.added), sum((file) => file.removed)];
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : '']
    .filter((part) => part !== '')
    .join(' ');
};

export const bySize = (files: readonly ChangedFile[]): readonly ChangedFile[] =>
  [...files].sort((one, other) => size(other) - size(one));

const size = ({ added, removed }: ChangedFile): number => (added ?? 0) + (removed ?? 0);
