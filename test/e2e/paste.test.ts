import { describe, expect, onTestFinished, test } from 'vitest';
import { runJson } from '../helpers/program.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const pasteEnd = '\u001b[201~';

const open = async (mouse = false) => {
  const workspace = workspaceWith({
    'plan.yaml': waitingPlan,
    ...(mouse ? { '.ralph/config.yaml': 'ui: {mouse: true}\n' } : {}),
  });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  return { workspace, terminal };
};

/** Which of the two depends on where the reads end. */
const said = /Pasted text goes nowhere here|That key came together with pasted text/;

/** The clock of the running task went on: what was written before was read long ago. */
const aSecond = (terminal: TestTerminal): Promise<string> => {
  const clock = (screen: string): string => /first .*?(\d+:\d\d)/.exec(screen)?.[1] ?? '';
  const before = clock(terminal.screen());
  return terminal.waitFor((screen) => clock(screen) !== before);
};

/** Nothing was asked of the run, nothing lies over the panes, and the screen still takes keys. */
const nothingWasDone = async (workspace: string, terminal: TestTerminal): Promise<void> => {
  await aSecond(terminal);
  await aSecond(terminal);
  expect(await runJson(['signals', 'list'], { cwd: workspace })).toEqual([]);
  expect(terminal.isAlternate()).toBe(true);
  for (const title of ['Leave?', 'Abort the session?', '─ STEER ─', '─ INFO ─', 'Commands:'])
    expect(terminal.screen()).not.toContain(title);
  // A machine that is busy is still taking in what was pasted; a key among it is dropped, and that is said.
  while (!terminal.screen().includes('Here and now')) {
    terminal.press('?');
    await terminal.waitFor(/Here and now|That key came together/);
    await aSecond(terminal);
  }
};

const hotkeys = 'pAqsix+-!\rABORT\r:\u0003';

describe.each([false, true])('a paste of the terminal (mouse: %s)', (mouse) => {
  test('of 200 kB, which takes many reads, presses no key', async () => {
    const { workspace, terminal } = await open(mouse);
    terminal.paste(hotkeys.repeat(10_000));
    await terminal.waitFor(said);
    await nothingWasDone(workspace, terminal);
  });

  test('of 200 kB goes into a field as far as a message may be long, and is not sent', async () => {
    const { workspace, terminal } = await open(mouse);
    terminal.press('i');
    await terminal.waitFor('─ INFO ─');
    terminal.paste(`${'line of text\r'.repeat(15_000)}`);
    await terminal.waitFor(/line of text\s+│\n[\s\S]*line of text/);
    await aSecond(terminal);
    expect(await runJson(['signals', 'list'], { cwd: workspace })).toEqual([]);
    terminal.press('escape');
    await terminal.waitFor((screen) => !screen.includes('─ INFO ─'));
  });

  test('that ends itself and goes on with keys, over many reads, presses none of them', async () => {
    const { workspace, terminal } = await open(mouse);
    const filler = 'x'.repeat(70_000);
    terminal.paste(`${filler}${pasteEnd}${hotkeys}${filler}${pasteEnd}${hotkeys}`);
    await terminal.waitFor(said);
    await nothingWasDone(workspace, terminal);
  });

  test('that ends itself exactly where a read ends presses no key either', async () => {
    for (const length of [4_090, 65_530]) {
      const { workspace, terminal } = await open(mouse);
      terminal.paste(`${'x'.repeat(length - 6)}${pasteEnd}${hotkeys}`);
      await terminal.waitFor(said);
      await nothingWasDone(workspace, terminal);
    }
  });

  test('whose end comes in two pieces, a second apart, is one paste', async () => {
    const { workspace, terminal } = await open(mouse);
    terminal.press('i');
    await terminal.waitFor('─ INFO ─');
    terminal.type('\u001b[200~one q A two\u001b[20');
    await aSecond(terminal);
    expect(terminal.screen()).not.toContain('one q A two');
    terminal.type('1~');
    await terminal.waitFor('one q A two');
    expect(terminal.screen()).not.toContain('one q A two1~');
    await aSecond(terminal);
    terminal.press('enter');
    await terminal.waitFor(/INFO .*one q A two/);
    expect(await runJson(['signals', 'list'], { cwd: workspace })).toMatchObject([
      { message: 'one q A two' },
    ]);
  });
});

describe('a terminal that does not tell of pastes', () => {
  test('presses no key with several characters at once, and says so', async () => {
    const { workspace, terminal } = await open();
    terminal.type('sudo rm -rf /\rpAq\r');
    await terminal.waitFor('Pasted text goes nowhere here: nothing was done');
    await nothingWasDone(workspace, terminal);
  });

  test('nor with a Ctrl-C among them, which stands alone wherever it comes', async () => {
    const { workspace, terminal } = await open();
    terminal.type('pAq\u0003pAq\u0003');
    await terminal.waitFor(said);
    await nothingWasDone(workspace, terminal);
    expect(terminal.raw()).not.toContain('Leave?');
  });

  test('does not send what has several lines', async () => {
    const { workspace, terminal } = await open();
    terminal.press('s');
    await terminal.waitFor('─ STEER ─');
    terminal.type('first line\rsecond line\rq\r');
    await terminal.waitFor(/first line\s+│\n.*second line/);
    await aSecond(terminal);
    expect(await runJson(['signals', 'list'], { cwd: workspace })).toEqual([]);
  });

  test('still repeats a key that is held, and takes two that were rolled', async () => {
    const { terminal } = await open();
    terminal.type('jjjj');
    await terminal.waitFor(/▌. · second/);
    terminal.type('4?');
    await terminal.waitFor(/Here and now/);
  });
});
