import { describe, expect, type TestContext, test } from 'vitest';
import { runJson } from '../helpers/program.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const pasteEnd = '\u001b[201~';

const open = async ({ onTestFinished }: TestContext, mouse = false, answersModes = true) => {
  const workspace = workspaceWith({
    'plan.yaml': waitingPlan,
    ...(mouse ? { '.ralph/config.yaml': 'ui: {mouse: true}\n' } : {}),
  });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
    answersModes,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  return { workspace, terminal };
};

/** Which of the two depends on where the reads end. */
const said = /Pasted text goes nowhere here|That key came together with pasted text/;

const clockOf = (screen: string): string => /first .*?(\d+:\d\d)/.exec(screen)?.[1] ?? '';

/** The clock of the running task went on: what was written before was read long ago. */
const aSecond = (terminal: TestTerminal): Promise<string> => {
  const before = clockOf(terminal.screen());
  return terminal.waitFor((screen) => clockOf(screen) !== before);
};

/** Input is read in order: a key that is taken as one proves that all before it was read, and that no paste is open. One among the paste is dropped: another is pressed. */
const untilHeard = async (terminal: TestTerminal): Promise<void> => {
  const isHelp = (screen: string): boolean => screen.includes('Here and now');
  for (;;) {
    const before = clockOf(terminal.screen());
    terminal.press('?');
    if (isHelp(await terminal.waitFor((screen) => isHelp(screen) || clockOf(screen) !== before))) return;
  }
};

/** Nothing was asked of the run, nothing lies over the panes, and the screen still takes keys. */
const nothingWasDone = async (workspace: string, terminal: TestTerminal): Promise<void> => {
  await untilHeard(terminal);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('Here and now'));
  expect(await runJson(['signals', 'list'], { cwd: workspace })).toEqual([]);
  expect(terminal.isAlternate()).toBe(true);
  for (const title of ['Leave?', 'Abort the session?', '─ STEER ─', '─ INFO ─', 'Commands:'])
    expect(terminal.screen()).not.toContain(title);
};

const hotkeys = 'pAqsix+-!\rABORT\r:\u0003';

describe.each([false, true])('a paste of the terminal (mouse: %s)', (mouse) => {
  test('of 200 kB, which takes many reads, presses no key', async (context) => {
    const { workspace, terminal } = await open(context, mouse);
    terminal.paste(hotkeys.repeat(10_000));
    await terminal.waitFor(said);
    await nothingWasDone(workspace, terminal);
  });

  test('of 200 kB goes into a field as far as a message may be long, and is not sent', async (context) => {
    const { workspace, terminal } = await open(context, mouse);
    terminal.press('i');
    await terminal.waitFor('─ INFO ─');
    terminal.paste(`${'line of text\r'.repeat(15_000)}`);
    await terminal.waitFor(/line of text\s+│\n[\s\S]*line of text/);
    await aSecond(terminal);
    expect(await runJson(['signals', 'list'], { cwd: workspace })).toEqual([]);
    terminal.press('escape');
    await terminal.waitFor((screen) => !screen.includes('─ INFO ─'));
  });

  test('that ends itself and goes on with keys, over many reads, presses none of them', async (context) => {
    const { workspace, terminal } = await open(context, mouse);
    const filler = 'x'.repeat(70_000);
    terminal.paste(`${filler}${pasteEnd}${hotkeys}${filler}${pasteEnd}${hotkeys}`);
    await terminal.waitFor(said);
    await nothingWasDone(workspace, terminal);
  });

  test('that ends itself exactly where a read ends presses no key either', async (context) => {
    for (const length of [4_090, 65_530]) {
      const { workspace, terminal } = await open(context, mouse);
      terminal.paste(`${'x'.repeat(length - 6)}${pasteEnd}${hotkeys}`);
      await terminal.waitFor(said);
      await nothingWasDone(workspace, terminal);
    }
  });

  test('whose end comes in two pieces, a second apart, is one paste', async (context) => {
    const { workspace, terminal } = await open(context, mouse);
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
  test('presses no key with several characters at once, and says so', async (context) => {
    const { workspace, terminal } = await open(context, false, false);
    terminal.type('sudo rm -rf /\rpAq\r');
    await terminal.waitFor('Pasted text goes nowhere here: nothing was done');
    await nothingWasDone(workspace, terminal);
  });

  test('nor with a Ctrl-C among them, which stands alone wherever it comes', async (context) => {
    const { workspace, terminal } = await open(context, false, false);
    terminal.type('pAq\u0003pAq\u0003');
    await terminal.waitFor(said);
    await nothingWasDone(workspace, terminal);
    expect(terminal.raw()).not.toContain('Leave?');
  });

  test('does not send what has several lines', async (context) => {
    const { workspace, terminal } = await open(context, false, false);
    terminal.press('s');
    await terminal.waitFor('─ STEER ─');
    terminal.type('first line\rsecond line\rq\r');
    await terminal.waitFor(/first line\s+│\n.*second line/);
    await aSecond(terminal);
    expect(await runJson(['signals', 'list'], { cwd: workspace })).toEqual([]);
  });

  test('still repeats a key that is held, moves, and takes two that were rolled', async (context) => {
    const { terminal } = await open(context, false, false);
    terminal.type('jjjj');
    await terminal.waitFor(/▌. · second/);
    terminal.type('kgGk');
    await terminal.waitFor(/▌. . first/);
    terminal.type('4?');
    await terminal.waitFor(/Here and now/);
  });

  test('marks its first paste all the same: from then on keys are keys', async (context) => {
    const { workspace, terminal } = await open(context, false, false);
    terminal.press('i');
    await terminal.waitFor('─ INFO ─');
    terminal.paste('from a clipboard');
    await terminal.waitFor('from a clipboard');
    await aSecond(terminal);
    await aSecond(terminal);
    terminal.type('!\rsover\r');
    await expect
      .poll(() => runJson(['signals', 'list'], { cwd: workspace }))
      .toMatchObject([{ message: 'from a clipboard!' }, { message: 'over' }]);
  });
});

describe('a terminal that says that it marks pastes', () => {
  test('takes several different keys in one read as keys', async (context) => {
    const { workspace, terminal } = await open(context);
    terminal.type('ihello\rsover\r4?');
    await terminal.waitFor('Here and now');
    await expect
      .poll(() => runJson(['signals', 'list'], { cwd: workspace }))
      .toMatchObject([{ message: 'hello' }, { message: 'over' }]);
  });

  test('is asked without waiting, and its answer is no key', async (context) => {
    const { terminal } = await open(context);
    expect(terminal.raw().indexOf('\u001b[?2004$p')).toBeLessThan(terminal.raw().indexOf('\u001b[?1049h'));
    expect(terminal.screen()).not.toMatch(/\?2004|\$y|Here and now/);
  });
});
