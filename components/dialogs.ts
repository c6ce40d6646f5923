import type { Dialog } from './dialog/dialog.ts';
import { moveIssueDialog } from './issues/move-dialog.ts';
import { quitDialog } from './leave/quit-dialog.ts';
import { signalDialog } from './mailbox/dialog.ts';
import type { DialogKind, DialogOverlay, Overlay, OverlayKind } from './overlay.ts';
import { permissionDialog } from './permission/dialog.ts';
import { rehearsalDialog } from './plan/rehearsal-dialog.ts';
import { runnersDialog } from './runners/dialog.ts';
import { serveDialog } from './serve/dialog.ts';
import { criticalDialog } from './start/critical-dialog.ts';
import { readyGroupsDialog } from './start/ready-groups-dialog.ts';
import { sessionsDialog } from './start/sessions-dialog.ts';
import { taskListDialog } from './start/task-list-dialog.ts';
import { trustDialog } from './start/trust-dialog.ts';
import { statisticsDialog } from './statistics/dialog.ts';

type DialogsByKind = { readonly [Kind in DialogKind]: Dialog<Extract<DialogOverlay, { kind: Kind }>> };

const byKind: DialogsByKind = {
  critical: criticalDialog,
  trust: trustDialog,
  'task-list': taskListDialog,
  'ready-groups': readyGroupsDialog,
  sessions: sessionsDialog,
  serve: serveDialog,
  permission: permissionDialog,
  signal: signalDialog,
  runners: runnersDialog,
  statistics: statisticsDialog,
  rehearsal: rehearsalDialog,
  'move-issue': moveIssueDialog,
  quit: quitDialog,
};

/** Every dialog, by the kind of its overlay; each gets overlays of its own kind only. */
export const dialogs: Readonly<Record<DialogKind, Dialog<DialogOverlay>>> = byKind;

export const dialogKinds: readonly DialogKind[] = Object.keys(byKind).filter((kind): kind is DialogKind =>
  Object.hasOwn(byKind, kind),
);

export const isDialogKind = (kind: OverlayKind): kind is DialogKind => Object.hasOwn(byKind, kind);

export const isDialog = (overlay: Overlay): overlay is DialogOverlay => isDialogKind(overlay.kind);
