import { act, always, type Command, type CommandEffect } from '../command.ts';
import { noCursor, noOverlays } from '../in-lines.ts';
import { createEditor } from '../keys/line-editor.ts';
import type { ViewState } from '../view.ts';
import { type PaletteRow, withoutTop } from './palette-rows.ts';

/** Keys of the palette. `rowsOf` is a parameter, because the rows are made of the whole table. */
export const paletteCommands = (rowsOf: (view: ViewState) => readonly PaletteRow[]): readonly Command[] => [
  {
    id: 'look.palette',
    context: 'main',
    keys: [':'],
    label: 'commands',
    description: 'search the commands, and see why one cannot be used now',
    group: 'Look',
    inLines: { word: 'help' },
    footer: 9,
    available: always,
    run: () => [
      act({ type: 'overlay-opened', overlay: { kind: 'palette', cursor: 0, editor: createEditor() } }),
    ],
  },
  {
    id: 'palette.run',
    context: 'palette',
    keys: ['enter'],
    label: 'run',
    description: 'run the command',
    group: 'Look',
    inLines: { word: 'help' },
    footer: 1,
    available: (view) => {
      const row = chosen(view, rowsOf);
      return row === undefined ? 'No such command' : row.why === null ? true : row.why;
    },
    run: (view) => runChosen(view, rowsOf),
  },
  {
    id: 'palette.close',
    context: 'palette',
    keys: ['escape', 'ctrl-c'],
    label: 'close',
    description: 'close',
    group: 'Leave',
    inLines: noOverlays,
    footer: 2,
    available: always,
    run: () => [act({ type: 'overlay-closed' })],
  },
  ...(['up', 'down', 'page-up', 'page-down'] as const).map(
    (move): Command => ({
      id: `palette.${move}`,
      context: 'palette',
      keys: [move.replace('-', '')],
      label: move,
      description: move.replace('-', ' '),
      group: 'Move',
      inLines: noCursor,
      available: always,
      run: (view) => [act({ type: 'overlay-moved', by: move, length: rowsOf(view).length })],
    }),
  ),
];

type RowsOf = (view: ViewState) => readonly PaletteRow[];

const chosen = (view: ViewState, rowsOf: RowsOf): PaletteRow | undefined => {
  const overlay = view.ui.overlays.at(-1);
  return overlay?.kind === 'palette' ? rowsOf(view)[overlay.cursor] : undefined;
};

const runChosen = (view: ViewState, rowsOf: RowsOf): readonly CommandEffect[] => {
  const row = chosen(view, rowsOf);
  return row === undefined ? [] : [act({ type: 'overlay-closed' }), ...row.command.run(withoutTop(view))];
};
