import { Box } from 'ink';
import { safe } from '../../src/base/safe.ts';
import { newLineKey } from '../../src/keymap/edit-keys.ts';
import { withKeys } from '../../src/keymap/table.ts';
import {
  type TalkChange,
  type TalkPart,
  talkChanges,
  talkDocument,
  talkParts,
  talkSpent,
} from '../../src/store/overlays/select-talk.ts';
import type { TalkOverlay } from '../../src/store/overlays/talk.ts';
import { callsHere } from '../../src/store/signals/select-attention.ts';
import type { ViewState } from '../../src/store/view.ts';
import { documentRows } from '../../src/words/markdown/document-rows.ts';
import { wrap } from '../../src/words/width.ts';
import { hintLine } from '../layout/Footer.tsx';
import { editorLines } from '../parts/editor-lines.ts';
import { Lines } from '../parts/Lines.tsx';
import { markdownLine, markdownLook } from '../parts/markdown-line.ts';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, bold, cursorMark, fillLine, type Line, rowFor, span, spread } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme } from '../theme.ts';

/** From this width on the document is beside the talk. */
const wide = 100;

/** A conversation: what was said on the left, the document that grows on the right, the open question below. */
export const Talk = ({ view, overlay, hints, columns, rows }: OverlayProps<'talk'>) => {
  const theme = useTheme();
  const { below, above } = questionLines(
    view,
    overlay,
    columns - 2,
    Math.max(4, Math.floor(rows / 2)),
    theme,
  );
  const room = rows - below.length - 3;
  const isWide = columns >= wide;
  const left = isWide ? Math.floor((columns - 1) / 2) : columns;
  const right = isWide ? columns - left - 1 : columns;
  const talk = talkRows(overlay, above, left - 2, room, theme);
  const document = documentLines(overlay, right - 2, room, theme);
  const inset = (line: Line | undefined, width: number): Line =>
    fillLine([span(' '), ...(line ?? blank)], width, theme);
  const body = Array.from({ length: room }, (_, row): Line => {
    if (!isWide) return inset((overlay.side === 'document' ? document : talk)[row], columns);
    return [...inset(talk[row], left), span(theme.glyphs.bar, 'furniture'), ...inset(document[row], right)];
  });
  const lines: readonly Line[] = [
    titleLine(overlay, callsHere(view).length, columns, theme),
    ...body,
    [span(theme.glyphs.rule.repeat(columns), 'furniture')],
    ...below.map((line) => inset(line, columns)),
    inset(
      view.notice === null
        ? hintLine(hints, columns - 2)
        : [span(view.notice.text, noticeTones[view.notice.tone])],
      columns,
    ),
  ];
  return (
    <Box position="absolute" left={0} top={0}>
      <Lines lines={lines} width={columns} height={rows} level="over" />
    </Box>
  );
};

const noticeTones = { info: 'held', good: 'done', bad: 'failed' } as const;

/** `calls`: what waits for the person in the session below. */
const titleLine = (
  { talk, label, side }: TalkOverlay,
  calls: number,
  columns: number,
  theme: Theme,
): Line => {
  const about = safe(talk.about?.path ?? talk.argument);
  const facts = [label === '' ? 'no model' : safe(label), talkSpent(talk)].filter((each) => each !== '');
  const narrow = columns < wide ? [`${side} shown`] : [];
  return fillLine(
    spread(
      [span(' '), bold(safe(talk.skill), 'accent'), span(about === '' ? '' : `  ${about}`)],
      [
        ...(calls === 0
          ? []
          : [
              bold(`${calls} in the session ${calls === 1 ? 'needs' : 'need'} you`, 'needs-you'),
              span(' · '),
            ]),
        span(`${[...narrow, ...facts].join(' · ')} `, 'secondary'),
      ],
      columns,
      theme,
    ),
    columns,
    theme,
  );
};

/** The end of the talk, or as far back as it was scrolled. */
const talkRows = (
  overlay: TalkOverlay,
  above: readonly string[],
  width: number,
  room: number,
  theme: Theme,
): readonly Line[] => {
  const all = [
    ...talkParts(overlay).flatMap((part) => partLines(part, width, theme)),
    ...above.flatMap((text) => wrap(text, width)).map((text): Line => [span(text)]),
  ];
  const last = Math.max(Math.min(all.length, room), all.length - overlay.back);
  return all.slice(Math.max(0, last - room), last);
};

const partLines = (part: TalkPart, width: number, theme: Theme): readonly Line[] => {
  if (part.kind === 'tools')
    return [[span('· ', part.failed ? 'failed' : 'done'), span(part.text, 'secondary')]];
  if (part.kind === 'agent')
    return [
      ...documentRows(part.text, width, markdownLook(theme)).map(({ spans }) => markdownLine(spans)),
      blank,
    ];
  const lines = part.text.split('\n').flatMap((text) => wrap(text, width - 2));
  if (part.kind === 'asked') return lines.map((text): Line => [span(text, 'secondary')]);
  if (part.kind === 'program') return [...lines.map((text): Line => [span(text, 'secondary')]), blank];
  return [
    ...lines.map(
      (text, index): Line => [span(index === 0 ? `${theme.glyphs.cursor} ` : '  ', 'accent'), bold(text)],
    ),
    blank,
  ];
};

const documentLines = (overlay: TalkOverlay, width: number, room: number, theme: Theme): readonly Line[] => {
  const { talk, top } = overlay;
  const grows = (talk.growing?.document ?? null) !== null;
  if (talk.document === '' && !grows) return [[span('The document appears here.', 'secondary')]];
  const changes = talkChanges(talk);
  const { matter, body } = talkDocument(talk);
  const shown: readonly Line[] = [
    ...matter.map((text): Line => [span(text, 'secondary')]),
    ...(matter.length === 0 ? [] : [blank]),
    ...documentRows(body, width, markdownLook(theme)).map(({ spans }) => markdownLine(spans)),
  ];
  const all = changes === null ? shown : changes.flatMap((change) => changeLines(change, width));
  // The line that is being written stays in sight.
  const from = Math.max(0, Math.min(grows ? all.length : top, all.length - room));
  const rest = all.length - from - room;
  if (rest <= 0) return all.slice(from, from + room);
  return [
    ...all.slice(from, from + room - 1),
    [span(`${theme.glyphs.ellipsis} ${rest + 1} more lines`, 'secondary')],
  ];
};

const changeLines = (change: TalkChange, width: number): readonly Line[] => {
  if (change === null) return [[span('…', 'secondary')]];
  const tone = ({ same: 'text', old: 'failed', new: 'done' } as const)[change.kind];
  const mark = { same: ' ', old: '-', new: '+' }[change.kind];
  return wrap(change.text, width - 2).map(
    (text, index): Line => [span(`${index === 0 ? mark : ' '} ${text}`, tone)],
  );
};

/** How a question without options is answered. */
const answerWords = ({ kind, offered, optional }: NonNullable<TalkOverlay['talk']['open']>): string => {
  if (kind === 'choices')
    return `Numbers, separated by spaces${optional ? '; leave it empty for none' : ''}.`;
  const more = kind === 'lines' ? `${newLineKey} starts a new line. ` : '';
  if (optional && offered === '') return `${more}Leave it empty to skip.`;
  return kind === 'words' && offered !== '' ? `Leave it empty for "${safe(offered)}".` : more;
};

/** The open question with its options and the field, in at most so many rows. `above`: what it is about, where that is longer: it ends the talk and can be scrolled. */
const questionLines = (
  view: ViewState,
  { talk, label, cursor, editor }: TalkOverlay,
  width: number,
  most: number,
  theme: Theme,
): { readonly below: readonly Line[]; readonly above: readonly string[] } => {
  const { open } = talk;
  if (open === null)
    return { below: [[span(label === '' ? 'One moment.' : `${safe(label)} works.`, 'now')]], above: [] };
  const typed = editor.text !== '';
  const wrapped = (text: string): readonly string[] =>
    text.split('\n').flatMap((line) => (line === '' ? [] : wrap(safe(line), width)));
  const options = open.options.flatMap(({ label: name, detail }, index): readonly Line[] => {
    const here = index === cursor && !typed;
    return [
      rowFor({ kind: 'item', item: index }, [
        cursorMark(here, theme),
        span(`${index + 1} `, 'accent'),
        { text: safe(name), bold: here },
        ...(detail === '' ? [] : [span(`  ${safe(detail)}`, 'secondary')]),
      ]),
    ];
  });
  const ask = wrap(safe(open.text), width).map((text): Line => [bold(text, 'needs-you')]);
  const field = editorLines(editor, width - 2, 4).map(
    (line, index): Line => [span(index === 0 ? '> ' : '  ', 'accent'), ...line],
  );
  const how = wrapped(answerWords(open));
  const left = Math.max(1, most - ask.length - options.length - field.length - how.length);
  const help = wrapped(open.help);
  const isLong = help.length > left;
  const shown = isLong
    ? [withKeys(view, `${help.length} lines above; {talk.page-up} and {talk.page-down} scroll.`)]
    : help;
  return {
    above: isLong ? open.help.split('\n').map(safe) : [],
    below: [
      ...ask,
      ...shown.map((text): Line => [span(text, isLong ? 'secondary' : 'text')]),
      ...how.map((text): Line => [span(text, 'secondary')]),
      ...options,
      ...field,
    ],
  };
};
