import {
  type PermissionLine,
  permissionLines,
  selectPermission,
} from '../../src/store/signals/select-permission.ts';
import { overlayRows } from '../../src/store/text/page.ts';
import { wrap } from '../../src/store/text/width.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { bold, type Line, span } from '../parts/span.ts';

/** An agent's request for permission, in full: command, directory and diff. No key is the default. */
export const Permission = ({ view, overlay, hints, columns, rows }: OverlayProps<'permission'>) => {
  const width = Math.min(96, columns - 4);
  const permission = selectPermission(view, overlay.request);
  const all = (permission === null ? [] : permissionLines(permission, view.session?.workspace ?? '')).flatMap(
    (line) => drawn(line, width - 13),
  );
  const height = Math.min(all.length, overlayRows(rows));
  const top = Math.max(0, Math.min(overlay.top, all.length - height));
  return (
    <Modal
      title={permission?.kind === 'task-file' ? 'Run the edited commands?' : 'An agent asks for permission'}
      lines={all.slice(top, top + height)}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};

const drawn = ({ kind, label, text }: PermissionLine, width: number): readonly Line[] =>
  wrap(text === '' ? ' ' : text, width - 2).map((line, index): Line => {
    const head = span((index === 0 ? label : '').padEnd(9), 'quiet');
    if (kind === 'added') return [head, span(`+ ${line}`, 'good')];
    if (kind === 'removed') return [head, span(`- ${line}`, 'bad')];
    return kind === 'plain' ? [head, bold(line)] : [head, span(line)];
  });
