import {
  selectWizardResult,
  storedLines,
  storedSummary,
  wizardPlace,
  wizardQuestion,
  wizardRoom,
  wizardWidth,
} from '../../src/store/overlays/select-wizard.ts';
import {
  foldedOf,
  isWordsStep,
  type WizardItem,
  type WizardOverlay,
  wizardItems,
  wizardListOf,
} from '../../src/store/overlays/wizard.ts';
import { windowTop } from '../../src/store/text/window-top.ts';
import { wrap } from '../../src/words/width.ts';
import type { Tone } from '../palettes.ts';
import { editorLines } from '../parts/editor-lines.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, cursorMark, type Line, rowFor, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme } from '../theme.ts';

/** The wizard for guidance, one step at a time. */
export const Wizard = ({ overlay, hints, columns, rows }: OverlayProps<'wizard'>) => {
  const theme = useTheme();
  const width = wizardWidth(columns);
  const inner = width - 4;
  const body = bodyOf(overlay, { inner, columns, room: wizardRoom(rows), theme });
  const lines: readonly Line[] = [...body, blank, [span(placeOf(overlay), 'secondary')]];
  return (
    <Modal
      title={wizardQuestion(overlay)}
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};

interface Room {
  readonly inner: number;
  readonly columns: number;
  /** Rows of a list or text. */
  readonly room: number;
  readonly theme: Theme;
}

const bodyOf = (overlay: WizardOverlay, room: Room): readonly Line[] => {
  if (isWordsStep(overlay.step)) return wordsLines(overlay, room);
  if (overlay.step === 'result') return resultLines(overlay, room);
  return overlay.step === 'stored' ? storedStep(overlay, room) : listLines(overlay, room);
};

const placeOf = (overlay: WizardOverlay): string => {
  const list = overlay.chosen[wizardListOf(overlay.step)];
  const folded = foldedOf(overlay);
  const { forbidden, encouraged } = overlay.offers.stored;
  const saysSomething = forbidden.length + encouraged.length > 0 && !overlay.anew;
  const hasOptions = overlay.step === 'avoid' || overlay.step === 'prefer';
  return [
    wizardPlace(overlay),
    ...(hasOptions
      ? [
          list === null
            ? `nothing chosen${saysSomething ? ', stays as stored' : ''}`
            : `${list.length} chosen`,
        ]
      : []),
    ...(folded === 0 ? [] : [`${folded} of low severity folded`]),
  ].join(' · ');
};

/** The items with a mark for each chosen one, and the detail of the item under the cursor. */
const listLines = (overlay: WizardOverlay, { inner, room, theme }: Room): readonly Line[] => {
  const items = wizardItems(overlay);
  const top = windowTop(items.length, overlay.cursor, room);
  const chosen = overlay.chosen[wizardListOf(overlay.step)] ?? [];
  const marked = overlay.step === 'avoid' || overlay.step === 'prefer';
  const lines = items.slice(top, top + room).map((item, index): Line => {
    const here = top + index === overlay.cursor;
    const isChosen = chosen.includes(item.id);
    const mark = isChosen ? theme.glyphs.chosen : theme.glyphs.unchosen;
    return rowFor({ kind: 'item', item: top + index }, [
      cursorMark(here, theme),
      ...(marked ? [span(`${mark} `, isChosen ? 'done' : 'secondary')] : []),
      ...severityOf(item),
      { text: item.label, bold: here },
    ]);
  });
  const detail = wrap(items[overlay.cursor]?.detail ?? '', inner - 1).slice(0, 2);
  return [...lines, blank, ...detail.map((text): Line => [span(` ${text}`, 'secondary')])];
};

const tones: { readonly [severity in NonNullable<WizardItem['severity']>]: Tone } = {
  critical: 'failed',
  high: 'held',
  medium: 'text',
  low: 'secondary',
};

const severityOf = ({ severity }: WizardItem): Line =>
  severity === null ? [] : [span(severity.toUpperCase().padEnd(9), tones[severity])];

const storedStep = (overlay: WizardOverlay, room: Room): readonly Line[] => {
  const all = storedLines(overlay, room.columns);
  const height = Math.max(1, room.room - 4);
  const shown = all.slice(0, all.length > height ? height - 1 : height);
  const hidden = all.length - shown.length;
  return [
    [span(storedSummary(overlay))],
    ...shown.map((text): Line => [span(text, text.startsWith(' ') ? 'text' : 'accent')]),
    ...(hidden > 0 ? [[span(`… ${hidden} more lines`, 'secondary')]] : []),
    blank,
    ...listLines(overlay, { ...room, room: 2 }),
  ];
};

const wordsLines = (overlay: WizardOverlay, { inner }: Room): readonly Line[] => [
  ...wrap(
    'Your own words, separated by commas. path:GLOB and command:GLOB are enforced when agents should avoid them.',
    inner,
  ).map((text): Line => [span(text, 'secondary')]),
  blank,
  ...editorLines(overlay.editor, inner, 3),
];

const resultLines = (overlay: WizardOverlay, { columns, room }: Room): readonly Line[] => {
  const all = selectWizardResult(overlay, columns);
  const top = Math.max(0, Math.min(overlay.cursor, all.length - room));
  const below = all.length - top - room;
  return [
    ...all.slice(top, top + room).map((text): Line => [span(text, toneOf(text))]),
    ...(all.length <= room ? [] : [[span(below > 0 ? `↓ ${below} more lines` : 'the end', 'secondary')]]),
  ];
};

const toneOf = (text: string): Tone =>
  text.startsWith('Conflict') ? 'held' : text.startsWith(' ') ? 'text' : 'accent';
