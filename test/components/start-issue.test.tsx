import { expect, onTestFinished, test } from 'vitest';
import { offeredIssues, openStart } from '../helpers/scenes/arriving.ts';
import { issuesOf, showIssues } from '../helpers/scenes/issues.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

const open = async (): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 120, rows: 36, connection: 'stopped' });
  onTestFinished(screen.unmount);
  await openStart(screen);
  return screen;
};

const offered = (screen: TestScreen, problem: string | null = null): void =>
  screen.store.act({ type: 'issues-offered', issues: problem === null ? offeredIssues : [], problem });

test('issues that arrive late stand before the plans and leave the cursor on its plan', async () => {
  const screen = await open();
  const before = screen.rows().find((row) => row.includes('▌'));
  offered(screen);
  await screen.settle();
  expect(screen.rows().find((row) => row.includes('▌'))).toBe(before);
  const text = screen.frame();
  const group = text.indexOf('Greet in Vietnamese · and 2 more issues in its group');
  expect(group).toBeGreaterThan(0);
  expect(group).toBeLessThan(text.indexOf('plan.yaml'));
  expect(text).toContain('Issue 52');
});

test('a tracker that cannot be read says why, and everything else can still be started', async () => {
  const screen = await open();
  offered(screen, 'gh is not logged in; run `gh auth login`');
  await screen.settle();
  expect(screen.frame()).toContain('Issues: gh is not logged in');
  await screen.press('enter');
  expect(screen.intents).toMatchObject([{ type: 'start', start: { what: 'plan' } }]);
});

test('an issue starts with the chosen agent, first to have its tasks listed', async () => {
  const screen = await open();
  offered(screen);
  await screen.press('up', 'enter');
  expect(screen.intents).toEqual([{ type: 'start', start: { what: 'issue', issue: '52', agent: 'gemini' } }]);
});

test('the list starts by its own key, so that Enter pressed twice starts nothing', async () => {
  const screen = await open();
  const intent = { type: 'start', start: { what: 'issue', issue: '52', agent: null, listed: true } } as const;
  screen.store.act({
    type: 'overlay-opened',
    overlay: { kind: 'task-list', title: 'Start issue 52?', lines: [], top: 0, intent },
  });
  await screen.press('enter');
  expect(screen.intents).toEqual([]);
  await screen.press('y');
  expect(screen.intents).toEqual([intent]);
});

test('the Issues tab begins with a ready issue, and says why not with another', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide(), issues: issuesOf() });
  onTestFinished(screen.unmount);
  await showIssues(screen);
  await screen.press('j', 'B');
  expect(screen.frame()).toContain('This issue is not ready');
  await screen.press('j', 'B');
  expect(screen.intents).toEqual([{ type: 'start', start: { what: 'issue', issue: '43', agent: null } }]);
});
