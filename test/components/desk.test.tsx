import { afterEach, expect, test } from 'vitest';
import { noTerminalPort, type TerminalPort, type Written } from '../../components/ports/terminal-port.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { type Story, twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
const open = async (options: ScreenOptions = {}): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide(), ...options });
  screens.push(screen);
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const recording = (more: Partial<TerminalPort> = {}) => {
  const kept: Written[] = [];
  const copied: string[] = [];
  const titles: string[] = [];
  const calls: string[] = [];
  const terminal: TerminalPort = {
    ...noTerminalPort,
    recall: () => ({ drafts: {}, history: ['from another session'] }),
    remember: (_, written) => void kept.push(written),
    copy: async (text) => {
      copied.push(text);
      return 'copied';
    },
    title: (text) => void titles.push(text),
    call: (text, how) => void calls.push(`${how} ${text}`),
    ...more,
  };
  return { terminal, kept, copied, titles, calls };
};
const gate = (): Story => twoSideBySide().knowledgeGate(['a.md', 'b.md']);

test('messages of earlier sessions are there with ↑', async () => {
  const { terminal } = recording();
  const screen = await open({ terminal });
  await screen.press('s', 'up');
  expect(screen.frame()).toContain('from another session');
});

test('a draft is kept for the next screen when one leaves the composer', async () => {
  const { terminal, kept } = recording();
  const screen = await open({ terminal });
  await screen.press('s');
  await screen.type('half a thought');
  await screen.press('escape');
  expect(Object.values(kept.at(-1)?.drafts ?? {})).toEqual(['half a thought']);
  const next = await open({
    terminal: recording({ recall: () => kept.at(-1) ?? { drafts: {}, history: [] } }).terminal,
  });
  await next.press('s');
  expect(next.frame()).toContain('half a thought');
});

test('what stands in an open composer is kept when the screen goes', async () => {
  const { terminal, kept } = recording();
  const screen = await open({ terminal });
  await screen.press('s');
  await screen.type('cut off');
  screen.unmount();
  await screen.settle();
  expect(Object.values(kept.at(-1)?.drafts ?? {})).toEqual(['cut off']);
});

test('what is being typed is kept soon, and no longer once it was sent', async () => {
  const { terminal, kept } = recording();
  const screen = await open({ terminal });
  await screen.press('s');
  await screen.type('until the power fails');
  screen.clock.advance(300);
  expect(Object.values(kept.at(-1)?.drafts ?? {})).toEqual(['until the power fails']);
  const before = kept.length;
  screen.clock.advance(3_000);
  expect(kept).toHaveLength(before);
  await screen.press('enter');
  expect(Object.values(kept.at(-1)?.drafts ?? {}).join('')).toBe('');
});

test('the words of an open answer are kept soon, and when the screen goes', async () => {
  const story = twoSideBySide().add({
    type: 'question.asked',
    kind: 'ask',
    request: 'q-1',
    text: 'Which port?',
    options: [],
    invocation: null,
  });
  const { terminal, kept } = recording();
  const screen = await open({ terminal, story });
  await screen.press('u');
  await screen.type('the one');
  screen.clock.advance(300);
  expect(kept.at(-1)?.drafts).toEqual({ 'q-1': 'the one' });
  await screen.type(' of the proxy');
  screen.unmount();
  await screen.settle();
  expect(kept.at(-1)?.drafts).toEqual({ 'q-1': 'the one of the proxy' });
});

test('ctrl-g takes the text to the editor and back; what the editor says went wrong is said', async () => {
  const asked: string[] = [];
  const { terminal } = recording({
    edit: async (text) => {
      asked.push(text);
      return 'two\nlines';
    },
  });
  const screen = await open({ terminal });
  await screen.press('s');
  await screen.type('one');
  await screen.press('ctrl-g', 'enter');
  expect(asked).toEqual(['one']);
  expect(screen.intents).toMatchObject([{ signal: { message: 'two\nlines' } }]);
  const failing = await open({
    terminal: recording({ edit: () => Promise.reject(new Error('vi exited with code 1')) }).terminal,
  });
  await failing.press('s');
  await failing.type('one');
  await failing.press('ctrl-g');
  expect(failing.rows().at(-1)).toContain('vi exited with code 1');
});

test('c copies the item one looks at, C the path of its file, and the answer says how', async () => {
  const { terminal, copied } = recording();
  const screen = await open({
    terminal,
    story: twoSideBySide().pending('aaa1', { type: 'INFO', target: 'ALL', message: 'hi' }),
  });
  await screen.press('c', 'C');
  expect(copied).toEqual([
    'english: English greetings\nSay hello in English.',
    '/work/greetings/.ralph-sessions/260215-101500/iterations/1/tasks/english.md',
  ]);
  expect(screen.rows().at(-1)).toContain('copied');
  await screen.press('tab', 'tab', 'j', 'c', 'enter', 'C');
  expect(copied.slice(2)).toEqual([
    'hi',
    '/work/greetings/.ralph-sessions/260215-101500/signals/inputs/signal.260215-031500Z-aaa1.yaml',
  ]);
});

test('c in Output copies the command the cursor is on with all it printed', async () => {
  const { terminal, copied } = recording();
  const screen = await open({ terminal });
  await screen.press('tab', 'c');
  expect(copied[0]).toMatch(/^\$ npm test -- --grep english\n/);
  const lines = copied[0]?.split('\n').length;
  await screen.press('k', 'c');
  expect(copied[1]?.split('\n').length).toBe(lines);
});

test('a person is called once for each thing that waits, in the way they chose, and the title counts', async () => {
  const { terminal, calls, titles } = recording();
  const screen = await open({ terminal });
  expect(calls).toEqual([]);
  expect(titles.at(-1)).toBe('ralph-tui 260215-101500 · running');
  for (const event of gate().events.slice(-2)) screen.store.dispatch(event);
  screen.clock.advance(200);
  await screen.settle();
  expect(calls).toEqual(['bell Keep 2 lessons?']);
  expect(titles.at(-1)).toBe('(1) ralph-tui 260215-101500 · running');
  await screen.press('u', 'escape', 'j');
  expect(calls.length).toBe(1);
});

test('a key that cannot be used is said once, and then the screen rests', async () => {
  const story = twoSideBySide();
  const settings = { ...defaultSettings, ui: { ...defaultSettings.ui, keys: { 'look.help': 'q' } } };
  const events = story.events.map((event) =>
    event.type === 'session.created' || event.type === 'session.started' ? { ...event, settings } : event,
  );
  const screen = await open({ story: { ...story, events } });
  expect(screen.rows().at(-1)).toContain('ui.keys: q is already a key of leave.quit');
  await screen.settle();
  const drawn = screen.drawn();
  await screen.settle();
  expect(screen.drawn()).toBe(drawn);
});

test('! says in one sentence why nothing can be interrupted', async () => {
  const screen = await open();
  await screen.press('!');
  expect(screen.rows().at(-1)).toContain(
    'This command cannot be interrupted: a message sent with s is read when it ends',
  );
});

test('a notice that is longer than the line keeps its key and verb: it begins in the line above', async () => {
  const screen = await open({ columns: 80, rows: 24 });
  const text =
    'RETRY sent to english · no process is running the session: {session.resume} resumes it, and then it is read';
  screen.store.act({ type: 'noticed', notice: { text, tone: 'good' } });
  await screen.settle();
  expect(screen.rows().at(-2)).toMatch(/^ RETRY sent to english · no process is running the session: R/);
  expect(screen.rows().slice(-2).join('').replace(/\s+/g, ' ')).toContain(
    'R resumes it, and then it is read',
  );
  screen.store.act({ type: 'noticed', notice: { text, tone: 'good', stays: true } });
  await screen.settle();
  expect(screen.rows().at(-2)).toMatch(/then it is read/);
  expect(screen.rows().at(-1)).toMatch(/p pause .*\? help {2}q quit/);
  screen.store.act({
    type: 'noticed',
    notice: { text: `${text} ${'and more '.repeat(60)}to the end`, tone: 'bad' },
  });
  await screen.settle();
  expect(screen.rows().at(-4)).toMatch(/^ RETRY sent to english/);
  expect(screen.rows().at(-2)).toContain('…');
  expect(screen.rows().at(-1)).toMatch(/to the end *$/);
});

test('a command in a notice of three lines is whole', async () => {
  const screen = await open({ columns: 80, rows: 24 });
  const command = '`ralph-tui diff english --attempt 2` shows it';
  const text = `english starts over ${'because of something '.repeat(5)}${'/a/long/path'.repeat(3)}; ${command}`;
  screen.store.act({ type: 'noticed', notice: { text, tone: 'bad' } });
  await screen.settle();
  const shown = screen.rows().slice(-4).join(' ').replace(/\s+/g, ' ');
  expect(shown).toContain('english starts over');
  expect(shown).toContain(command);
  expect(shown).not.toContain('…');
});
