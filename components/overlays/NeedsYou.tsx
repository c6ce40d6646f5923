import { safe } from '../../src/base/safe.ts';
import { selectRefresh } from '../../src/store/session/select-now.ts';
import { selectNeeds } from '../../src/store/signals/select-needs.ts';
import { formatMinutes, formatSince } from '../../src/store/text/local-time.ts';
import { wrap } from '../../src/store/text/width.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, bold, cursorMark, type Line, rowFor, span, spread } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

/** The queue of things that wait for a person, oldest first. */
export const NeedsYou = ({ view, overlay, now, hints, columns, rows }: OverlayProps<'needs-you'>) => {
  const theme = useTheme();
  const width = Math.min(80, columns - 4);
  const needs = selectNeeds(view);
  // While everything waits the screen draws once a minute, so it shows no seconds.
  const isTicking = selectRefresh(view)?.everyMs === 1_000;
  const waits = (since: string): string =>
    isTicking ? formatSince(since, now) : formatMinutes(now.ms - Date.parse(since));
  const lines = needs.map((need, index): Line => {
    const here = index === overlay.cursor;
    const task = need.kind === 'permission' ? (view.session?.permissions.get(need.request)?.task ?? '') : '';
    const left: Line = [
      cursorMark(here, theme),
      bold(task === '' ? '' : `${safe(task)}  `, 'now'),
      { text: need.text, bold: here, tone: here ? 'text' : 'needs-you' },
    ];
    return rowFor(
      { kind: 'item', item: index },
      spread(left, [span(`waits ${waits(need.since)}`, 'secondary')], width - 4, theme),
    );
  });
  const byScript = (view.session?.settings.roles['executor'] ?? 'script') === 'script';
  const permissions = wrap(
    `Permissions are answered here and nowhere else${byScript ? '; commands of the script ask for none' : ''}.`,
    width - 4,
  ).map((text): Line => [span(text, 'secondary')]);
  const allowed = [...(view.session?.remembered.values() ?? [])].map(
    (text): Line => [span('Allowed for this session: ', 'secondary'), span(safe(text))],
  );
  const shown = needs.length === 0 ? [[span('Nothing waits for you any more.', 'secondary')]] : lines;
  return (
    <Modal
      tone="needs-you"
      title="Needs you"
      lines={[blank, ...shown, blank, ...allowed, ...permissions, blank]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};
