import { join } from 'node:path';
import type { Disk, FileKind } from '../base/disk.ts';

/**
 * Which version of the Ralph agents laid a session out (session-format.md, Reading). We write `2.2`, with the additions marked "ours"; a
 * session of another layout is shown and never rewritten.
 */
export type Layout = 'v1' | '2.0-2.1' | '2.2' | '2.3+' | '2.6+' | 'unknown';

export interface FoundLayout {
  readonly layout: Layout;
  /** The program itself has run this session: it has a journal. */
  readonly ours: boolean;
  /** We may go on with it. */
  readonly writable: boolean;
}

/** Tells the layout by what exists. Our own sessions have `signals/acks/` too, so the journal decides first. */
export const detectLayout = (disk: Disk, directory: string): FoundLayout => {
  const is = (kind: FileKind, ...path: readonly string[]): boolean =>
    kindOf(disk, join(directory, ...path)) === kind;
  if (is('file', 'journal.jsonl')) return { layout: '2.2', ours: true, writable: true };
  const foreign = (layout: Layout): FoundLayout => ({ layout, ours: false, writable: false });
  if (is('file', 'tasks.md')) return foreign('v1');
  if (is('directory', 'signals', 'acks')) return foreign('2.6+');
  if (is('directory', 'knowledge')) return foreign('2.3+');
  if (is('file', 'progress.md') && is('directory', 'tasks')) return foreign('2.0-2.1');
  if (is('directory', 'iterations')) return { layout: '2.2', ours: false, writable: true };
  return foreign(is('file', 'progress.md') ? 'v1' : 'unknown');
};

/** `null` when nothing is there or it cannot be looked at. */
const kindOf = (disk: Disk, path: string): FileKind | null => {
  try {
    return disk.lstat(path)?.kind ?? null;
  } catch {
    return null;
  }
};

/** How a layout is called on screen. */
export const layoutName = ({ layout, ours }: FoundLayout): string => {
  if (ours) return 'ralph-tui';
  if (layout === 'unknown') return 'unknown layout';
  return layout === 'v1' ? 'Ralph v1' : `Ralph v2 (${layout})`;
};
