import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { makeTempDir, removeTempDir } from '../helpers/temp-dir.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { waitingPlan, writeIn } from '../helpers/workspace.ts';

const pasteEnd = '\u001b[201~';

const open = async (mouse: boolean, answersModes: boolean) => {
  const workspace = makeTempDir();
  writeIn(workspace, 'plan.yaml', waitingPlan);
  writeIn(workspace, '.ralph/config.yaml', `ui: {mouse: ${mouse}}\n`);
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
    answersModes,
  });
  await terminal.waitFor('waiting for first');
  return { workspace, terminal };
};

/** One session for all tests of a `describe`: each leaves nothing open, and the screen takes keys. */
const opened = (mouse = false, answersModes = true): (() => Awaited<ReturnType<typeof open>>) => {
  let session: Awaited<ReturnType<typeof open>> | null = null;
  beforeAll(async () => {
    session = await open(mouse, answersModes);
  });
  afterAll(async () => {
    if (!session) return;
    session.terminal.kill('SIGKILL');
    await session.terminal.exit;
    removeTempDir(session.workspace);
  });
  return () => {
    if (!session) throw new Error('the session did not start');
    return session;
  };
};

/** Which of the two depends on where the reads end. */
const said = /Pasted text is ignored here|That key arrived with pasted text/;

const clockOf = (screen: string): string => /first\b.*?(\d+:\d\d)/.exec(screen)?.[1] ?? '';

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
  await terminal.waitFor((screen) => !screen.includes('Here and now') && !said.test(screen));
  expect(await ask(['signals', 'list'], { cwd: workspace })).toEqual([]);
  expect(terminal.isAlternate()).toBe(true);
  for (const title of ['Leave?', 'Abort the session?', '─ Steer ─', '─ Inform ─', 'Commands:'])
    expect(terminal.screen()).not.toContain(title);
};

const hotkeys = 'pAqsix+-!\rABORT\r:\u0003';

describe.each([false, true])('a paste of the terminal (mouse: %s)', (mouse) => {
  const session = opened(mouse);

  test('of 200 kB, which takes many reads, presses no key', async () => {
    const { workspace, terminal } = session();
    terminal.paste(hotkeys.repeat(10_000));
    await terminal.waitFor(said);
    await nothingWasDone(workspace, terminal);
  });

  test('that ends itself and goes on with keys, over many reads, presses none of them', async () => {
    const { workspace, terminal } = session();
    const filler = 'x'.repeat(70_000);
    terminal.paste(`${filler}${pasteEnd}${hotkeys}${filler}${pasteEnd}${hotkeys}`);
    await terminal.waitFor(said);
    await nothingWasDone(workspace, terminal);
  });

  test.each([4_090, 65_530])(
    'that ends itself where a read of %i bytes ends presses no key either',
    async (length) => {
      const { workspace, terminal } = session();
      terminal.paste(`${'x'.repeat(length - 6)}${pasteEnd}${hotkeys}`);
      await terminal.waitFor(said);
      await nothingWasDone(workspace, terminal);
    },
  );

  test('whose end comes in two pieces, a second apart, is one paste', async () => {
    const { workspace, terminal } = session();
    terminal.press('i');
    await terminal.waitFor('─ Inform ─');
    terminal.type('\u001b[200~one q A two\u001b[20');
    await aSecond(terminal);
    expect(terminal.screen()).not.toContain('one q A two');
    terminal.type('1~');
    await terminal.waitFor('one q A two');
    expect(terminal.screen()).not.toContain('one q A two1~');
    await aSecond(terminal);
    terminal.press('enter');
    await terminal.waitFor(/INFO .*one q A two/);
    expect(await ask(['signals', 'list'], { cwd: workspace })).toMatchObject([{ message: 'one q A two' }]);
  });

  test('of 200 kB goes into a field as far as a message may be long, and is not sent', async () => {
    const { workspace, terminal } = session();
    const sent = await ask(['signals', 'list'], { cwd: workspace });
    terminal.press('i');
    await terminal.waitFor('─ Inform ─');
    terminal.paste(`${'line of text\r'.repeat(15_000)}`);
    await terminal.waitFor(/line of text\s+│\n[\s\S]*line of text/);
    await aSecond(terminal);
    expect(await ask(['signals', 'list'], { cwd: workspace })).toEqual(sent);
    terminal.press('escape');
    await terminal.waitFor((screen) => !screen.includes('─ Inform ─'));
  });
});

describe('a terminal that does not tell of pastes', () => {
  const session = opened(false, false);

  test('repeats a key that is held, moves, and takes two that were rolled', async () => {
    const { terminal } = session();
    terminal.type('jjjj');
    await terminal.waitFor(/▌.{0,2}· second/);
    terminal.type('kgGk');
    await terminal.waitFor(/▌.{1,3} first/);
    terminal.type('4?');
    await terminal.waitFor(/Here and now/);
    terminal.press('escape');
    await terminal.waitFor((screen) => !screen.includes('Here and now'));
  });

  test('presses no key with several characters at once, and says so', async () => {
    const { workspace, terminal } = session();
    terminal.type('sudo rm -rf /\rpAq\r');
    await terminal.waitFor('Pasted text is ignored here');
    await nothingWasDone(workspace, terminal);
  });

  test('nor with a Ctrl-C among them, which stands alone wherever it comes', async () => {
    const { workspace, terminal } = session();
    terminal.type('pAq\u0003pAq\u0003');
    await terminal.waitFor(said);
    await nothingWasDone(workspace, terminal);
    expect(terminal.raw()).not.toContain('Leave?');
  });

  test('does not send what has several lines', async () => {
    const { workspace, terminal } = session();
    terminal.press('s');
    await terminal.waitFor('─ Steer ─');
    terminal.type('first line\rsecond line\rq\r');
    await terminal.waitFor(/first line\s+│.*\n.*second line/);
    await aSecond(terminal);
    expect(await ask(['signals', 'list'], { cwd: workspace })).toEqual([]);
    // Nothing is left for a draft.
    terminal.type('\u007f'.repeat(40));
    await terminal.waitFor((screen) => !screen.includes('first line'));
    terminal.press('escape');
    await terminal.waitFor((screen) => !screen.includes('─ Steer ─'));
  });

  test('marks its first paste all the same: from then on keys are keys', async () => {
    const { workspace, terminal } = session();
    terminal.press('i');
    await terminal.waitFor('─ Inform ─');
    terminal.paste('from a clipboard');
    await terminal.waitFor('from a clipboard');
    await aSecond(terminal);
    await aSecond(terminal);
    terminal.type('!\rsover\r');
    await expect
      .poll(() => ask(['signals', 'list'], { cwd: workspace }))
      .toMatchObject([{ message: 'from a clipboard!' }, { message: 'over' }]);
  });
});

describe('a terminal that says that it marks pastes', () => {
  const session = opened();

  test('is asked without waiting, and its answer is no key', () => {
    const { terminal } = session();
    expect(terminal.raw().indexOf('\u001b[?2004$p')).toBeLessThan(terminal.raw().indexOf('\u001b[?1049h'));
    expect(terminal.screen()).not.toMatch(/\?2004|\$y|Here and now/);
  });

  test('takes several different keys in one read as keys', async () => {
    const { workspace, terminal } = session();
    terminal.type('ihello\rsover\r4?');
    await terminal.waitFor('Here and now');
    await expect
      .poll(() => ask(['signals', 'list'], { cwd: workspace }))
      .toMatchObject([{ message: 'hello' }, { message: 'over' }]);
  });
});
