import { expect, test } from 'vitest';
import { noTerminalPort } from '../../components/ports/terminal-port.ts';
import { paneKeys } from '../helpers/pane-key.ts';
import { openScreen } from '../helpers/screen.tsx';
import { createStory, diamond, twoSideBySide } from '../helpers/story.ts';

test('o opens the file of what one looks at in the editor; what goes wrong is said', async () => {
  const opened: string[] = [];
  const terminal = {
    ...noTerminalPort,
    open: async (path: string) => {
      opened.push(path.replace('/work/greetings/.ralph-sessions/260215-101500/', ''));
      if (opened.length > 2) throw new Error('vi exited with code 1');
    },
  };
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide(), terminal });
  await screen.press('o', ...paneKeys('output'), 'o');
  expect(opened).toEqual(['iterations/1/tasks/english.md', 'logs/english-r1.log']);
  await screen.press('o');
  expect(screen.rows().at(-1)).toContain('vi exited with code 1');
  screen.unmount();
});

test('in Output o opens the log of what is shown there, also where that belongs to no task', async () => {
  const opened: string[] = [];
  const terminal = { ...noTerminalPort, open: async (path: string) => void opened.push(path) };
  const story = createStory().begin().tasks(diamond).add({
    type: 'invocation.started',
    invocation: 'Librarian-9',
    role: 'Librarian',
    mode: 'STAGE',
    backend: 'script',
    cycle: 1,
    messages: [],
  });
  const screen = await openScreen({ columns: 120, rows: 36, story, terminal });
  await screen.press(...paneKeys('output'));
  expect(screen.frame()).toContain('Librarian stage');
  await screen.press('o');
  expect(opened).toEqual([]);
  expect(screen.rows().at(-1)).toContain('Librarian has printed nothing yet.');
  screen.store.dispatch({
    type: 'output.written',
    invocation: 'Librarian-9',
    stream: 'stdout',
    text: 'looking\n',
    seq: story.events.length + 1,
    at: new Date(story.now()).toISOString(),
  });
  await screen.settle();
  await screen.press('o');
  expect(opened).toEqual(['/work/greetings/.ralph-sessions/260215-101500/logs/Librarian-9-r1.log']);
  screen.unmount();
});

test('in Output a task without a log has no path to copy, and o and C say why', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide() });
  await screen.press('G', ...paneKeys('output'), 'C');
  expect(screen.rows().at(-1)).toContain('release has not started yet.');
  await screen.press('o');
  expect(screen.rows().at(-1)).toContain('release has not started yet.');
  screen.unmount();
});
