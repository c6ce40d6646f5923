import { afterEach, expect, test } from 'vitest';
import { noTerminalPort } from '../../components/ports/terminal-port.ts';
import { paneKeys } from '../helpers/pane-key.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
const open = async (options: ScreenOptions): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 80, rows: 24, ...options });
  screens.push(screen);
  await screen.press(...paneKeys('events'));
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const why =
  'the first of many words that do not fit into one line of this pane, and the last of them is whole';
const failing = () => twoSideBySide().fails('english', why);
/** What the pane on the right says, without its frame. */
const said = (screen: TestScreen): string =>
  screen
    .rows()
    .map((row) => (row.split('│')[1] ?? '').trim())
    .join(' ');

test('an event too long for its line is opened with Enter, and Esc closes it, ends the filter and follows again', async () => {
  const screen = await open({ story: failing() });
  expect(said(screen)).not.toContain('the last of them is whole');
  await screen.press('f');
  await screen.type('task.failed');
  await screen.press('enter', 'enter');
  expect(said(screen)).toMatch(/▌\d\d:\d\d:\d\d english failed: /);
  expect(said(screen)).toContain('task         english');
  expect(said(screen).replaceAll(/ +/g, ' ')).toContain(why);
  await screen.press('escape');
  expect(said(screen)).toContain('matching "task.failed"');
  expect(said(screen).replaceAll(/ +/g, ' ')).not.toContain(why);
  await screen.press('escape');
  expect(said(screen)).not.toContain('matching "task.failed"');
});

test('the cursor stays on its event while others come, and G follows them again', async () => {
  const story = failing();
  const screen = await open({ story });
  await screen.press('k', 'k');
  const at = Number(screen.store.getState().ui.readings['events']?.at);
  expect(story.events.find(({ seq }) => seq === at)?.type).toBe('command.started');
  story.starts('english', 2);
  for (const event of story.events.slice(-2)) screen.store.dispatch(event);
  await screen.settle();
  expect(Number(screen.store.getState().ui.readings['events']?.at)).toBe(at);
  expect(said(screen)).toContain('▌');
  await screen.press('G');
  expect(said(screen)).not.toContain('▌');
  await screen.press('g');
  expect(said(screen)).toMatch(/▌\d\d:\d\d:\d\d session 260215-101500 in/);
});

test('c copies the event under the cursor as it stands in the journal', async () => {
  const copied: string[] = [];
  const terminal = {
    ...noTerminalPort,
    copy: async (text: string) => {
      copied.push(text);
      return 'copied';
    },
  };
  const story = failing();
  const screen = await open({ terminal, story });
  await screen.press('k', 'j', 'c');
  expect(JSON.parse(copied[0] ?? '')).toEqual(story.events.at(-1));
});

test('a click chooses an event, a click on the chosen one opens it', async () => {
  const screen = await open({ story: failing() });
  await screen.click('english failed');
  expect(said(screen)).toMatch(/▌\d\d:\d\d:\d\d english failed: /);
  await screen.click('english failed');
  expect(said(screen).replaceAll(/ +/g, ' ')).toContain(why);
});

test('the exit of a command is named as one', async () => {
  const ended = twoSideBySide().commandEnds('english', false, 1).events.at(-1);
  if (ended?.type !== 'command.ended') throw new Error('the story tells of no command that ended');
  const screen = await open({ story: twoSideBySide().add({ ...ended, exit: '7' }) });
  expect(said(screen)).toContain('english failed: exit 7');
  await screen.press(...paneKeys('output'));
  expect(said(screen)).toMatch(/✗ exit 7 0:03/);
});

test('a filter of the sentences shows no step of the machine, and its line names the key of the raw events, which do', async () => {
  const story = twoSideBySide().add({
    type: 'checkpoint.reached',
    agent: 'Executor',
    checkpoint: 'Executor.3.5',
    invocation: 'Executor-1',
  });
  const screen = await openScreen({ columns: 120, rows: 36, story });
  await screen.press(...paneKeys('events'));
  expect(screen.frame()).not.toContain('checkpoint.reached');
  await screen.press('f');
  await screen.type('Executor');
  await screen.press('enter');
  expect(screen.frame()).toContain('english started');
  expect(screen.frame()).not.toMatch(/checkpoint\.reached|raw events/);
  await screen.press('f');
  await screen.press(...Array.from({ length: 8 }, () => 'backspace'));
  await screen.type('checkpoint');
  await screen.press('enter');
  expect(screen.frame()).not.toContain('checkpoint.reached');
  expect(screen.frame()).toMatch(/matching "checkpoint": 0 of \d+ · t searches the raw events/);
  await screen.press('t');
  expect(screen.frame()).toContain('checkpoint.reached');
  expect(screen.frame()).toContain('matching "checkpoint": 1 of ');
  screen.unmount();
});

test('events are sentences, and raw shows each as the journal has it', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: failing() });
  screens.push(screen);
  await screen.press(...paneKeys('events'));
  expect(said(screen)).toMatch(/\d\d:\d\d:\d\d english is waiting for review \(changed src\/english\.ts\)/);
  expect(said(screen)).not.toContain('invocation.ended');
  await screen.press('t');
  expect(said(screen)).toMatch(/invocation\.ended +Reviewer-\d+/);
  expect(said(screen)).toMatch(/task\.submitted +english/);
  await screen.press('t');
  expect(said(screen)).not.toContain('task.submitted');
});
