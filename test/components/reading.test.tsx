import { afterEach, describe, expect, test } from 'vitest';
import type { ViewerPort } from '../../src/store/viewer-port.ts';
import { expectGolden, openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { createStory, diamond, type Story, task, twoSideBySide } from '../helpers/story.ts';

const sizes = [
  [60, 20],
  [80, 24],
  [120, 36],
  [200, 50],
] as const;

const screens: TestScreen[] = [];
const open = async (options: ScreenOptions): Promise<TestScreen> => {
  const screen = await openScreen(options);
  screens.push(screen);
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const lines = Array.from({ length: 400 }, (_, index) => ({ at: index * 10, text: `line ${index}` }));
const stopped: string[] = [];
const viewer: ViewerPort = {
  readLog: (log) => Promise.resolve(log.attempt > 2 ? null : { size: 4_000, from: 0, to: 4_000, lines }),
  searchLog: (_, text, tell) => {
    tell({ at: [120, 1_500, 3_000], done: text !== 'slow', more: false });
    return () => stopped.push(text);
  },
  readReport: ({ attempt }) =>
    Promise.resolve(
      `---\ntask_id: english\n---\n# Task Report: english\n\n### Summary of Changes\nWrote **all** greetings, attempt ${attempt}.\n\n| Criterion | Status | Evidence |\n| --- | --- | --- |\n| polite | ✅ Met | read it |\n| complete | ❌ Not met | 2 are missing |\n`,
    ),
  readChanges: ({ files }) =>
    Promise.resolve({
      files: files.map((path) => ({ path, added: 2, removed: 1 })),
      diff: 'diff --git a/src/english.ts b/src/english.ts\nindex 1..2 100644\n--- a/src/english.ts\n+++ b/src/english.ts\n@@ -1,3 +1,4 @@ export\n const a = 1;\n-const hi = "hi";\n+const hi = "hello";\n+const bye = "good bye";\n',
      missing: null,
    }),
};

/** A first attempt that failed and a second with four commands, in colours and with a line that is too long for any pane. */
const secondAttempt = (): Story => {
  const story = twoSideBySide().commandEnds('english', false, 1).fails('english', 'two are missing');
  story.starts('english', 2);
  for (const index of [0, 1, 2, 3])
    story
      .command('english', `node step.js ${index}`, index, 5)
      .prints('english', `\u001b[32mpassed\u001b[0m ${index}\n${'0123456789 '.repeat(index * 8)}\n`)
      .commandEnds('english', index !== 1, index);
  return story.command('english', 'npm test', 4, 5).prints('english', 'running');
};

const split = (): Story =>
  createStory()
    .begin()
    .tasks([
      ...diamond.filter(({ id }) => id !== 'docs'),
      task('docs', ['schema'], { title: 'Reference pages', replaced_by: ['docs-a', 'docs-b'] }),
      task('docs-a', ['schema'], { title: 'Half of them' }),
      task('docs-b', ['docs-a'], { title: 'The other half' }),
    ]);

interface Scene {
  readonly name: string;
  readonly story: () => Story;
  readonly keys: readonly string[];
}
const toEnglish = ['g', 'j', 'j'] as const;
const scenes: readonly Scene[] = [
  { name: 'output-blocks', story: secondAttempt, keys: [...toEnglish, '1'] },
  {
    name: 'output-search',
    story: secondAttempt,
    keys: [...toEnglish, '/', 'p', 'a', 's', 's', 'e', 'd', 'enter', 'n'],
  },
  { name: 'output-prompt', story: secondAttempt, keys: ['/', 'q', 's'] },
  { name: 'output-raw', story: secondAttempt, keys: [...toEnglish, 't', 'pageup'] },
  { name: 'changes', story: secondAttempt, keys: [...toEnglish, '2', '<'] },
  { name: 'details-report', story: secondAttempt, keys: [...toEnglish, 'enter', '<', 'G'] },
  { name: 'tasks-filter', story: secondAttempt, keys: ['f', 'w', 'a', 'i', 't', 's'] },
  { name: 'tasks-neighbours', story: secondAttempt, keys: [...toEnglish, 'v'] },
  { name: 'tasks-split', story: split, keys: ['z'] },
];

describe.each(sizes)('at %ix%i', (columns, rows) => {
  test.each(scenes)('$name looks as it did', async ({ name, story, keys }) => {
    const screen = await open({ columns, rows, viewer, story: story() });
    await screen.press(...keys);
    expect(screen.rows().length).toBeLessThanOrEqual(rows);
    expectGolden(`${name}.${columns}x${rows}`, screen.frame());
  });
});

describe('reading', () => {
  const wide = { columns: 120, rows: 36, viewer };

  test('what is typed into a search or a filter is text, whatever keys it holds', async () => {
    const screen = await open({ ...wide, story: secondAttempt() });
    const before = screen.store.getState().ui.tab;
    await screen.press('/');
    await screen.type('pA!q2?');
    expect(screen.frame()).toContain('Search the log: pA!q2?');
    await screen.press('escape', 'f');
    await screen.type('q!A');
    expect(screen.frame()).toContain('No task fits this filter');
    await screen.press('escape');
    expect(screen.intents).toEqual([]);
    expect(screen.store.getState().ui.overlays).toEqual([]);
    expect([before, screen.store.getState().ui.tab]).toEqual(['output', 'output']);
  });

  test('Enter folds and unfolds, [ goes to the failure, and a key that finds nothing says so', async () => {
    const screen = await open({ ...wide, story: secondAttempt() });
    await screen.press(...toEnglish, '1', '[');
    expect(screen.frame()).toMatch(/▌\$ node step\.js 1 +✗ exit 1/);
    await screen.press('enter');
    expect(screen.frame()).toMatch(/▌› node step\.js 1 +2 lines ✗ exit 1/);
    await screen.press('enter', '[');
    expect(screen.frame()).toContain('No failure above in this output');
  });

  test('Esc stops a search that still looks and keeps what it found; the next Esc forgets it', async () => {
    const screen = await open({ ...wide, story: secondAttempt() });
    await screen.press('/');
    await screen.type('slow');
    await screen.press('enter');
    expect(screen.frame()).toContain('"slow" 3+ matches, looking');
    await screen.press('escape');
    expect(screen.frame()).toContain('"slow" 3+ matches, stopped');
    expect(stopped).toContain('slow');
    await screen.press('n');
    expect(screen.frame()).toMatch(/│ line 12\s/);
    await screen.press('escape');
    expect(screen.frame()).not.toContain('"slow"');
  });

  test('an earlier attempt has its own output, report and difference', async () => {
    const screen = await open({ ...wide, story: secondAttempt() });
    await screen.press(...toEnglish, '1', '<');
    expect(screen.frame()).toContain('english attempt 1 of 2');
    expect(screen.frame()).toContain('node tools/greet.js en');
    await screen.press('3', 'G');
    expect(screen.frame()).toContain('Wrote all greetings, attempt 1.');
    expect(screen.frame()).toContain('complete · ❌ Not met · 2 are missing');
    await screen.press('<');
    expect(screen.frame()).toContain('Attempt 1 is the first');
  });

  test('colours of a program show as far as the terminal has them, and not at all with NO_COLOR', async () => {
    const { styledSpans } = await import('../../components/parts/sgr.ts');
    const styles = [
      { from: 0, codes: '38;2;255;0;0' },
      { from: 3, codes: '' },
    ];
    const codes = (depth: 'none' | '16' | '256' | 'true') =>
      styledSpans('redx', styles, depth).map((piece) => piece.sgr ?? '');
    expect(codes('true')).toContain('38;2;255;0;0');
    expect(codes('256')).toContain('38;5;196');
    expect(codes('16')).toContain('91');
    expect(codes('none')).toEqual(['']);
  });
});
