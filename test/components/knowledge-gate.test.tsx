import { expect, onTestFinished, test } from 'vitest';
import { noTerminalPort } from '../../components/ports/terminal-port.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { type Story, twoSideBySide } from '../helpers/story.ts';

const gate = (): Story => twoSideBySide().knowledgeGate(['how-to/add.md', 'reference/schema.md']);

const open = async (options: Parameters<typeof openScreen>[0]): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 80, rows: 24, story: gate(), ...options });
  onTestFinished(screen.unmount);
  await screen.press('u');
  return screen;
};
const long = Array.from({ length: 40 }, (_, index) => `- line ${index + 1}`).join('\n');

test('a lesson longer than the gate says how much is out of sight, is read to its end, and one page back is one page back', async () => {
  const screen = await open({ previews: { 'how-to/add.md': long } });
  expect(screen.frame()).toMatch(/line 1\b[\s\S]*line 14\b[\s\S]*26 more lines · PgDn/);
  await screen.press(...Array.from({ length: 9 }, () => 'pagedown'));
  expect(screen.frame()).toMatch(/line 40\b[\s\S]*the end · PgUp/);
  await screen.press('ctrl-u');
  expect(screen.frame()).toMatch(/\d+ more lines · PgDn/);
  await screen.press('j');
  expect(screen.frame()).toContain('▌○ Schema');
});

test('e edits the lesson one looks at, and what the editor left is read again', async () => {
  const opened: string[] = [];
  const previews: Record<string, string> = { 'how-to/add.md': 'as it was staged' };
  const terminal = {
    ...noTerminalPort,
    open: async (path: string) => {
      opened.push(path);
      previews['how-to/add.md'] = 'as kim puts it';
    },
  };
  const screen = await open({ previews, terminal });
  expect(screen.frame()).toContain('as it was staged');
  await screen.press('e');
  await screen.settle();
  expect(opened).toEqual([
    '/work/greetings/.ralph-sessions/260215-101500/iterations/1/knowledge/how-to/add.md',
  ]);
  expect(screen.frame()).toContain('as kim puts it');
  expect(screen.intents).toEqual([]);
});

test('the end screen can be asked for at the gate: l leaves the lessons for later and says that nothing is lost', async () => {
  const screen = await open({});
  await screen.press('escape', 'E');
  expect(screen.frame()).toMatch(/The work is done[\s\S]*2 lessons to keep\? u review · l later/);
  await screen.press('l');
  expect(screen.frame()).not.toContain('prints the report');
  expect(screen.frame()).toContain('Later: 2 lessons stay; u shows them, even after a restart');
  expect(screen.intents).toEqual([]);
  await screen.press('u');
  expect(screen.frame()).toContain('Keep these lessons?');
});

test('lessons that were skipped are named on the end screen, with where they lie', async () => {
  const screen = await openScreen({
    columns: 100,
    rows: 30,
    story: gate()
      .add({ type: 'knowledge.staged', files: ['how-to/add.md'], carried: [], dropped: [] })
      .add({ type: 'gate.decided', gate: 'knowledge', decision: 'skip', by: 'kim', signal: null })
      .state('COMPLETE'),
  });
  onTestFinished(screen.unmount);
  await screen.press('E');
  expect(screen.frame()).toContain('1 lesson not kept; the file stays in iterations/1/knowledge');
});

test('the Markdown of a lesson is rendered', async () => {
  const lesson =
    '---\ncategory: how-to\n---\n# How to add\n\nUse **two** numbers:\n\n- the `first`\n- the second\n\n1. Open\n2. Close\n\n```sh\nnode add.js 1 2\n```\n';
  const frame = (await open({ previews: { 'how-to/add.md': lesson } })).frame();
  for (const row of [
    'How to add',
    'Use two numbers:',
    '· the first',
    '· the second',
    '2. Close',
    'node add.js 1 2',
  ])
    expect(frame).toContain(row);
  expect(frame).not.toMatch(/# How|\*\*|```|category:/);
});

test('titles that all end in the goal stand in the list without it', async () => {
  const files = ['how-to/commands.md', 'reference/files.md'];
  const goal = 'Ship the greeting service';
  const previews = {
    'how-to/commands.md': `# Commands that work: ${goal}\n\nOne.\n`,
    'reference/files.md': `# Files of each task: ${goal}\n\nTwo.\n`,
  };
  const screen = await open({ previews, story: twoSideBySide().knowledgeGate(files) });
  expect(screen.frame()).toMatch(/○ Commands that work +│/);
  expect(screen.frame()).toMatch(/○ Files of each task +│/);
  expect(screen.frame()).not.toMatch(/│[^│\n]*Files of each task: Ship/);
});
