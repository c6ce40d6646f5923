import { safe } from '../../src/base/safe.ts';
import { truncateMiddle, widthOf, wrap } from '../../src/words/width.ts';
import { editorLines, editorRows } from '../draw/editor-lines.ts';
import { fieldNotice, startWidth } from '../draw/field-notice.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import {
  blank,
  bold,
  cursorMark,
  fillLine,
  type Line,
  rowFor,
  span,
  spread,
  widthOfLine,
} from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { welcome } from '../frame/Header.tsx';
import { isBlank } from '../frame/select-header.ts';
import { withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import { issueOfferWords } from './issue-offer-words.ts';
import { type AgentOffer, type StartItem, type StartOverlay, startItems } from './start-list.ts';

/** The ways to start here: a field for a goal, then what else can be started, then who would work. Nothing runs before a choice. */
export const Start = ({ view, overlay, hints, columns, rows }: OverlayProps<'start'>) => {
  const theme = useTheme();
  const width = startWidth(columns);
  const inner = width - 4;
  const { offers, cursor, agent } = overlay;
  const [, ...others] = startItems(overlay).map((item) => (item.kind === 'goal' ? null : item));
  const column = Math.max(...others.map((item) => (item === null ? 0 : widthOf(nameOf(item))))) + 2;
  const items = others.flatMap((item, index): readonly Line[] => {
    if (item === null) return [];
    const here = index + 1 === cursor;
    const tone = isBad(item) ? 'failed' : explains(item) ? 'secondary' : 'text';
    const words = wordsOf(item);
    // The right word of a fault stands at its end.
    const [first = '', ...more] = here && isBad(item) ? wrap(words, inner - 1 - column) : [words];
    const line: Line = [
      cursorMark(here, theme),
      { text: nameOf(item).padEnd(column), bold: here },
      span(first, tone),
    ];
    return [line, ...more.map((text): Line => [span(' '.repeat(1 + column)), span(text, tone)])].map((each) =>
      rowFor({ kind: 'item', item: index + 1 }, each),
    );
  });
  const { discovered } = view.ui;
  const problem = wrap(
    offers.issuesProblem === undefined ? '' : `Issues: ${offers.issuesProblem}`,
    inner,
  ).flatMap((text): readonly Line[] => (text === '' ? [] : [[span(text, 'failed')]]));
  const headings = rows >= 30;
  const intro = introOf(view, { workspace: offers.workspace, width: inner, rows }, theme);
  const fixed = 6 + intro.length + (discovered === '' ? 0 : 1) + (headings ? 3 : 0);
  const room = overlayRows(rows) - items.length - problem.length - fixed;
  // An entry above offers to install the others.
  const known = offers.agents.filter(({ install }) => install === undefined);
  const most = Math.max(leastFieldRows, room - known.length + 1);
  const fieldRows = Math.min(editorRows(overlay.editor, inner - 4), most);
  const agents = agentLines(known, agent, { width: inner, room: room - fieldRows + 1 }, theme);
  const heading = (text: string): readonly Line[] => (headings ? [[bold(text)]] : []);
  const lines: readonly Line[] = [
    ...intro,
    ...(headings ? [blank] : []),
    ...goalLines(overlay, { width: inner, rows: fieldRows }, theme, fieldNotice(view, columns)),
    ...(discovered === '' ? [] : [[span(withKeys(view, discovered), 'secondary')]]),
    blank,
    ...heading('Or start'),
    ...items,
    ...problem,
    blank,
    ...(agents.length === 0 ? [] : [...heading('Agents'), ...agents, blank]),
  ];
  return (
    <Modal title="Start a session" lines={lines} hints={hints} columns={columns} rows={rows} width={width} />
  );
};

/** Name, place and purpose of the program; over a session only the place. */
const introOf = (
  view: ViewState,
  { workspace, width, rows }: { readonly workspace: string; readonly width: number; readonly rows: number },
  theme: Theme,
): readonly Line[] => {
  const [name = [], purpose = []] = isBlank(view) ? welcome(width) : [];
  const room = Math.max(10, width - widthOfLine(name) - 5);
  const place = [span('in ', 'secondary'), span(truncateMiddle(workspace, room, theme.glyphs.ellipsis))];
  if (name.length === 0) return [place];
  return [spread(name, place, width, theme), ...(rows >= 24 ? [purpose] : [])];
};

/** Rows of the field that a long goal takes before all agents are listed. */
const leastFieldRows = 3;

/** The framed field of the goal, and who works on it, or why it cannot be started. */
const goalLines = (
  { cursor, editor, agent }: Pick<StartOverlay, 'cursor' | 'editor' | 'agent'>,
  { width, rows }: { readonly width: number; readonly rows: number },
  theme: Theme,
  notice: string | null,
): readonly Line[] => {
  const { glyphs } = theme;
  const here = cursor === 0;
  const tone = here ? 'accent' : 'furniture';
  const [topLeft, topRight, bottomLeft, bottomRight] = glyphs.corners;
  const hint = agent === null ? 'no agent is installed yet' : `${agent} will work on it`;
  const texts =
    here || editor.text !== ''
      ? editorLines(editor, width - 4, rows)
      : [[span(`Type a goal; ${hint}`, agent === null ? 'held' : 'secondary')]];
  const below =
    notice === null
      ? span(` ${hint} `, agent === null ? 'held' : 'secondary')
      : bold(` ${notice} `, 'failed');
  const ruled = (label: Line, left: string, right: string): Line => [
    span(`${left}${glyphs.rule}`, tone),
    ...label,
    span(`${glyphs.rule.repeat(Math.max(0, width - 3 - widthOfLine(label)))}${right}`, tone),
  ];
  return [
    ruled([bold(' What should be done? ', here ? 'accent' : 'text')], topLeft, topRight),
    ...texts.map(
      (text): Line => [
        span(`${glyphs.bar} `, tone),
        ...fillLine(text, width - 4, theme),
        span(` ${glyphs.bar}`, tone),
      ],
    ),
    ruled(here ? [below] : [], bottomLeft, bottomRight),
  ].map((line) => rowFor({ kind: 'item', item: 0 }, line));
};

/** One line for each agent with its state. Where rows are few those that cannot be used share one, because `doctor` says why. */
const agentLines = (
  agents: readonly AgentOffer[],
  chosen: string | null,
  { width, room }: { readonly width: number; readonly room: number },
  { glyphs }: Theme,
): readonly Line[] => {
  const usable = agents.filter(({ problem }) => problem === null);
  const absent = agents.filter(({ problem }) => problem !== null);
  const isShort = agents.length > room;
  const named = isShort ? usable : agents;
  const column = Math.max(0, ...named.map(({ name }) => widthOf(name))) + 2;
  const line = ({ name, about, problem }: AgentOffer): Line => {
    const here = name === chosen;
    const [state = ''] = (problem ?? '').split(':');
    return problem === null
      ? [
          span(`${here ? glyphs.chosen : glyphs.unchosen} `, here ? 'done' : 'secondary'),
          { text: name.padEnd(column), bold: here },
          span(about, here ? 'text' : 'secondary'),
        ]
      : [
          span(`${glyphs.no} `, 'secondary'),
          span(name.padEnd(column), 'secondary'),
          span(state, 'secondary'),
        ];
  };
  const rest =
    isShort && absent.length > 0
      ? `not usable yet: ${absent.map(({ name }) => name).join(', ')} · see \`ralph-tui doctor\``
      : '';
  return [
    ...named.map(line),
    ...wrap(rest, width).flatMap((text): readonly Line[] => (text === '' ? [] : [[span(text, 'secondary')]])),
  ];
};

const nameOf = (item: Exclude<StartItem, { kind: 'goal' }>): string => {
  if (item.kind === 'issue') return `Issue ${safe(item.offer.issue)}`;
  if (item.kind === 'plan') return item.plan.file;
  if (item.kind === 'install') return `Install ${item.install.label}`;
  if (item.kind === 'installs') return 'Install an agent';
  if (item.kind === 'setup') return 'Set up';
  return item.kind === 'checks' ? "This repository's checks" : 'Demo';
};

const wordsOf = (item: Exclude<StartItem, { kind: 'goal' }>): string => {
  if (item.kind === 'issue') return issueOfferWords(item.offer);
  // The entry has the name of the file already.
  if (item.kind === 'plan')
    return item.plan.problem === null ? item.plan.goal : faultOf(item.plan.problem, item.plan.file);
  if (item.kind === 'setup') return 'an agent per role, permissions and checks; saved in .ralph/config.yaml';
  if (item.kind === 'install') return `about ${item.install.megabytes} MB; asks first`;
  if (item.kind === 'installs') return item.labels.join(', ');
  return item.kind === 'checks' ? item.commands.join(', ') : 'a sample session: no model, key or network';
};

const faultOf = (problem: string, file: string): string => {
  const at = problem.startsWith(`${file}:`) ? problem.slice(file.length + 1).trimStart() : problem;
  return at.replace(/^(?=\d+: )/, 'line ');
};

/** Its words say what happens then; those of the others name what is started. */
const explains = ({ kind }: StartItem): boolean => kind === 'setup' || kind === 'install' || kind === 'demo';

const isBad = (item: StartItem): boolean => item.kind === 'plan' && item.plan.problem !== null;
