import { expect, onTestFinished, test } from 'vitest';
import { paneKey, paneKeys } from '../helpers/pane-key.ts';
import { toEnglish } from '../helpers/scenes/reading.ts';
import { busy } from '../helpers/scenes/timing.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { createStory, type Story, task, twoSideBySide } from '../helpers/story.ts';

const [strong, weak] = ['48;2;41;50;74', '48;2;38;43;54'];
const colours = { colours: 'true', background: 'dark' } as const;
const rowWith = (screen: TestScreen, text: string): string =>
  screen
    .styled()
    .ours.split('\n')
    .find((row) => row.includes(text)) ?? '';

test('the chosen bar of the timeline has the background of a chosen row, weaker without the focus', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: busy(), theme: colours });
  onTestFinished(screen.unmount);
  await screen.press(...paneKeys('timeline'), 'h', 'h');
  expect(rowWith(screen, 'Executor 1')).toContain(strong);
  await screen.press('shift-tab');
  expect(rowWith(screen, 'Executor 1')).toContain(weak);
});

test('all rows of a wrapped line of output are under the cursor', async () => {
  const story = twoSideBySide().prints('english', `${'0123456789'.repeat(20)}\n`);
  const screen = await openScreen({ columns: 120, rows: 36, story, theme: colours });
  onTestFinished(screen.unmount);
  await screen.press(...paneKeys('output'), 'G', 'k', 'j');
  const rows = screen
    .styled()
    .ours.split('\n')
    .filter((row) => /0123456789/u.test(row));
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) expect(row).toContain(strong);
});

test('the chosen attempt in Details is under the cursor in all of its rows, and one without another is no choice', async () => {
  const why = `two are missing: ${'good night, '.repeat(12)}hello`;
  const story = twoSideBySide().fails('english', why).starts('english', 2);
  const screen = await openScreen({ columns: 120, rows: 36, story, theme: colours });
  onTestFinished(screen.unmount);
  await screen.press(...toEnglish, ...paneKeys('details'), '<');
  const rows = () => {
    const all = screen.styled().ours.split('\n');
    return all.slice(
      all.findIndex((row) => row.includes('1 failed')),
      all.findIndex((row) => row.includes('2 running')),
    );
  };
  expect(rows().length).toBeGreaterThan(1);
  for (const row of rows()) expect(row).toContain(strong);
  await screen.press('shift-tab');
  for (const row of rows()) expect(row).toContain(weak);
  await screen.press('>');
  for (const row of rows()) expect(row).not.toMatch(new RegExp(`${strong}|${weak}`));
  screen.store.act({ type: 'selected-task', task: 'vietnamese' });
  await screen.settle();
  expect(rowWith(screen, '1 running')).not.toMatch(new RegExp(`${strong}|${weak}`));
});

const planned = (): Story =>
  createStory()
    .begin()
    .tasks([task('first', []), task('last', ['first'])]);
const worked = (): Story => {
  const story = planned().wave(1, ['first']).starts('first').qualifies('first');
  return story
    .wave(2, ['last'])
    .starts('last')
    .qualifies('last')
    .state('KNOWLEDGE_EXTRACTION')
    .add({
      ...{ type: 'invocation.started', invocation: 'Librarian-9', role: 'Librarian', mode: 'STAGE' },
      ...{ backend: 'script', cycle: 1, messages: [] },
    });
};

test.each([
  ['before the work begins', planned],
  ['at the knowledge gate', () => worked().knowledgeGate(['a.md'])],
  ['after the end', () => worked().state('COMPLETE')],
] as const)(
  '%s the task that the keys act on is marked in each form, and the first j leads to the next one',
  async (_, story) => {
    const screen = await openScreen({ columns: 120, rows: 36, story: story() });
    onTestFinished(screen.unmount);
    const marked = (): readonly string[] =>
      screen
        .rows()
        .slice(3)
        .flatMap((row) => /^.{0,50}▌[^a-z]*([a-z]+) /.exec(row)?.[1] ?? []);
    const forms = [];
    for (let turn = 0; turn < 3; turn += 1) {
      forms.push(marked());
      await screen.press('w');
    }
    expect(forms).toEqual([['first'], ['first'], ['first']]);
    await screen.press('w', 'j');
    expect(marked()).toEqual(['last']);
  },
);

test('a tab about the chosen task leaves the keys in the list: j shows the next task there, and its digit again moves them', async () => {
  const story = twoSideBySide();
  const screen = await openScreen({ columns: 120, rows: 36, story });
  onTestFinished(screen.unmount);
  await screen.press('g', paneKey('details'));
  expect(screen.frame()).toMatch(/━ Tasks ━[^\n]*\[3 Details\]/);
  expect(screen.rows()[4]).toContain('│ init  Set the workspace up');
  await screen.press('j');
  expect(screen.rows()[4]).toContain('│ schema  Generate the schema');
  await screen.press(paneKey('changes'), 'j');
  expect(screen.store.getState().ui).toMatchObject({ focus: 'tasks', selected: { tasks: 'english' } });
  await screen.press(paneKey('changes'), 'j');
  expect(screen.store.getState().ui).toMatchObject({ focus: 'right', selected: { tasks: 'english' } });
});

test('a tab about the session takes the keys, and so does each where only one pane is in sight', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide() });
  onTestFinished(screen.unmount);
  await screen.press('g', paneKey('events'));
  expect(screen.store.getState().ui.focus).toBe('right');
  const small = await openScreen({ columns: 60, rows: 20, story: twoSideBySide() });
  onTestFinished(small.unmount);
  await small.press('g', paneKey('details'));
  expect(small.store.getState().ui.focus).toBe('right');
  expect(small.frame()).toContain('init  Set the workspace up');
});
