import { expect, test } from 'vitest';
import { noDesk } from '../../src/store/desk.ts';
import { openScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

test('o opens the file of what one looks at in the editor; what goes wrong is said', async () => {
  const opened: string[] = [];
  const desk = {
    ...noDesk,
    open: async (path: string) => {
      opened.push(path.replace('/work/greetings/.ralph-sessions/260215-101500/', ''));
      if (opened.length > 2) throw new Error('vi ended with exit 1');
    },
  };
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide(), desk });
  await screen.press('o', '1', 'o');
  expect(opened).toEqual(['iterations/1/tasks/english.md', 'logs/english-r1.log']);
  await screen.press('o');
  expect(screen.rows().at(-1)).toContain('vi ended with exit 1');
  screen.unmount();
});
