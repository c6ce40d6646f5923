import { Box } from 'ink';
import { safe } from '../../src/base/safe.ts';
import { count } from '../../src/words/local-time.ts';
import { documentRows } from '../../src/words/markdown/document-rows.ts';
import { wrap } from '../../src/words/width.ts';
import { hintLine } from '../draw/Footer.tsx';
import { Lines } from '../draw/Lines.tsx';
import { markdownLine, markdownLook } from '../draw/markdown-line.ts';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { ruleLine } from '../draw/rule-line.ts';
import { blank, bold, fillLine, type Line, span, spread } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { callsHere } from '../needs/select-attention.ts';
import { withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import {
  type TalkChange,
  type TalkPart,
  talkChanges,
  talkDocument,
  talkParts,
  talkSpent,
} from './select-talk.ts';
import { questionLines } from './talk-question.ts';
import type { TalkOverlay } from './talk-view.ts';

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
  const room = rows - below.length - 4;
  const isWide = columns >= wide;
  const left = isWide ? Math.floor((columns - 1) / 2) : columns;
  const right = isWide ? columns - left - 1 : columns;
  const talk = talkRows(overlay, above, left - 2, room, theme);
  const document = documentLines(view, overlay, { width: right - 2, room }, theme);
  const inset = (line: Line = blank, width: number): Line => {
    const ground = line[0]?.row;
    return fillLine([{ ...span(' '), ...(ground && { row: ground }) }, ...line], width, theme);
  };
  const joint = (glyph: string): Line => [span(glyph, 'furniture')];
  const titles = isWide
    ? [
        ...paneTitle(overlay, 'talk', left, theme),
        ...joint(theme.glyphs.teeDown),
        ...paneTitle(overlay, 'document', right, theme),
      ]
    : paneTitle(overlay, overlay.side, columns, theme);
  const body = Array.from({ length: room }, (_, row): Line => {
    if (!isWide) return inset((overlay.side === 'document' ? document : talk)[row], columns);
    return [...inset(talk[row], left), ...joint(theme.glyphs.bar), ...inset(document[row], right)];
  });
  const asked = overlay.talk.open === null ? bold('Now') : bold('Question', 'needs-you');
  const rule = ruleLine({ left: [asked], right: [], width: isWide ? left : columns, focused: false }, theme);
  const lines: readonly Line[] = [
    titleLine(overlay, callsHere(view).length, columns, theme),
    titles,
    ...body,
    isWide
      ? [...rule, ...joint(theme.glyphs.teeUp), span(theme.glyphs.rule.repeat(right), 'furniture')]
      : rule,
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

/** The title of one of the two parts; the document with its place. */
const paneTitle = (
  { talk, side }: TalkOverlay,
  part: TalkOverlay['side'],
  width: number,
  theme: Theme,
): Line => {
  const path = part === 'document' ? safe(talk.kept?.path ?? talk.about?.path ?? '') : '';
  const left = [bold(part === 'document' ? 'Document' : 'Talk')];
  return ruleLine({ left, right: [span(path, 'secondary')], width, focused: part === side }, theme);
};

/** `calls`: what waits for the person in the session below. */
const titleLine = ({ talk, label }: TalkOverlay, calls: number, columns: number, theme: Theme): Line => {
  const { issue } = talk;
  const about = safe(issue === null ? (talk.about?.path ?? talk.argument) : `${issue.id}: ${issue.title}`);
  const facts = [label === '' ? 'no model' : safe(label), talkSpent(talk)].filter((each) => each !== '');
  return fillLine(
    spread(
      [span(' '), bold(safe(talk.skill), 'accent'), span(about === '' ? '' : `  ${about}`)],
      [
        ...(calls === 0 ? [] : [bold(`The session needs you (${calls})`, 'needs-you'), span(' · ')]),
        span(`${facts.join(' · ')} `, 'secondary'),
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

const documentLines = (
  view: ViewState,
  { talk, side, top }: TalkOverlay,
  { width, room }: { readonly width: number; readonly room: number },
  theme: Theme,
): readonly Line[] => {
  const grows = (talk.growing?.document ?? null) !== null;
  if (talk.document === '' && !grows) return [[span('The document will appear here.', 'secondary')]];
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
  // The page keys scroll the chosen part.
  const keys = side === 'document' ? '{talk.page-down}' : '{talk.side}, then {talk.page-down}';
  const more = withKeys(view, `${count(rest + 1, 'more line')} · ${keys}`);
  return [...all.slice(from, from + room - 1), [span(`${theme.glyphs.ellipsis} ${more}`, 'secondary')]];
};

const changeLines = (change: TalkChange, width: number): readonly Line[] => {
  if (change === null) return [[span('…', 'secondary')]];
  const tone = ({ same: 'text', old: 'failed', new: 'done' } as const)[change.kind];
  const mark = { same: ' ', old: '-', new: '+' }[change.kind];
  return wrap(change.text, width - 2).map(
    (text, index): Line => [span(`${index === 0 ? mark : ' '} ${text}`, tone)],
  );
};
