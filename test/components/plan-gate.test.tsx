import { expect, onTestFinished, test } from 'vitest';
import { scenes } from '../helpers/scenes/index.ts';
import { extremeSizes, goldenSizes, openScene } from '../helpers/scenes/scene.ts';
import type { TestScreen } from '../helpers/screen.tsx';

const open = async (columns: number, rows: number): Promise<TestScreen> => {
  const scene = scenes.find(({ name }) => name === 'plan-gate');
  if (scene === undefined) throw new Error('there is no scene plan-gate');
  const screen = await openScene(scene, { columns, rows });
  onTestFinished(screen.unmount);
  return screen;
};

const sent = (screen: TestScreen) =>
  screen.intents.map((intent) => (intent.type === 'publish' ? intent.signal : intent));

test.each([...goldenSizes, ...extremeSizes])(
  'at %ix%i every part of a task can be read',
  async (columns, rows) => {
    const screen = await open(columns, rows);
    let read = screen.frame();
    for (let page = 0; page < 40 && !/the end · PgUp/.test(screen.frame()); page += 1) {
      await screen.press('pagedown');
      read += screen.frame();
    }
    for (const part of [
      'Generate the schema',
      'by gemini',
      'The schema is generated',
      'the generator gives the same bytes twice',
      'src/schema.json',
      'node tools/generate-schema.js',
      'git diff --exit-code',
    ])
      expect(read).toContain(part);
    // The next task is read from its start.
    await screen.press('down');
    expect(screen.frame()).toContain('English greetings');
    expect(screen.frame()).not.toContain('the end · PgUp');
  },
);

test('Enter on a task only leads to the decision, and the second one approves', async () => {
  const screen = await open(80, 24);
  await screen.press('enter');
  expect(sent(screen)).toEqual([]);
  expect(screen.frame()).toContain('▌1 approve');
  await screen.press('enter');
  expect(sent(screen)).toEqual([
    expect.objectContaining({ type: 'ANSWER', request: 'plan', option: 'approve' }),
  ]);
});

test('comments on tasks go back to the Planner with the names of their tasks', async () => {
  const screen = await open(120, 36);
  await screen.type('Twenty greetings, not twelve.');
  await screen.press('down');
  await screen.type('Not the formal ones.');
  expect(screen.frame()).toMatch(/[│┃▌] ?◉ schema /);
  // Back on a task its comment is in the field again.
  await screen.press('up');
  expect(screen.frame()).toContain('On schema: Twenty greetings, not twelve.');
  await screen.press('tab');
  expect(screen.frame()).toMatch(/Your comment +│\n.* Twenty greetings, not twelve\. /);
  expect(screen.frame()).toMatch(/▌2 revise .* sends 2 comments/);
  await screen.type('Fewer tasks, please.');
  await screen.press('enter');
  expect(sent(screen)).toEqual([
    expect.objectContaining({
      option: 'revise',
      message: 'schema: Twenty greetings, not twelve.\nenglish: Not the formal ones.\nFewer tasks, please.',
    }),
  ]);
  // They are sent, and no drafts any more.
  expect(Object.values(screen.store.getState().ui.drafts).filter((text) => text !== '')).toEqual([]);
});

test('with comments approve is not sent by Enter: they would be lost', async () => {
  const screen = await open(120, 36);
  await screen.type('Twenty greetings, not twelve.');
  await screen.press('tab', 'up');
  expect(screen.frame()).toContain('Enter switch to revise to send this text');
  await screen.press('enter');
  expect(sent(screen)).toEqual([]);
  expect(screen.frame()).toContain('▌2 revise');
});

test('comments outlive Esc, and a click chooses a task or an option', async () => {
  const screen = await open(120, 36);
  await screen.type('Twenty greetings, not twelve.');
  await screen.press('escape', 'u');
  expect(screen.frame()).toContain('On schema: Twenty greetings, not twelve.');
  await screen.click('docs  ');
  expect(screen.frame()).toContain('docs  Reference pages');
  await screen.click('abort');
  expect(screen.frame()).toContain('▌3 abort');
  expect(sent(screen)).toEqual([]);
});

test('a digit chooses from the tasks too where no comment is begun, and nothing is decided by it alone', async () => {
  const screen = await open(120, 36);
  await screen.press('2');
  expect(screen.frame()).toContain('▌2 revise');
  expect(screen.frame()).toContain('On the whole plan:');
  await screen.press('1');
  expect(screen.frame()).toContain('Enter approve');
  expect(sent(screen)).toEqual([]);
  await screen.press('enter');
  expect(sent(screen)).toEqual([expect.objectContaining({ request: 'plan', option: 'approve' })]);
});

test('in a comment a digit is text', async () => {
  const screen = await open(120, 36);
  await screen.type('All 1');
  await screen.press('2');
  expect(screen.frame()).toContain('On schema: All 12');
});

test('every task names the agent that would work on it', async () => {
  const screen = await open(120, 36);
  expect(screen.frame()).toContain(' by gemini ');
  await screen.press('down');
  expect(screen.frame()).toContain('English greetings');
  expect(screen.frame()).toContain(' by script ');
});
