import { afterEach, expect, test } from 'vitest';
import { waitWord } from '../../src/words/task-status.ts';
import { executorOutcome } from '../helpers/outcomes.ts';
import { paneKeys } from '../helpers/pane-key.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { createStory, type Story, task } from '../helpers/story.ts';

const screens: TestScreen[] = [];
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const rowsOf = async (story: Story): Promise<readonly string[]> => {
  const screen = await openScreen({ story, columns: 128, rows: 36 });
  screens.push(screen);
  return screen.rows();
};

const titled = (id: string, title: string) => ({ ...task(id), title });

test('one long id does not take the titles from all other rows', async () => {
  const tasks = [
    titled('deps', 'Install what is needed'),
    titled('lint', 'Look for mistakes'),
    titled('unit', 'Unit tests'),
    titled('docs', 'Documentation'),
    titled('ledger-schema-migration-of-the-archive', 'Migrate'),
  ];
  const rows = await rowsOf(
    createStory()
      .begin()
      .tasks(tasks)
      .wave(
        1,
        tasks.map(({ id }) => id),
      )
      .starts('deps')
      .starts('ledger-schema-migration-of-the-archive'),
  );
  const row = (id: string): string =>
    // The other panes name tasks, too.
    rows
      .slice(4)
      .map((each) => each.slice(0, 49))
      .find((each) => each.includes(` ${id}`)) ?? '';
  expect(row('deps')).toMatch(/▸ deps {2}Install what is needed +running +0:0\d /);
  expect(row('lint')).toMatch(/lint {2}Look for mistakes +ready/);
  expect(row('ledger')).toMatch(/▸ ledger-schema-migration\S*… +running +0:00 /);
});

test('a task that names no files says in its details that it runs alone, and a paused one that it is', async () => {
  const story = createStory()
    .begin()
    .tasks([task('deps', [], { files: [] })])
    .wave(1, ['deps'])
    .starts('deps')
    .add({ type: 'hold.requested', signal: null, by: 'kim' })
    .add({
      type: 'invocation.paused',
      invocation: 'Executor-2',
      checkpoint: 'Executor.3.5',
      continuation: null,
    })
    .add({ type: 'hold.begun', processes: 0 });
  const screen = await openScreen({ story, columns: 128, rows: 36 });
  screens.push(screen);
  await screen.press(...paneKeys('details'));
  expect(screen.frame()).toMatch(/Declared files[^\n]*\n[^\n]*none, so the task runs alone/);
  expect(screen.frame()).toMatch(/│ paused\n/);
});

test('of a command that failed a narrow row says how it ended and what it printed, not the command', async () => {
  const command = 'echo linting; sleep 3; echo `date`; npm run lint -- --max-warnings 0';
  const said = 'exited 1 after 3.0 s: src/a.ts:12 unused';
  const tasks = [task('lint'), task('other')];
  const story = createStory().begin().tasks(tasks).wave(1, ['lint', 'other']);
  for (const attempt of [1, 2, 3]) story.starts('lint', attempt).fails('lint', `\`${command}\` ${said}`);
  const rows = await rowsOf(story);
  expect(rows.find((each) => each.includes('✗ lint'))).toMatch(/failed: exit 1: src\/a\.ts:12 unused? /);
  const reviewed = createStory().begin().tasks(tasks).wave(1, ['lint', 'other']);
  for (const attempt of [1, 2, 3])
    reviewed.starts('lint', attempt).fails('lint', `review: \`${command}\` timed out after 60.0 s.`);
  expect((await rowsOf(reviewed)).find((each) => each.includes('✗ lint'))).toMatch(
    /failed: review: timed out/,
  );
});

test('a task that failed keeps its title, and its row the end of its command', async () => {
  const tasks = [
    titled('lint', 'Look for mistakes'),
    { ...titled('ship', 'Publish it'), blockedBy: ['lint'] },
  ];
  const story = createStory().begin().tasks(tasks).wave(1, ['lint']);
  for (const attempt of [1, 2, 3])
    story.starts('lint', attempt).fails('lint', '`npm run lint` exited 1 after 3.0 s: src/a.ts:12 unused');
  const screen = await openScreen({ story, columns: 128, rows: 36 });
  screens.push(screen);
  await screen.press('w', 'w');
  expect(screen.frame()).toMatch(/✗ lint {2}Look for mistakes +failed: exit 1 /);
  expect(screen.frame()).toMatch(/⊘ ship {2}Publish it +unreachable: lint failed /);
});

test('the heavier branch is explained where the keys are, in the signs of the terminal', async () => {
  for (const [ascii, sign] of [
    [false, '┝ ┕'],
    [true, '# #'],
  ] as const) {
    const screen = await openScreen({ columns: 120, rows: 36, theme: { ascii } });
    screens.push(screen);
    await screen.press('?', 'tab', 'G');
    expect(screen.frame()).toMatch(new RegExp(`${sign} +longest chain +of the remaining tasks`));
  }
});

test('while everything waits for a person a task says since when it asks', async () => {
  const story = createStory()
    .begin()
    .tasks([task('docs')])
    .wave(1, ['docs'])
    .starts('docs');
  const { invocation = '' } = story.events.findLast((event) => event.type === 'task.started') ?? {};
  story
    .add({ type: 'invocation.ended', invocation, outcome: executorOutcome('docs', 1) })
    .add({ type: 'task.submitted', task: 'docs', attempt: 1, invocation, files: [] })
    .add({
      ...{ type: 'question.asked', kind: 'review', request: 'review:docs:1', text: 'Accept docs?' },
      ...{ task: 'docs', attempt: 1, options: [], invocation: null },
    });
  const screen = await openScreen({ story, columns: 128, rows: 36 });
  screens.push(screen);
  // All wait, so nothing is drawn until the next minute: the start of the wait stays true.
  expect(screen.frame()).toMatch(/\? docs.* since 10:15/);
  await screen.press('w', 'w');
  expect(screen.frame()).toMatch(/\? docs +asks you +since 10:15/);
  screen.clock.advance(185_000);
  await screen.settle();
  expect(screen.frame()).toMatch(/\? docs +asks you +since 10:15/);
});

test('on a small screen an id is whole, and its row counts what it waits for', async () => {
  const ids = ['research-42_stream', 'review-42_stream', 'implement-42_stream'];
  const tasks = [task(ids[0] ?? '', []), task(ids[1] ?? '', []), task(ids[2] ?? '', ids.slice(0, 2))];
  const story = createStory().begin().tasks(tasks).wave(1, ids.slice(0, 2)).starts('research-42_stream');
  const screen = await openScreen({ story, columns: 80, rows: 24 });
  screens.push(screen);
  expect(screen.rows().find((row) => row.includes('implement'))).toMatch(
    /· implement-42_stream +waits for 2 │/,
  );
  screen.store.act({ type: 'zoomed' });
  await screen.settle();
  expect(screen.frame()).toMatch(/implement-42_stream.* waits for research-42_stream, review-42_stream/);
});

test.each([
  ['waits for a, b', 20, 'waits for a, b'],
  ['waits for english, vietnamese, docs', 20, 'waits for english +2'],
  ['waits for english, vietnamese, docs', 15, 'waits for 3'],
  ['waits for review-42_stream', 20, 'waits for rev…stream'],
  ['waits for review-42_stream', 14, 'waits for 1'],
  ['waits for the Planner', 14, 'waits for the Planner'],
])('%s in %i cells is %s', (word, width, drawn) => {
  const lead = 'waits for ';
  const names = word.slice(lead.length).split(', ');
  expect(waitWord({ word, lead, ...(word.endsWith('Planner') ? {} : { names }) }, width, '…')).toBe(drawn);
});
