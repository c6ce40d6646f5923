import { afterEach, describe, expect, test } from 'vitest';
import { createTheme } from '../../components/draw/theme.ts';
import { sharesOf } from '../../components/output/select-beside.ts';
import { paneKeys, shortTabTitle, tabTitle } from '../helpers/pane-key.ts';
import { createViewer, secondAttempt, toEnglish } from '../helpers/scenes/reading.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { createStory, task, twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
const open = async (options: ScreenOptions): Promise<TestScreen> => {
  const screen = await openScreen(options);
  screens.push(screen);
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const stopped: string[] = [];
const viewer = createViewer(stopped);

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
    expect(screen.frame()).toContain('No task matches this filter');
    await screen.press('escape');
    expect(screen.intents).toEqual([]);
    expect(screen.store.getState().ui.overlays).toEqual([]);
    expect([before, screen.store.getState().ui.tab]).toEqual(['output', 'output']);
  });

  test('Enter on a line of the output that folds nothing says what does', async () => {
    const screen = await open({ ...wide, story: secondAttempt() });
    await screen.press(...toEnglish, ...paneKeys('output'), 'g', 'enter');
    expect(screen.rows().at(-1)).toContain('There is nothing to fold on this line: Enter folds a command');
    await screen.press('t', 'enter');
    expect(screen.rows().at(-1)).toContain('The raw log file has nothing to fold: t shows blocks');
  });

  test('the digits behind the tabs show Inbox and Processed, which are tabs on a small screen', async () => {
    const screen = await open({ columns: 80, rows: 24, viewer, story: secondAttempt() });
    await screen.press(...paneKeys('inbox'));
    expect(screen.rows()[3]).toContain(`[${shortTabTitle('inbox')}]`);
    await screen.press(...paneKeys('processed'));
    expect(screen.rows()[3]).toContain(`[${shortTabTitle('processed')}]`);
  });

  test('on the smallest screen, where only one pane is seen, its title says that a filter hides tasks', async () => {
    const screen = await open({ columns: 60, rows: 20, viewer, story: secondAttempt() });
    await screen.press('f');
    await screen.type('english');
    await screen.press('enter');
    expect(screen.rows()[3]).toContain('[Task "english" · 2 of 8]');
  });

  test('a tab that says what a filter hides is alone in saying it', async () => {
    const screen = await open({ ...wide, story: secondAttempt() });
    await screen.press('f');
    await screen.type('english');
    await screen.press('enter');
    expect(screen.frame().split('2 of 8')).toHaveLength(2);
    await screen.press('z');
    expect(screen.frame()).toContain('[Tasks "english" · 2 of 8] 1 Output');
    expect(screen.frame().split('2 of 8')).toHaveLength(2);
  });

  test('on 80 columns the tabs keep their names, and the progress of the tasks gives way to them: the header shows it', async () => {
    const tasks = Array.from({ length: 300 }, (_, index) => task(`t${index + 1}`));
    const screen = await open({ columns: 80, rows: 24, viewer, story: createStory().begin().tasks(tasks) });
    expect(screen.rows()[0]).toContain('0/300');
    const [first = '', ...others] = (['output', 'changes', 'details', 'events', 'timeline'] as const).map(
      tabTitle,
    );
    const lists = (['inbox', 'processed'] as const).map(shortTabTitle);
    expect(screen.rows()[3]).toContain(`[${first}] ${[...others, ...lists].join(' ')}`);
  });

  test('a narrow list shows its progress as shortly as there is room', async () => {
    const tasks = Array.from({ length: 300 }, (_, index) => task(`t${index + 1}`));
    const ids = tasks.map(({ id }) => id);
    const failed = createStory().begin().tasks(tasks).wave(1, ids);
    for (const id of ids.slice(0, 12))
      for (const attempt of [1, 2, 3]) failed.starts(id, attempt).fails(id, 'no');
    const screen = await open({ columns: 99, rows: 24, viewer, story: failed });
    await screen.press(...paneKeys('details'));
    expect(screen.rows()[3]).toContain('0/300 ✗12');
  });

  test('the Events tell what a signal is and which command ran, and can be filtered by it', async () => {
    const steer = { type: 'STEER', target: 'Executor', task: 'english', message: 'x' } as const;
    const story = twoSideBySide().pending('s1', steer).add({
      type: 'gate.opened',
      gate: 'plan',
      iteration: 1,
      deadline_ms: null,
      files: [],
    });
    const screen = await open({ ...wide, story });
    await screen.press(...paneKeys('events'));
    expect(screen.frame()).toContain('the plan is waiting for approval');
    await screen.press('f');
    await screen.type('STEER');
    await screen.press('enter');
    expect(screen.frame()).toMatch(/STEER english.*will be read by the agent on english/);
    await screen.press('f');
    await screen.press(...Array.from({ length: 5 }, () => 'backspace'));
    await screen.type('greet.js');
    expect(screen.frame()).toContain('english $ node tools/greet.js en');
  });

  test('the log file keeps its colours over the ends of its lines and lets nothing through that steers a terminal', async () => {
    const raws = ['\u001b[35mpurple', 'purple still\u001b]0;title\u0007\u001b[3A', '\u001b[0mplain'];
    const text = raws.map((raw, index) => ({ at: index * 20, text: raw }));
    const screen = await open({
      ...wide,
      theme: { colours: '16' },
      viewer: { ...viewer, readLog: () => Promise.resolve({ size: 60, from: 0, to: 60, lines: text }) },
      story: secondAttempt(),
    });
    await screen.press(...toEnglish, 't');
    const rows = screen.styled().ours.split('\n');
    const row = (words: string): string => rows.find((each) => each.includes(words)) ?? '';
    expect(row('purple still')).toContain('\u001b[35mpurple still');
    expect(row('plain')).not.toContain('\u001b[35mplain');
    expect(screen.styled().ours).not.toMatch(/\u001b\](?!8)|\u0007|\u001b\[3A/);
  });

  test('T unfolds what an agent thinks aloud and folds it again; without any it says so', async () => {
    const screen = await open({ ...wide, story: twoSideBySide() });
    await screen.press('T');
    expect(screen.rows().at(-1)).toContain('There are no thoughts in this output');
    await screen.press('!');
    expect(screen.rows().at(-1)).toContain(
      'This command cannot be interrupted: a message sent with s is read when it ends',
    );
    const story = twoSideBySide();
    const working = story.events.findLast(
      (event) => event.type === 'invocation.started' && event.task === 'english',
    );
    const text = `The greeting needs a comma. ${'It is read aloud. '.repeat(12)}So I add one.`;
    const thinking = await open({
      ...wide,
      story: story.add({
        type: 'thought.noted',
        ...{ invocation: working && 'invocation' in working ? String(working.invocation) : '' },
        ...{ task: 'english', attempt: 1, text, characters: text.length },
      }),
    });
    thinking.store.act({ type: 'selected-task', task: 'english' });
    await thinking.press(...paneKeys('output'));
    expect(thinking.frame()).toContain('thought: The greeting needs a comma.');
    expect(thinking.frame()).not.toContain('So I add one.');
    await thinking.press('T');
    expect(thinking.frame().replace(/\s+/g, ' ')).toContain('one.');
    await thinking.press('T');
    expect(thinking.frame()).not.toContain('one.');
  });

  test('a refused key says why only as long as it is true', async () => {
    const screen = await open({ ...wide, story: twoSideBySide() });
    await screen.press('u');
    expect(screen.rows().at(-1)).toContain('Nothing is waiting for you');
    const { events } = twoSideBySide().knowledgeGate(['lesson.md']);
    for (const event of events.slice(twoSideBySide().events.length)) screen.store.dispatch(event);
    screen.clock.advance(200);
    await screen.settle();
    expect(screen.rows()[0]).toContain('Needs you (1)');
    expect(screen.frame()).not.toContain('Nothing is waiting for you');
  });

  test('Enter in a search goes to the first match and says how many there are; n goes on', async () => {
    const screen = await open({ ...wide, viewer: createViewer(), story: secondAttempt() });
    await screen.press(...toEnglish, '/');
    await screen.type('step');
    await screen.press('enter');
    expect(screen.frame()).toMatch(/▌› node step\.js 0[\s\S]*"step" 1 of \d/);
    await screen.press('n');
    expect(screen.frame()).toMatch(/"step" 2 of \d/);
  });

  test('a match that only the file has is shown in it, with the key back to the blocks', async () => {
    const screen = await open({ ...wide, columns: 160, story: secondAttempt() });
    await screen.press(...toEnglish, '/');
    await screen.type('hello');
    await screen.press('enter', 'n');
    expect(screen.frame()).toMatch(/│ line 12\s/);
    expect(screen.frame()).toMatch(/"hello" 1 of 3 · at \d+% of the log \(4\.0 kB\) · t blocks/);
    await screen.press('n');
    expect(screen.frame()).toContain('"hello" 2 of 3');
  });

  test('Enter folds and unfolds, [ goes to the failure, and a key that finds nothing says so', async () => {
    const screen = await open({ ...wide, story: secondAttempt() });
    await screen.press(...toEnglish, ...paneKeys('output'), '[');
    expect(screen.frame()).toMatch(/▌\$ node step\.js 1 +✗ exit 1/);
    await screen.press('enter');
    expect(screen.frame()).toMatch(/▌› node step\.js 1 +2 lines ✗ exit 1/);
    await screen.press('enter', '[');
    expect(screen.frame()).toContain('No failures above');
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
    await screen.press(...toEnglish, ...paneKeys('output'), '<');
    expect(screen.frame()).toContain('#1/2 e');
    expect(screen.frame()).toContain('node tools/greet.js en');
    await screen.press(...paneKeys('details'), 'G');
    expect(screen.frame()).toContain('Wrote all greetings, attempt 1.');
    expect(screen.frame()).toContain('complete · ❌ Not met · 2 are missing');
    await screen.press('<');
    expect(screen.frame()).toContain('Attempt 1 is the first');
  });

  test.each([
    [80, 24],
    [120, 36],
  ])('at the end of Details at %ix%i each key moves the text', async (columns, rows) => {
    const screen = await open({ columns, rows, viewer, story: secondAttempt() });
    await screen.press(...toEnglish, ...paneKeys('details'), 'G');
    const end = screen.frame();
    await screen.press('k');
    const above = screen.frame();
    expect(above).not.toBe(end);
    await screen.press('j', 'j');
    expect(screen.frame()).toBe(end);
    await screen.press('k');
    expect(screen.frame()).toBe(above);
  });

  test('colours of a program show as far as the terminal has them, and not at all with NO_COLOR', async () => {
    const { styledSpans } = await import('../../components/draw/sgr.ts');
    const styles = [
      { from: 0, codes: '38;2;255;0;0' },
      { from: 3, codes: '' },
    ];
    const codes = (colours: 'none' | '16' | '256' | 'true') =>
      styledSpans('redx', styles, createTheme({ colours, ascii: false, background: 'dark' })).map(
        (piece) => piece.sgr ?? '',
      );
    expect(codes('true')).toContain('38;2;255;0;0');
    expect(codes('256')).toContain('38;5;196');
    expect(codes('16')).toContain('91');
    expect(codes('none')).toEqual(['']);
  });
});

test('what two agents print shares the Output pane, until a person reads or chooses one of them', async () => {
  const screen = await open({ columns: 120, rows: 36, story: twoSideBySide() });
  expect(screen.frame()).toMatch(
    /ok 2 - good morning[\s\S]*│─ vietnamese running 0:18 ─+\n[\s\S]*greet\.js vi/,
  );
  await screen.click('─ vietnamese running');
  expect(screen.store.getState().ui.selected.tasks).toBe('vietnamese');
  expect(screen.frame()).not.toMatch(/│─ (?:vietnamese|english) running/);
  expect(screen.frame()).not.toContain('ok 2 - good morning');
});

test.each([
  [[3, 30], 10, [3, 7]],
  [[30, 30], 11, [6, 5]],
  [[2, 30, 30], 12, [2, 5, 5]],
  [[2, 3], 20, [2, 3]],
])('of parts that need %j rows in %i rows each gets %j', (needs, rows, shares) => {
  expect(sharesOf(needs, rows)).toEqual(shares);
});
