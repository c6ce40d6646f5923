import { always, type Command, perform } from '../command.ts';
import type { InLines } from '../in-lines.ts';
import type { ViewState } from '../view.ts';
import type { ServeOverlay } from './serve-view.ts';

const serveTerminal: InLines = {
  instead: 'the terminal of `ralph-tui serve` shows the same; `ralph-tui serve devices` lists and revokes',
};

/** The browsers that `ralph-tui serve` shows this workspace to. Few need it: the palette lists it, and `ui.keys` can give it a key. */
export const serveCommands: readonly Command[] = [
  {
    id: 'session.serve',
    context: 'main',
    keys: [],
    label: 'serve',
    description: 'the running `ralph-tui serve`: address, code, paired devices',
    group: 'Look',
    inLines: serveTerminal,
    available: always,
    run: () => [perform({ type: 'serve', ask: 'look' })],
  },
  {
    id: 'serve.code',
    context: 'serve',
    keys: ['c'],
    label: 'new code',
    description: 'a new code, which pairs one device within two minutes',
    group: 'Look',
    inLines: serveTerminal,
    footer: 1,
    available: always,
    run: () => [perform({ type: 'serve', ask: 'code' })],
  },
  {
    id: 'serve.revoke',
    context: 'serve',
    keys: ['x'],
    label: 'revoke',
    description: 'revoke the device: its pages close at once',
    group: 'Decide',
    inLines: serveTerminal,
    footer: 2,
    available: (view) => (deviceIn(view) === undefined ? 'No device is paired' : true),
    run: (view) => {
      const device = deviceIn(view);
      return device === undefined ? [] : [perform({ type: 'serve', ask: 'revoke', device: device.id })];
    },
  },
];

const deviceIn = (view: ViewState): ServeOverlay['devices'][number] | undefined => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'serve' ? top.devices[top.cursor] : undefined;
};
