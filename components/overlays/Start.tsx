import { withKeys } from '../../src/keymap/table.ts';
import { type AgentOffer, type StartItem, startItems } from '../../src/store/overlays/start.ts';
import { widthOf, wrap } from '../../src/store/text/width.ts';
import { editorLines } from '../parts/editor-lines.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, bold, cursorMark, type Line, rowFor, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme } from '../theme.ts';

/** The ways to start here. Nothing runs before a choice. */
export const Start = ({ view, overlay, hints, columns, rows }: OverlayProps<'start'>) => {
  const theme = useTheme();
  const width = Math.min(96, columns - 4);
  const { offers, cursor, editor, agent } = overlay;
  const field = editorLines(editor, width - 14, 1)[0] ?? [];
  const items = startItems(offers).map((item, index): Line => {
    const here = index === cursor;
    const mark = cursorMark(here, theme);
    const line: Line =
      item.kind === 'goal'
        ? [
            mark,
            { text: 'Goal   ', bold: here },
            ...(here || editor.text !== ''
              ? field
              : [
                  span(
                    agent === null ? 'no agent is installed for it' : `what to reach; ${agent} works on it`,
                    'secondary',
                  ),
                ]),
          ]
        : [
            mark,
            { text: nameOf(item), bold: here },
            span(`  ${wordsOf(item)}`, isBad(item) ? 'failed' : 'secondary'),
          ];
    return rowFor({ kind: 'item', item: index }, line);
  });
  const lines: readonly Line[] = [
    [span('in ', 'secondary'), span(offers.workspace)],
    [span(withKeys(view, view.ui.discovered), 'secondary')],
    ...items,
    blank,
    [bold('Agents'), span(' for a goal', 'secondary')],
    ...agentLines(offers.agents, agent, width - 4, theme),
    blank,
  ];
  return (
    <Modal title="Start a session" lines={lines} hints={hints} columns={columns} rows={rows} width={width} />
  );
};

/** One line for each agent. The reason why one cannot be used is shown whole. */
const agentLines = (
  agents: readonly AgentOffer[],
  chosen: string | null,
  width: number,
  { glyphs }: Theme,
): readonly Line[] => {
  if (agents.length === 0) return [[span('  none is known', 'secondary')]];
  const column = Math.max(...agents.map(({ name }) => widthOf(name))) + 2;
  return agents.flatMap(({ name, about, problem }): readonly Line[] => {
    const here = name === chosen;
    const head: Line = [
      problem === null
        ? span(` ${here ? glyphs.chosen : glyphs.unchosen} `, here ? 'done' : 'secondary')
        : span('   '),
      { text: name + ' '.repeat(column - widthOf(name)), bold: here },
    ];
    if (problem === null) return [[...head, span(about)]];
    return wrap(problem, width - column - 3).map((text, index): Line => {
      const before: Line = index === 0 ? head : [span(' '.repeat(column + 3))];
      return [...before, span(text, 'secondary')];
    });
  });
};

const nameOf = (item: Exclude<StartItem, { kind: 'goal' }>): string => {
  if (item.kind === 'plan') return item.plan.file;
  if (item.kind === 'install') return `Install ${item.install.label}`;
  if (item.kind === 'setup') return 'Set up';
  return item.kind === 'checks' ? "This repository's checks" : 'Demo';
};

const wordsOf = (item: Exclude<StartItem, { kind: 'goal' }>): string => {
  if (item.kind === 'plan') return item.plan.problem ?? item.plan.goal;
  if (item.kind === 'setup') return 'agents by role, permissions and checks, kept in .ralph/config.yaml';
  if (item.kind === 'install') return `about ${item.install.megabytes} MB; asks first`;
  return item.kind === 'checks' ? item.goal : 'the sample session: no model, no key, no network';
};

const isBad = (item: StartItem): boolean => item.kind === 'plan' && item.plan.problem !== null;
