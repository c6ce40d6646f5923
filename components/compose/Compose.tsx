import { safe } from '../../src/base/safe.ts';
import { wrap } from '../../src/words/width.ts';
import { editorLines } from '../draw/editor-lines.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { blank, bold, type Line, span } from '../draw/span.ts';
import { type ComposeOverlay, isSameRecipient } from '../overlay.ts';
import { withKeys } from '../table.ts';
import { type WhyFailed, whyFailed } from '../tasks/why-failed.ts';
import { commandLines, retriedTask } from './command-edit.ts';
import { selectFate } from './select-fate.ts';
import { recipientLabel, selectRecipients } from './select-recipients.ts';

/** Composes a signal: type, target, and one sentence about its effect and time. */
export const Compose = ({ view, overlay, hints, columns, rows }: OverlayProps<'compose'>) => {
  const width = Math.min(90, columns - 4);
  const inner = width - 4;
  const choices = selectRecipients(view);
  const at = choices.findIndex((choice) => isSameRecipient(choice, overlay.recipient));
  const place = choices.length > 1 && at >= 0 ? `  ${at + 1} of ${choices.length}` : '';
  const addressed: Line = [
    span('To   ', 'secondary'),
    bold(overlay.type === 'RETRY' ? (overlay.recipient.task ?? '') : recipientLabel(overlay.recipient)),
    span(overlay.type === 'RETRY' ? '' : place, 'secondary'),
  ];
  const how: readonly Line[] =
    overlay.type === 'STEER'
      ? [[span('How  ', 'secondary'), span(overlay.apply ?? 'the agent decides')]]
      : [];
  const task = retriedTask(view);
  const state = view.session?.tasks.get(task?.id ?? '');
  const failure: readonly Line[] =
    state?.status === 'failed'
      ? whyRows(whyFailed(view, state), inner - 5).map(
          (line, index): Line => [span(index === 0 ? 'Why  ' : '     ', 'secondary'), span(line, 'failed')],
        )
      : [];
  const runs =
    task === null
      ? []
      : commandLines(task, overlay.commands)
          .slice(0, mostCommands)
          .map((line, index): Line => [span(index === 0 ? 'Runs ' : '     ', 'secondary'), drawn(line)]);
  const text = editorLines(
    overlay.editor,
    inner,
    Math.max(1, Math.min(8, rows - 15 - failure.length - runs.length)),
  );
  const fate = selectFate(view, overlay);
  const lines: readonly Line[] = [
    addressed,
    ...how,
    ...failure,
    ...runs,
    blank,
    ...text,
    blank,
    ...wrap(withKeys(view, fate.text), inner).map(
      (line): Line => [span(line, fate.held ? 'held' : 'accent')],
    ),
    blank,
  ];
  return (
    <Modal title={titleOf(overlay)} lines={lines} hints={hints} columns={columns} rows={rows} width={width} />
  );
};

/** The verdict first, in two rows where nothing else names the failure. */
const whyRows = ({ verdict, tail }: WhyFailed, width: number): readonly string[] =>
  [...wrap(verdict, width).slice(0, 2), ...tail.flatMap((line) => wrap(safe(line), width).slice(0, 1))].slice(
    0,
    mostWhy,
  );

const mostWhy = 3;

/** Rows for the commands of a retry; the editor shows all of them. */
const mostCommands = 6;

const drawn = (line: string) =>
  span(line.replace(/^ {2}/, ''), line.startsWith('+') ? 'done' : line.startsWith('-') ? 'failed' : 'text');

const titles = { STEER: 'Steer', INFO: 'Inform', RETRY: 'Try again' } as const;

const titleOf = ({ type, now, editing }: ComposeOverlay): string => {
  const what = type === 'STEER' && now === true ? 'Steer now' : titles[type];
  return editing === undefined ? what : `${what}, replacing the pending message`;
};
