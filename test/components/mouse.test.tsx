import { afterEach, describe, expect, test } from 'vitest';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { paneKey, paneKeys, shortTabTitle } from '../helpers/pane-key.ts';
import { openStart } from '../helpers/scenes/arriving.ts';
import { createViewer, secondAttempt, toEnglish } from '../helpers/scenes/reading.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { createStory, type Story, task, twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
const open = async (story: Story | null, options: ScreenOptions = {}): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 120, rows: 36, ...(story ? { story } : {}), ...options });
  screens.push(screen);
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const many = (): Story =>
  createStory()
    .begin()
    .tasks(Array.from({ length: 90 }, (_, index) => task(`t${String(index).padStart(2, '0')}`, [])));

const withSignals = (): Story =>
  twoSideBySide()
    .pending('i1', { type: 'INFO', target: 'ALL', message: 'one' })
    .pending('i2', { type: 'INFO', target: 'ALL', message: 'two' });

const ui = (screen: TestScreen) => screen.store.getState().ui;

test('the mouse is on until somebody gives it back: by ui.mouse, or by its key for this screen', async () => {
  const screen = await open(twoSideBySide());
  expect(screen.isMouseOn()).toBe(true);
  await screen.press('M');
  expect(screen.isMouseOn()).toBe(false);
  expect(screen.rows().at(-1)).toContain('The mouse is off');
  await screen.press('M');
  expect(screen.isMouseOn()).toBe(true);
  expect(screen.rows().at(-1)).toContain('The mouse is on');
  screen.store.act({ type: 'preferred', change: { mouse: false } });
  await screen.settle();
  expect(screen.isMouseOn()).toBe(false);
  screen.store.act({ type: 'preferred', change: { mouse: true } });
  await screen.settle();
  expect(screen.isMouseOn()).toBe(true);
  screen.unmount();
  await screen.settle();
  expect(screen.isMouseOn()).toBe(false);
});

test('the first screen of a person says how to select text, and a later one does not', async () => {
  const { noTerminalPort } = await import('../../components/ports/terminal-port.ts');
  const first = await open(twoSideBySide(), {
    terminal: { ...noTerminalPort, recall: () => ({ drafts: {}, history: [] }) },
  });
  expect(first.rows().at(-1)).toContain('Hold Shift to select text; M turns it off');
  const later = await open(twoSideBySide());
  expect(later.frame()).not.toContain('Hold Shift');
});

test('the editor has the terminal without the mouse, and the screen has it back', async () => {
  const states: boolean[] = [];
  const { noTerminalPort } = await import('../../components/ports/terminal-port.ts');
  const terminal = {
    ...noTerminalPort,
    edit: async () => {
      states.push(screen.isMouseOn());
      return 'written';
    },
  };
  const screen: TestScreen = await open(twoSideBySide(), { terminal });
  await screen.press('s', 'ctrl-g');
  expect(states).toEqual([false]);
  expect(screen.isMouseOn()).toBe(true);
  expect(screen.frame()).toContain('written');
});

describe.each([
  [120, 36],
  [80, 24],
] as const)('a click at %i×%i', (columns, rows) => {
  test('on a task chooses it, on the chosen one opens its details', async () => {
    const screen = await open(twoSideBySide(), { columns, rows });
    await screen.press('tab');
    await screen.click('· load-test');
    expect(ui(screen)).toMatchObject({ focus: 'tasks', tab: 'output', selected: { tasks: 'load-test' } });
    await screen.click('· load-test');
    expect(ui(screen)).toMatchObject({ focus: 'right', tab: 'details' });
    expect(screen.frame()).toContain('load-test  ');
  });

  test('on a word or a blank of a row is for its task, and on a wave or a rule for the pane', async () => {
    const screen = await open(twoSideBySide(), { columns, rows });
    await screen.press(...paneKeys('changes'));
    await screen.click('waits for service ');
    expect(ui(screen).selected.tasks).toBe('load-test');
    await screen.press(...paneKeys('changes'));
    await screen.click('Level 3');
    expect(ui(screen)).toMatchObject({ focus: 'tasks', selected: { tasks: 'load-test' } });
    await screen.press(...paneKeys('changes'));
    await screen.click(' Tasks');
    expect(ui(screen).focus).toBe('tasks');
  });

  test('on a tab shows it', async () => {
    const screen = await open(twoSideBySide(), { columns, rows });
    await screen.click('Ev');
    expect(ui(screen)).toMatchObject({ focus: 'right', tab: 'events' });
    await screen.click('Details');
    expect(ui(screen)).toMatchObject({ focus: 'right', tab: 'details' });
  });

  test('on a key of the last line presses it', async () => {
    const screen = await open(twoSideBySide(), { columns, rows });
    await screen.click('p pause');
    expect(screen.intents).toMatchObject([{ type: 'publish', signal: { type: 'PAUSE' } }]);
    await screen.click('quit');
    expect(screen.frame()).toContain('Leave?');
  });
});

test('one pane at a time: its title line still leads to the others', async () => {
  const screen = await open(withSignals(), { columns: 60, rows: 20 });
  await screen.click(shortTabTitle('inbox'));
  expect(ui(screen).focus).toBe('inbox');
  await screen.click(shortTabTitle('changes'));
  expect(ui(screen)).toMatchObject({ focus: 'right', tab: 'changes' });
});

test('a click on a signal chooses it, on the chosen one opens it in full', async () => {
  const screen = await open(withSignals());
  await screen.click('INFO    two');
  expect(ui(screen)).toMatchObject({ focus: 'inbox', selected: { inbox: 'i2' } });
  await screen.click('INFO    two');
  expect(ui(screen).overlays).toMatchObject([{ kind: 'signal', id: 'i2' }]);
});

test('a click on a command in Output puts the cursor there, the next one folds it', async () => {
  const screen = await open(secondAttempt(), { viewer: createViewer() });
  await screen.press(...toEnglish);
  await screen.click('node step.js 1');
  expect(ui(screen)).toMatchObject({ focus: 'right', tab: 'output' });
  expect(screen.frame()).toMatch(/▌\$ node step\.js 1/);
  await screen.click('node step.js 1');
  expect(screen.frame()).toMatch(/▌› node step\.js 1 +2 lines/);
});

test('a click on what needs somebody opens it', async () => {
  const asked = twoSideBySide().add({
    type: 'question.asked',
    kind: 'ask',
    request: 'q1',
    text: 'Which form?',
    options: plainOptions(['formal', 'informal']),
    invocation: null,
  });
  const screen = await open(asked);
  await screen.click('Needs you (1)');
  expect(screen.frame()).toContain('A question for you');
  await screen.click('informal');
  expect(screen.intents).toEqual([]);
  await screen.click('informal');
  expect(screen.intents).toMatchObject([{ signal: { type: 'ANSWER', option: 'informal' } }]);
});

describe('while something lies over the panes', () => {
  test('nothing below it can be clicked or turned', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('q');
    const before = ui(screen);
    await screen.click('load-test');
    await screen.click('Ev');
    expect(ui(screen)).toEqual(before);
    await screen.wheel('load-test', 'down');
    expect(ui(screen).overlays).toMatchObject([{ kind: 'quit', cursor: 1 }]);
    expect(ui(screen).tops).toEqual(before.tops);
  });

  test('its rows are chosen and then done, its keys are pressed', async () => {
    const screen = await open(twoSideBySide(), { canLeaveRunning: true });
    await screen.press('q');
    await screen.click('Leave it running');
    expect(screen.intents).toEqual([]);
    await screen.click('Leave it running');
    expect(screen.intents).toEqual([{ type: 'quit', how: 'leave' }]);
    const start = await open(null, { connection: 'stopped' });
    await openStart(start);
    await start.click('Demo');
    await start.click('Enter start');
    expect(start.intents).toEqual([{ type: 'start', start: { what: 'demo' } }]);
  });

  test('the text of a staged file is no choice, its name is one', async () => {
    const gate = twoSideBySide().add({
      type: 'gate.opened',
      gate: 'knowledge',
      iteration: 1,
      deadline_ms: null,
      files: ['how-to/add.md', 'reference/schema.md'],
    });
    const screen = await open(gate, { previews: { 'how-to/add.md': 'first\nsecond line of it' } });
    await screen.press('u');
    await screen.click('second line of it');
    await screen.click('second line of it');
    expect(ui(screen).overlays).toMatchObject([{ cursor: 0, chosen: [] }]);
    await screen.click('Schema');
    await screen.click('Schema');
    expect(ui(screen).overlays).toMatchObject([{ cursor: 1, chosen: ['reference/schema.md'] }]);
  });

  test('the wheel scrolls a text by three rows, and a list by one', async () => {
    const screen = await open(twoSideBySide(), { rows: 24 });
    await screen.press('?');
    await screen.wheel('Here and now', 'down');
    expect(ui(screen).overlays).toMatchObject([{ kind: 'help', top: 3 }]);
    await screen.press('escape', ':');
    await screen.wheel('Commands', 'down', 2);
    expect(ui(screen).overlays).toMatchObject([{ kind: 'palette', cursor: 2 }]);
  });
});

describe('the wheel', () => {
  test('scrolls the list under it by three rows, wherever the keys are, and moves no cursor', async () => {
    const screen = await open(many());
    await screen.press('tab', 'tab');
    const before = ui(screen);
    expect(screen.frame()).toContain('t00');
    await screen.wheel(' Tasks', 'down', 3);
    expect(screen.frame()).not.toMatch(/t0[0-7] /);
    expect(screen.frame()).toContain('t08 ');
    expect(ui(screen)).toEqual({ ...before, tops: { ...before.tops, tasks: 9 } });
    await screen.wheel(' Tasks', 'up', 9);
    expect(screen.frame()).toContain('Level 1');
    await screen.wheel(' Tasks', 'down', 99);
    expect(screen.frame()).toContain('t89');
    await screen.press('shift-tab', 'shift-tab', 'j');
    expect(screen.frame()).toContain('▌├ ○ t01');
  });

  test('scrolls what was printed, stays there while more comes, and follows again at the end', async () => {
    const story = twoSideBySide();
    for (let line = 0; line < 90; line += 1) story.prints('english', `line ${line}.\n`);
    const screen = await open(story);
    expect(screen.frame()).toContain('line 89.');
    await screen.wheel('line 80.', 'up', 2);
    expect(screen.frame()).toContain('more below · ');
    expect(screen.frame()).not.toContain('line 85.');
    const { top } = ui(screen).log;
    story.prints('english', 'line 90.\n');
    const event = story.events.at(-1);
    if (event) screen.store.dispatch(event);
    expect(ui(screen).log.top).toBe(top);
    await screen.wheel('line 80.', 'down', 9);
    expect(ui(screen).log.top).toBe(null);
    expect(screen.frame()).toContain('line 90.');
  });

  test.each(['t', paneKey('details'), paneKey('events')])('scrolls the text that %s shows', async (key) => {
    const screen = await open(secondAttempt(), { viewer: createViewer(), rows: 30 });
    await screen.press(...toEnglish, key);
    await screen.settle();
    const before = screen.frame();
    await screen.wheel('Out', 'up', 2);
    await screen.wheel('Out', 'down', 1);
    await screen.wheel('Out', 'down', 1);
    const after = screen.frame();
    await screen.wheel('Out', 'up', 9);
    expect([after, screen.frame()].some((frame) => frame !== before)).toBe(true);
  });
});

test.each([
  [120, 36],
  [80, 24],
])(
  'at %ix%i the line beside Tasks follows the mouse that holds it, and leaves both panes readable',
  async (columns, rows) => {
    const screen = await open(twoSideBySide(), { columns, rows });
    const divider = () => screen.rows()[8]?.indexOf('│') ?? -1;
    const before = divider();
    const drag = async (from: number, to: number): Promise<void> => {
      await screen.point({ what: 'press', column: from, row: 8 });
      await screen.point({ what: 'drag', column: to, row: 12 });
      await screen.point({ what: 'release', column: to, row: 12 });
    };
    await drag(before, before - 7);
    expect(divider()).toBe(before - 7);
    await drag(before - 7, 2);
    expect(divider()).toBe(24);
    await drag(24, columns);
    expect(divider()).toBe(columns - 25);
    // Without the line under the press nothing moves.
    await drag(5, 40);
    expect(divider()).toBe(columns - 25);
    expect(ui(screen).overlays).toEqual([]);
  },
);
