import type { OverlayKind } from '../overlay.ts';

/** How an overlay takes the keys that all of them share. A new kind of overlay has its row here, or does not compile. */
interface OverlayRule {
  /** What arrows and pages move: the text as a whole, a cursor in a list, a list with a preview that pages scroll, or nothing. */
  readonly moves: 'text' | 'cursor' | 'list-with-preview' | 'nothing';
  /** What typing does: it writes into the editor, or also puts the cursor back to the first row. */
  readonly types: 'writes' | 'writes-from-top' | 'nothing';
}

export const overlayRules: Readonly<Record<OverlayKind, OverlayRule>> = {
  answer: { moves: 'cursor', types: 'writes' },
  compose: { moves: 'nothing', types: 'writes' },
  confirm: { moves: 'nothing', types: 'writes' },
  critical: { moves: 'cursor', types: 'nothing' },
  end: { moves: 'cursor', types: 'nothing' },
  form: { moves: 'cursor', types: 'writes' },
  help: { moves: 'text', types: 'nothing' },
  knowledge: { moves: 'list-with-preview', types: 'writes' },
  'move-issue': { moves: 'cursor', types: 'nothing' },
  'needs-you': { moves: 'cursor', types: 'nothing' },
  palette: { moves: 'cursor', types: 'writes-from-top' },
  permission: { moves: 'text', types: 'nothing' },
  'plan-review': { moves: 'cursor', types: 'nothing' },
  prompt: { moves: 'nothing', types: 'writes' },
  quit: { moves: 'cursor', types: 'nothing' },
  'ready-groups': { moves: 'cursor', types: 'nothing' },
  runners: { moves: 'text', types: 'nothing' },
  sessions: { moves: 'cursor', types: 'nothing' },
  settled: { moves: 'nothing', types: 'nothing' },
  signal: { moves: 'text', types: 'nothing' },
  statistics: { moves: 'text', types: 'nothing' },
  start: { moves: 'cursor', types: 'writes-from-top' },
  talk: { moves: 'cursor', types: 'writes' },
  'task-list': { moves: 'text', types: 'nothing' },
  trust: { moves: 'text', types: 'nothing' },
};

/** Every kind of overlay. */
export const overlayKinds: readonly OverlayKind[] = Object.keys(overlayRules).filter(
  (kind): kind is OverlayKind => Object.hasOwn(overlayRules, kind),
);
