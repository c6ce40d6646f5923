import { join } from 'node:path';
import type { Disk, FileKind } from '../base/disk.ts';

/**
 * The version of the Ralph agents whose layout a session has (src/session/README.md, Reading). We write `2.2`, with the additions marked "ours".
 * A session of another layout is shown and never rewritten.
 */
type Layout = 'v1' | '2.0-2.1' | '2.2' | '2.3+' | '2.6+' | 'unknown';

export interface FoundLayout {
  readonly layout: Layout;
  /** The program itself has run this session: it has a journal. */
  readonly ours: boolean;
  /** Whether we may continue it. */
  readonly writable: boolean;
  /** Ours, but without its journal: it is readable like a foreign session, and cannot be resumed. */
  readonly lostJournal?: true;
}

/** Detects the layout by the existing files. Our own sessions have `signals/acks/` too, so the journal decides first. */
export const detectLayout = (disk: Disk, directory: string): FoundLayout => {
  const is = (kind: FileKind, ...path: readonly string[]): boolean =>
    kindOf(disk, join(directory, ...path)) === kind;
  if (is('file', 'journal.jsonl')) return { layout: '2.2', ours: true, writable: true };
  const foreign = (layout: Layout): FoundLayout => ({ layout, ours: false, writable: false });
  // Only our program locks a session. A session that never began has no metadata yet.
  if (is('directory', 'lock') && is('file', 'metadata.yaml'))
    return { layout: '2.2', ours: false, writable: false, lostJournal: true };
  if (is('file', 'tasks.md')) return foreign('v1');
  // Steering an older session creates our whole mailbox, and only ours has `claimed/`.
  if (is('directory', 'signals', 'acks') && !is('directory', 'signals', 'claimed')) return foreign('2.6+');
  if (is('directory', 'knowledge')) return foreign('2.3+');
  if (is('file', 'progress.md') && is('directory', 'tasks')) return foreign('2.0-2.1');
  if (is('directory', 'iterations')) return { layout: '2.2', ours: false, writable: true };
  return foreign(is('file', 'progress.md') ? 'v1' : 'unknown');
};

/** `null` when nothing exists at the path or it cannot be inspected. */
const kindOf = (disk: Disk, path: string): FileKind | null => {
  try {
    return disk.lstat(path)?.kind ?? null;
  } catch {
    return null;
  }
};

/** The name of our own layout. */
export const ownLayout = 'ralph-tui';

/** The name of a layout on screen. */
export const layoutName = ({ layout, ours, lostJournal }: FoundLayout): string => {
  if (lostJournal) return 'ralph-tui, journal missing';
  if (ours) return ownLayout;
  if (layout === 'unknown') return 'unknown layout';
  return layout === 'v1' ? 'Ralph v1' : `Ralph v2 (${layout})`;
};
