import { safe } from '../../src/base/safe.ts';
import { closing } from '../dialog/closing.ts';
import type { TextDialog } from '../dialog/dialog.ts';
import type { Glyphs } from '../draw/glyphs.ts';
import { bold, type Line, span } from '../draw/span.ts';
import type { PermissionOverlay } from '../overlay.ts';
import {
  type PermissionRow,
  permissionTitle,
  permissionWidth,
  selectPermission,
  selectPermissionRows,
} from './select-permission.ts';

/** An agent's request for permission, in full: command, directory and diff. No key is the default. */
export const permissionDialog: TextDialog<PermissionOverlay> = {
  moves: 'text',
  widest: (_shown, { columns }) => permissionWidth(columns),
  tone: () => 'needs-you',
  title: (view, { request }) => {
    const permission = selectPermission(view, request);
    if (permission === null) return 'This request is no longer open';
    if (permission.kind === 'task-file') return 'Run the edited commands?';
    return `${permission.task === null ? '' : `${safe(permission.task)}: `}${permissionTitle(permission)}`;
  },
  lines: (view, { request }, { columns, theme }) => {
    const permission = selectPermission(view, request);
    return permission === null
      ? []
      : selectPermissionRows(view, permission, columns).map((row) => drawn(row, theme.glyphs));
  },
  commands: [closing('permission', ['escape', 'ctrl-c'])],
};

const drawn = ({ kind, label, text, breaks }: PermissionRow, { lineBreak }: Glyphs): Line => {
  const head = span(label.padEnd(9), 'secondary');
  if (kind === 'added') return [head, span(`+ ${text}`, 'done')];
  if (kind === 'removed') return [head, span(`- ${text}`, 'failed')];
  if (kind === 'label') return [head, span(text)];
  return [head, bold(text), ...(breaks ? [span(lineBreak, 'secondary')] : [])];
};
