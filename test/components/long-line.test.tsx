import { expect, onTestFinished, test } from 'vitest';
import { openScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

test('a paragraph longer than the pane is followed at its end, and says how much stands before', async () => {
  const paragraph = `It begins here. ${'And so it goes. '.repeat(100)}The newest words.`;
  const story = twoSideBySide().prints('english', `\n${paragraph}`);
  const screen = await openScreen({ columns: 80, rows: 36, story });
  onTestFinished(screen.unmount);
  expect(screen.frame().replace(/\s*\n[^│]*│\s*/g, '')).toContain('newest words.');
  expect(screen.frame()).toMatch(/… [\d,]+ more characters before this/);
  expect(screen.frame()).not.toContain('It begins here.');
});
