import { expect, test } from 'vitest';
import { createEditor } from '../../components/keys/line-editor.ts';
import { noTerminalPort } from '../../components/ports/terminal-port.ts';
import { openScreen } from '../helpers/screen.tsx';

const install = { label: 'Codex', command: 'npm install -g codex-acp@2.6.0', megabytes: 457 };

const openStart = async (run: (command: string) => Promise<void>) => {
  const screen = await openScreen({
    columns: 80,
    rows: 24,
    connection: 'stopped',
    terminal: { ...noTerminalPort, run },
  });
  screen.store.act({
    type: 'overlay-opened',
    overlay: {
      kind: 'start',
      offers: {
        workspace: '/work',
        agents: [{ name: 'codex', about: '', problem: 'not installed', install }],
        plans: [],
        checks: null,
      },
      cursor: 1,
      editor: createEditor(),
      agent: null,
    },
  });
  await screen.settle();
  return screen;
};

test('the start screen offers to install an agent, asks with the command and its size, runs it, and looks again', async () => {
  const ran: string[] = [];
  const screen = await openStart(async (command) => void ran.push(command));
  expect(screen.frame()).toContain('Install Codex  about 457 MB; asks first');
  await screen.press('down', 'enter');
  expect(screen.frame()).toContain('Install Codex?');
  expect(screen.frame()).toContain('`npm install -g codex-acp@2.6.0` here: about 457 MB');
  expect(ran).toEqual([]);
  await screen.press('enter');
  expect(ran).toEqual([install.command]);
  expect(screen.intents).toEqual([{ type: 'offer' }]);
  screen.unmount();
});

test('nothing is installed without the answer, and a failed installation says so', async () => {
  const screen = await openStart(() => Promise.reject(new Error('Ended with exit 243: npm install')));
  await screen.press('down', 'enter', 'escape');
  expect(screen.intents).toEqual([]);
  await screen.press('enter', 'enter');
  expect(screen.frame()).toContain('Ended with exit 243: npm install');
  expect(screen.intents).toEqual([]);
  screen.unmount();
});

test('several installations are one line, Enter gives each its own, and Esc makes them one again before it quits', async () => {
  const screen = await openStart(() => Promise.resolve());
  const overlay = screen.store.getState().ui.overlays.at(-1);
  if (overlay?.kind !== 'start') throw new Error('the start screen is not open');
  const agents = ['Codex', 'Gemini', 'Claude'].map((label) => ({
    name: label.toLowerCase(),
    about: '',
    problem: 'not installed',
    install: { ...install, label },
  }));
  screen.store.act({ type: 'overlay-closed' });
  screen.store.act({
    type: 'overlay-opened',
    overlay: { ...overlay, offers: { ...overlay.offers, agents }, cursor: 2 },
  });
  await screen.settle();
  expect(screen.frame()).toMatch(/▌Install an agent +Codex, Gemini, Claude/);
  expect(screen.frame()).not.toContain('about 457 MB');
  await screen.press('enter');
  expect(screen.frame()).toMatch(/▌Install Codex +about 457 MB/);
  await screen.press('down', 'enter');
  expect(screen.frame()).toContain('Install Gemini?');
  await screen.press('escape');
  expect(screen.frame()).toContain('Esc fold');
  await screen.press('escape');
  expect(screen.frame()).toMatch(/▌Install an agent +Codex, Gemini, Claude/);
  expect(screen.intents).toEqual([]);
  expect(screen.frame()).toContain('Esc quit');
  await screen.press('escape');
  expect(screen.intents).toEqual([{ type: 'quit', how: 'close' }]);
  screen.unmount();
});
