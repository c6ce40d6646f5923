import { act, always, type Command, type CommandEffect, perform, terminal } from '../command.ts';
import { ask } from '../compose/commands.ts';
import { closing } from '../dialog/closing.ts';
import { noOverlays } from '../in-lines.ts';
import type { ViewState } from '../view.ts';
import { quit, safest } from './quit.ts';
import { selectQuitChoices } from './select-quit.ts';

/** Keys that close the topmost overlay and leave the program. ctrl-c closes an overlay first, then acts as `q`. */
export const leaveCommands: readonly Command[] = [
  {
    id: 'leave.quit',
    context: 'main',
    keys: ['q', 'ctrl-c'],
    label: 'quit',
    description: 'quit: leave the session running, pause and leave, abort, or stay',
    group: 'Leave',
    inLines: { word: 'quit' },
    footer: 11,
    available: always,
    run: (view) => quit(view),
  },
  {
    id: 'leave.suspend',
    context: 'everywhere',
    keys: ['ctrl-z'],
    label: 'suspend',
    description:
      'suspend: back to the shell; agents freeze until `fg`, or continue without a screen after `bg`',
    group: 'Look',
    inLines: { instead: 'in line mode, the terminal itself suspends the program' },
    available: always,
    run: () => [terminal({ type: 'suspend' })],
  },
  {
    id: 'end.quit',
    context: 'end',
    keys: ['q'],
    label: 'quit',
    description: 'quit',
    group: 'Leave',
    inLines: { word: 'quit' },
    footer: 11,
    available: always,
    run: (view) => quit(view),
  },
  {
    id: 'quit.choose',
    context: 'quit',
    keys: ['enter'],
    label: 'choose',
    description: 'do the chosen action',
    group: 'Leave',
    inLines: noOverlays,
    footer: 1,
    available: always,
    run: (view) => chosen(view),
  },
  {
    id: 'quit.again',
    context: 'quit',
    keys: ['ctrl-c'],
    label: 'leave now',
    description: 'leave immediately: pauses the session first, unless another program hosts it',
    group: 'Leave',
    inLines: noOverlays,
    available: always,
    run: (view) => {
      const choice = selectQuitChoices(view)[safest(view)];
      const how = choice === undefined || choice.how === 'stay' ? 'close' : choice.how;
      return [act({ type: 'overlay-closed' }), perform({ type: 'quit', how })];
    },
  },
  closing('help', ['escape', 'q', '?', 'ctrl-c']),
  { ...closing('plan-review', ['escape', 'q', 'ctrl-c']), label: 'later', description: 'decide later' },
  {
    ...closing('start', ['escape', 'ctrl-c']),
    // Without a session there is nothing below it.
    label: (view) => (isUnfolded(view) ? 'fold' : view.session === null ? 'quit' : 'close'),
    description: 'fold the list of agents to install, or close',
    run: (view) => {
      if (isUnfolded(view)) return [act({ type: 'installs-folding-toggled' })];
      return view.session === null ? quit(view) : [act({ type: 'overlay-closed' })];
    },
  },
  closing('end', ['escape', 'ctrl-c']),
  closing('needs-you', ['escape', 'q', 'u', 'ctrl-c']),
  { ...closing('knowledge', ['escape', 'q', 'ctrl-c']), label: 'later' },
  closing('answer', ['escape', 'ctrl-c']),
  { ...closing('confirm', ['escape', 'ctrl-c']), label: 'stay' },
  closing('settled', ['enter', 'escape', 'ctrl-c']),
];

/** Whether the start screen has its installations unfolded. */
const isUnfolded = (view: ViewState): boolean => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'start' && top.unfolded === true;
};

const chosen = (view: ViewState): readonly CommandEffect[] => {
  const overlay = view.ui.overlays.at(-1);
  const choice = overlay?.kind === 'quit' ? selectQuitChoices(view)[overlay.cursor] : undefined;
  const close = act({ type: 'overlay-closed' });
  if (choice === undefined || choice.how === 'stay') return [close];
  if (choice.how !== 'abort') return [close, perform({ type: 'quit', how: choice.how })];
  return [close, ask({ kind: 'abort', leaving: true })];
};
