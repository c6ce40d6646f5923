import { afterEach, expect, test } from 'vitest';
import { createTheme } from '../../components/draw/theme.ts';
import { noTerminalPort } from '../../components/ports/terminal-port.ts';
import { paneKeys } from '../helpers/pane-key.ts';
import { changesViewer, edited, inConflict, waitingForReview } from '../helpers/scenes/changing.ts';
import { secondAttempt, toEnglish } from '../helpers/scenes/reading.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';

const screens: TestScreen[] = [];
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const fileDiff = (path: string, first: number, ...lines: readonly string[]): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -${first},2 +${first},2 @@ f${first}\n${lines.join('\n')}\n`;

const two = changesViewer(
  [
    { path: 'a.ts', added: 2, removed: 2 },
    { path: 'b.ts', added: 1, removed: 0 },
  ],
  `${fileDiff('a.ts', 5, ' same', '-const hi = "hi";', '+const hi = "hello";')}@@ -40,2 +40,2 @@ f40\n-gone\n+come\n${fileDiff('b.ts', 9, ' x', '+hello again')}`,
);

const open = async (options: ScreenOptions = {}): Promise<TestScreen> => {
  const screen = await openScreen({
    columns: 120,
    rows: 36,
    viewer: two,
    story: secondAttempt(),
    ...options,
  });
  screens.push(screen);
  await screen.press(...toEnglish, ...paneKeys('changes'));
  return screen;
};

/** The line with the cursor, without the frame. */
const here = (screen: TestScreen): string =>
  screen
    .rows()
    .flatMap((row) => /│▌(.*)$/.exec(row)?.[1]?.trim() ?? [])
    .join('\n');

test('J and K go from file to file, ] and [ from hunk to hunk, and at the ends it is said', async () => {
  const screen = await open();
  await screen.press('J');
  expect(here(screen)).toMatch(/^a\.ts +\+2 −2$/);
  await screen.press(']', ']');
  expect(here(screen)).toBe('@@ -40,2 +40,2 @@ f40');
  await screen.press('J', 'J');
  expect(here(screen)).toMatch(/^b\.ts/);
  expect(screen.rows().at(-1)).toContain('No files below');
  await screen.press('[', 'K');
  expect(here(screen)).toMatch(/^a\.ts/);
});

test('a task shows the net change of its attempts, and d steps through them to the session and back', async () => {
  const screen = await open();
  const titles: (string | undefined)[] = [];
  for (let step = 0; step < 5; step += 1) {
    titles.push(/│ (english[^·]*|the whole session) ·/.exec(screen.frame())?.[1]?.trim());
    await screen.press('d');
  }
  expect(titles).toEqual([
    'english overall',
    'english attempt 2',
    'english attempt 1',
    'the whole session',
    'english overall',
  ]);
});

test('where no differences are shown J and ] say so', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: secondAttempt() });
  screens.push(screen);
  await screen.press(...paneKeys('changes'), 'J');
  expect(screen.rows().at(-1)).toContain('No differences are shown here');
  await screen.press(']');
  expect(screen.rows().at(-1)).toContain('No differences are shown here');
});

test('Enter on a file of the list goes to its changes, and Esc back to the top', async () => {
  const screen = await open();
  await screen.press('j', 'enter');
  expect(here(screen)).toMatch(/^b\.ts +\+1 −0$/);
  await screen.press('escape');
  expect(here(screen)).toBe('');
  expect(screen.frame()).toContain('2 files, +3 −2');
});

test('a file that two attempts changed, each in its own part, counts once', async () => {
  const twice = changesViewer(
    [
      { path: 'a.ts', added: 1, removed: 0 },
      { path: 'a.ts', added: 2, removed: 0 },
    ],
    fileDiff('a.ts', 1, '+one') + fileDiff('a.ts', 2, '+two', '+three'),
  );
  const screen = await open({ viewer: twice });
  expect(screen.frame()).toContain('1 file, +3 −0');
});

test('the search of Changes looks in the diff, whatever the case, and goes around its end', async () => {
  const screen = await open();
  await screen.press('/');
  await screen.type('HELLO');
  expect(screen.frame()).toContain('Search the changes: HELLO');
  await screen.press('enter');
  expect(here(screen)).toMatch(/6 \+ const hi = "hello";/);
  expect(screen.frame()).toContain('"HELLO" 1 of 2');
  await screen.press('n', 'n', 'N');
  expect(screen.frame()).toContain('"HELLO" 2 of 2');
  await screen.press('escape');
  expect(screen.frame()).not.toContain('"HELLO"');
  await screen.press('n');
  expect(screen.rows().at(-1)).toContain('Search first: /');
});

test('o opens the file at the line under the cursor, also of a line that is gone', async () => {
  const opened: string[] = [];
  const terminal = {
    ...noTerminalPort,
    open: async (path: string, line?: number) => void opened.push(`${path}:${line}`),
  };
  const screen = await open({ terminal });
  await screen.press('J', ']', 'j', 'j', 'o', 'j', 'o', 'j', 'j', 'o', 'j', 'o');
  expect(opened).toEqual(['6', '6', '40', '40'].map((line) => `/work/greetings/a.ts:${line}`));
});

test('| needs room for two columns, and the cursor stays on its line', async () => {
  const screen = await open();
  await screen.press('|');
  expect(screen.rows().at(-1)).toContain('Side by side needs 110 columns, but Changes has 64: z gives it');
  await screen.press('z', 'J', ']', 'j', 'j', '|');
  const lines = () => screen.rows().filter((row) => row.includes('const hi'));
  expect(lines()).toHaveLength(2);
  expect(lines()[1]).toMatch(/^▌/);
  await screen.press('|');
  expect(lines()).toEqual([expect.stringMatching(/^▌ 6 - const hi = "hi"; +│ 6 \+ const hi = "hello";$/)]);
});

test('the words that changed in a line stand out in each depth of colour, underlined without colours', async () => {
  for (const colours of ['true', '256', '16', 'none'] as const) {
    const screen = await open({ theme: { colours } });
    const { codes, grounds } = createTheme({ colours, ascii: false, background: 'dark' });
    const style = (tone: string, sgr: string): string => [tone, sgr].filter((code) => code !== '').join(';');
    expect(screen.styled().ours).toContain(`\u001b[${style(codes.failed, grounds.removed)}mhi\u001b[0m`);
    expect(screen.styled().ours).toContain(`\u001b[${style(codes.done, grounds.added)}mhello\u001b[0m`);
    screens.pop()?.unmount();
  }
});

test('long paths are cut in their middle, in the list and in the head of a diff', async () => {
  const folder = 'packages/translations/source/languages/generated/catalogues/european';
  const paths = ['english', 'german'].map((name) => `${folder}/${name}.ts`);
  const screen = await open({
    viewer: changesViewer(
      paths.map((path) => ({ path, added: 1, removed: 0 })),
      paths.map((path) => fileDiff(path, 1, '+hello')).join(''),
    ),
  });
  for (const name of ['english', 'german'])
    expect(screen.rows().filter((row) => row.includes(`/${name}.ts`))).toEqual([
      expect.stringMatching(/· packages.*…/),
      expect.stringMatching(/ packages.*…/),
    ]);
});

test('the wheel scrolls and keeps the cursor in sight; another task is read from its top', async () => {
  const long = changesViewer(
    [{ path: 'a.ts', added: 500, removed: 0 }],
    fileDiff('a.ts', 1, ...Array.from({ length: 500 }, (_, index) => `+line ${index}`)),
  );
  const screen = await open({ viewer: long });
  await screen.press('j');
  await screen.wheel('1 file, +500', 'down', 1);
  await screen.wheel('line 14', 'down', 4);
  expect(screen.frame()).not.toContain('1 file, +500');
  expect(here(screen)).toMatch(/line \d+$/);
  await screen.press('G');
  expect(here(screen)).toMatch(/\+ line 499$/);
  expect(screen.frame()).toContain('100%');
  await screen.press('tab', 'tab', 'tab', 'j', ...paneKeys('changes'));
  expect(screen.frame()).toContain('1 file, +500');
});

test('at a merge conflict ctrl-o opens each file of it in the worktree of the attempt, one after the other, and then edited is chosen', async () => {
  const opened: string[] = [];
  const terminal = {
    ...noTerminalPort,
    open: async (path: string) => {
      opened.push(path);
    },
  };
  const screen = await open({ terminal, story: inConflict() });
  await screen.press('u');
  expect(screen.rows().join('\n')).toContain('ctrl-o resolve in the editor');
  await screen.press('ctrl-o');
  await expect.poll(() => opened).toEqual(['/trees/english-2/src/a.ts', '/trees/english-2/b.md']);
  expect(screen.frame()).toContain('▌3 edited');
});

test('what stands in a diff steers no terminal, and a line of a million characters costs no more than a short one', async () => {
  const nasty = changesViewer(
    [{ path: 'a\u001b[2J.ts', added: 2, removed: 0 }],
    fileDiff('a\u001b[2J.ts', 1, '+\u001b]0;title\u0007\u001b[31mred\u202e', `+${'x'.repeat(1_000_000)}`),
  );
  const screen = await open({ viewer: nasty });
  expect(screen.styled().ours).not.toMatch(/\u001b\](?!8)|\u0007|\u001b\[2J|\u202e|\u001b\[31m/);
  expect(screen.frame()).toContain(String.raw`+ \u001b]0;title\u0007\u001b[31mred\u202e`);
  await screen.press('l', 'l');
  expect(screen.frame()).toContain('+ xxxx');
});

test('comments on lines of a diff are the words of a rejection, in the order of the files', async () => {
  const screen = await open({ story: waitingForReview(), viewer: edited });
  expect(screen.frame()).toContain('Review: y accepts · Y rejects · m comments');
  await screen.press('J', ']', ']', 'j', 'j', 'm');
  await screen.type('say why');
  expect(screen.rows().at(-1)).toContain('src/greeting.ts:98: say why');
  await screen.press('enter', '[', '[', 'j', 'j', 'j', 'j', 'm');
  await screen.type('too long');
  await screen.press('enter');
  expect(here(screen)).toMatch(/^11 +- +const words/);
  await screen.press('g');
  expect(screen.frame()).toContain('Y rejects with 2 comments');
  expect(screen.frame()).toMatch(/◉ src\/greeting\.ts:11: too long[\s\S]*◉ src\/greeting\.ts:98: say why/);
  await screen.press('Y', 'enter');
  expect(screen.intents.at(-1)).toMatchObject({
    type: 'publish',
    signal: {
      type: 'ANSWER',
      request: 'review:english:2',
      option: 'reject',
      message: 'src/greeting.ts:11: too long\nsrc/greeting.ts:98: say why',
    },
  });
  expect(screen.frame()).not.toContain('with 2 comments');
});

test('a review that has comments opens at the verdict that sends them, and accepting sends none', async () => {
  const screen = await open({ story: waitingForReview(), viewer: edited });
  await screen.press('J', ']', 'j', 'm');
  await screen.type('say why');
  await screen.press('enter', 'u');
  expect(screen.frame()).toMatch(/▌2 reject[\s\S]*Message: src\/\S+: say why[\s\S]*Enter reject/);
  await screen.press('up');
  expect(screen.frame()).toMatch(/▌1 accept[\s\S]*your words are kept for reject[\s\S]*Enter accept/);
  await screen.press('enter');
  expect(screen.intents.at(-1)).toMatchObject({ type: 'publish', signal: { option: 'accept' } });
  expect(JSON.stringify(screen.intents)).not.toContain('say why');
});

test('y accepts after a question; an empty comment takes it away; without a review the keys say why not', async () => {
  const screen = await open({ story: waitingForReview(), viewer: edited });
  await screen.press('m');
  expect(screen.rows().at(-1)).toContain('Go to a line in the diff first: J');
  await screen.press('J', ']', 'j', 'm', 'x', 'enter', 'm', 'backspace', 'enter');
  expect(screen.frame()).not.toContain('rejects with');
  await screen.press('y');
  expect(screen.frame()).toContain('Accept english');
  await screen.press('enter');
  expect(screen.intents.at(-1)).toMatchObject({ signal: { request: 'review:english:2', option: 'accept' } });
  const other = await open();
  await other.press('y');
  expect(other.rows().at(-1)).toContain('The Reviewer decides here: set `review` to `person` or `both`');
});
