import { act, always, type Command, type Context } from '../command.ts';
import { noCursor } from '../in-lines.ts';
import { lastPreviewTop } from '../knowledge/select-preview.ts';
import { overlayKinds, overlayRule } from '../overlay-rules.ts';
import { focusedPane } from '../panes.ts';
import { planGateOf } from '../plan/plan-gate.ts';
import type { Move } from '../ui-action.ts';
import type { ViewState } from '../view.ts';

interface Way {
  readonly move: Move;
  readonly keys: readonly string[];
  readonly description: string;
}

const ways: readonly Way[] = [
  { move: 'down', keys: ['j', 'down'], description: 'down' },
  { move: 'up', keys: ['k', 'up'], description: 'up' },
  { move: 'first', keys: ['g', 'home'], description: 'first line' },
  { move: 'last', keys: ['G', 'end'], description: 'last line; in Output and Events: follow again' },
  { move: 'page-down', keys: ['pagedown'], description: 'a page down' },
  { move: 'page-up', keys: ['pageup'], description: 'a page up' },
  { move: 'half-down', keys: ['ctrl-d'], description: 'half a page down' },
  { move: 'half-up', keys: ['ctrl-u'], description: 'half a page up' },
];

/** In a drawing, and in what runs along the time. */
const sideways: readonly Way[] = [
  { move: 'left', keys: ['h', 'left'], description: 'to the left' },
  { move: 'right', keys: ['l', 'right'], description: 'to the right' },
];

const across = (way: Way): Command => ({
  ...inMain(way),
  available: (view) =>
    focusedPane(view).sideways(view)
      ? true
      : 'You can move left and right only in the graph, in Timeline and in Changes',
});

const inMain = ({ move, keys, description }: Way): Command => ({
  id: `move.${move}`,
  context: 'main',
  keys,
  label: description.split(';')[0] ?? description,
  description,
  group: 'Move',
  inLines: noCursor,
  available: always,
  run: () => [act({ type: 'moved', by: move })],
});

const inOverlay =
  (context: Context, typing: boolean, length: (view: ViewState) => number) =>
  ({ move, keys, description }: Way): Command => ({
    id: `${context}.${move}`,
    context,
    // Where one types, letters are text and only keys without text move.
    keys: typing ? keys.filter((key) => key === 'up' || key === 'down') : keys,
    label: typing && move === 'down' ? 'choose' : description,
    description,
    group: 'Move',
    inLines: noCursor,
    // Where letters are text nobody tries j: the arrow has to be named.
    ...(typing && move === 'down' ? { footer: 2 } : {}),
    available: always,
    run: (view) => [act({ type: 'overlay-moved', by: move, length: length(view) })],
  });

/** The details of a task are over the field that has the keys. */
const atPlanGate = (command: Command): Command => ({
  ...command,
  available: (view) => (planGateOf(view) === null ? 'The whole question is visible' : true),
});

/** How far the topmost overlay moves. */
const lengthOf = (view: ViewState): number => {
  const overlay = view.ui.overlays.at(-1);
  return overlay === undefined ? 0 : overlayRule(overlay.kind).length(view, overlay);
};

/** The overlays that take letters as keys. The help counts its rows by the commands, so its moves stand for themselves. */
const withLetters: readonly Context[] = [
  ...overlayKinds.filter(
    (kind) =>
      overlayRule(kind).moves !== 'nothing' && overlayRule(kind).types === 'nothing' && kind !== 'help',
  ),
  'form',
];

/** Keys that scroll what is over a field that has the keys. */
const overField: readonly string[] = ['up', 'down', 'pageup', 'pagedown'];

/** Keys that move: the same in every list and text. `helpLength` is handed in, because the help lists these commands too. */
export const moveCommands = (helpLength: (view: ViewState) => number): readonly Command[] => [
  ...ways.map(inMain),
  ...sideways.map(across),
  ...ways.map(inOverlay('help', false, helpLength)),
  ...ways
    .map(inOverlay('help-filter', false, helpLength))
    // Letters are text in the field, and so are its own keys for the ends of the text.
    .map((command) => ({ ...command, keys: command.keys.filter((key) => overField.includes(key)) }))
    .filter((command) => command.keys.length > 0),
  ...ways.map(inOverlay('knowledge', false, lengthOf)).slice(0, 4),
  ...ways.map(inOverlay('knowledge', false, (view) => lastPreviewTop(view) + 1)).slice(4),
  ...withLetters.flatMap((context) => ways.map(inOverlay(context, false, lengthOf))),
  ...ways.slice(0, 2).map(inOverlay('answer', true, lengthOf)),
  ...ways
    .slice(4, 6)
    .map(inOverlay('answer', false, lengthOf))
    .map(atPlanGate),
  ...ways.slice(0, 2).map(inOverlay('start', true, lengthOf)),
  ...ways
    .slice(0, 2)
    .map(inOverlay('talk', true, lengthOf))
    .map((command) => ({ ...command, offered: (view: ViewState) => lengthOf(view) > 1 })),
];
