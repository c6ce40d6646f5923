import { safe } from '../../src/base/safe.ts';
import { count } from '../../src/words/local-time.ts';
import type { Glyphs } from '../draw/glyphs.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { bold, type Line, span } from '../draw/span.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { withKeys } from '../table.ts';
import {
  type PermissionRow,
  permissionTitle,
  permissionWidth,
  selectPermission,
  selectPermissionRows,
} from './select-permission.ts';

/** An agent's request for permission, in full: command, directory and diff. Rows out of sight are counted. No key is the default. */
export const Permission = ({ view, overlay, hints, columns, rows }: OverlayProps<'permission'>) => {
  const { glyphs } = useTheme();
  const permission = selectPermission(view, overlay.request);
  const all = permission === null ? [] : selectPermissionRows(view, permission, columns);
  const room = overlayRows(rows);
  const height = all.length > room ? room - 1 : all.length;
  const top = Math.max(0, Math.min(overlay.top, all.length - height));
  const below = all.length - top - height;
  const edge =
    below > 0
      ? `${count(below, 'more line')} below · {permission.page-down}`
      : 'the end · {permission.page-up}';
  return (
    <Modal
      tone="needs-you"
      title={
        permission === null
          ? 'This request is no longer open'
          : permission.kind === 'task-file'
            ? 'Run the edited commands?'
            : `${permission.task === null ? '' : `${safe(permission.task)}: `}${permissionTitle(permission)}`
      }
      lines={[
        ...all.slice(top, top + height).map((row) => drawn(row, glyphs)),
        ...(all.length > height ? [[bold(withKeys(view, edge), 'accent')]] : []),
      ]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={permissionWidth(columns)}
    />
  );
};

const drawn = ({ kind, label, text, breaks }: PermissionRow, { lineBreak }: Glyphs): Line => {
  const head = span(label.padEnd(9), 'secondary');
  if (kind === 'added') return [head, span(`+ ${text}`, 'done')];
  if (kind === 'removed') return [head, span(`- ${text}`, 'failed')];
  if (kind === 'label') return [head, span(text)];
  return [head, bold(text), ...(breaks ? [span(lineBreak, 'secondary')] : [])];
};
