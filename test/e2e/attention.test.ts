import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { paneKey, tabTitle } from '../helpers/pane-key.ts';
import { openScreen, openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const open = async (
  notify: 'bell' | 'osc' | 'none',
  start = openScreen,
): Promise<{ workspace: string; terminal: TestTerminal }> => {
  const workspace = workspaceWith({ 'plan.yaml': `${waitingPlan}settings: {ui: {notify: ${notify}}}\n` });
  const terminal = start(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  return { workspace, terminal };
};

const oscs = /\u001b\]([^\u0007\u001b]*)(?:\u0007|\u001b\\)/g;
/** What was asked of the terminal by OSC sequences, in order. */
const asked = (raw: string): readonly string[] => [...raw.matchAll(oscs)].map((match) => match[1] ?? '');
/** Bells that end no sequence. */
const bells = (raw: string): number => raw.replaceAll(oscs, '').split('\u0007').length - 1;

const titles = (raw: string): readonly string[] =>
  asked(raw)
    .filter((text) => text.startsWith('2;'))
    .map((text) => text.slice(2));

/** Many frames later, with something typed and something opened, the gate still waits. */
const lookAround = async (terminal: TestTerminal): Promise<void> => {
  for (const [key, shown] of [
    ['?', 'Here and now'],
    ['escape', 'Needs you (1)'],
    [paneKey('events'), `[${tabTitle('events')}]`],
    ['u', 'Keep these lessons'],
    ['escape', `[${tabTitle('events')}]`],
    ['i', '─ Inform ─'],
  ] as const) {
    terminal.press(key);
    await terminal.waitFor(
      (screen) => screen.includes(shown) && (key !== 'escape' || !/Here and now|Keep these/.test(screen)),
    );
  }
  terminal.type('the tide is out');
  await terminal.waitFor('the tide is out');
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('─ Inform ─'));
};

test.each([
  ['bell', 1, []],
  ['osc', 0, ['9;', '777;notify;ralph-tui;']],
  ['none', 0, []],
] as const)(
  'a person is called once, by %s, and the badge and the title say it as long as it waits',
  async (notify, rung, sent) => {
    const { workspace, terminal } = await open(notify);
    release(workspace, 'first');
    release(workspace, 'second');
    await terminal.waitFor(/Needs you \(1\)/);
    await terminal.waitFor(() => titles(terminal.raw()).at(-1)?.startsWith('(1) ralph-tui ') === true);
    await lookAround(terminal);
    expect(bells(terminal.raw())).toBe(rung);
    const calls = asked(terminal.raw()).filter((text) => /^(?:9|777);/.test(text));
    expect(calls).toEqual(sent.map((start) => expect.stringMatching(`^${start}Keep \\d+ lessons?\\?$`)));
    // A title is written when it changes, not with every frame.
    const written = titles(terminal.raw());
    expect(written.filter((title, index) => title === written[index - 1])).toEqual([]);
    await ask(['skip'], { cwd: workspace });
    await terminal.waitFor((screen) => !screen.includes('Needs you'));
    await terminal.waitFor(() => titles(terminal.raw()).at(-1)?.startsWith('ralph-tui ') === true);
    expect(bells(terminal.raw())).toBe(rung);
  },
);

test.each(['q', 'SIGTERM'] as const)(
  'the title the terminal had comes back after %s, and nothing names it again',
  async (way) => {
    const { terminal } = await open('bell', way === 'q' ? openScreen : openTerminal);
    await terminal.waitFor(() => titles(terminal.raw()).length > 0);
    expect(terminal.raw().indexOf('\u001b[22;2t')).toBeLessThan(terminal.raw().indexOf('\u001b]2;'));
    if (way === 'q') {
      terminal.press('q');
      await terminal.waitFor('Leave?');
      terminal.press('enter');
    } else terminal.kill(way);
    await terminal.exit;
    const raw = terminal.raw();
    expect(raw.split('\u001b[22;2t').length).toBe(2);
    expect(raw.split('\u001b[23;2t').length).toBe(2);
    expect(raw.lastIndexOf('\u001b]2;')).toBeLessThan(raw.indexOf('\u001b[23;2t'));
  },
);

test('a session that nobody runs calls nobody, whatever it waited for', async () => {
  const { workspace, terminal } = await open('bell');
  release(workspace, 'first');
  release(workspace, 'second');
  await terminal.waitFor(/Needs you \(1\)/);
  terminal.press('q');
  await terminal.waitFor('Leave?');
  terminal.press('enter');
  await terminal.exit;
  const again = openScreen([], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => again.kill('SIGKILL'));
  await again.waitFor(/Stopped .*R resume/);
  again.press('?');
  await again.waitFor('Here and now');
  expect(bells(again.raw())).toBe(0);
});
