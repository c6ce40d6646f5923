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
    overlay: { kind: 'task-list', title: 'Start issue 52?', about: [], list: [], tasks: [], top: 0, intent },
  });
  await screen.press('enter');
  expect(screen.intents).toEqual([]);
  await screen.press('y');
  expect(screen.intents).toEqual([intent]);
});

test('the tasks are drawn, with their list beside them where the boxes have no room for titles', async () => {
  const ids = ['triage', 'research', 'plan', 'review', 'implement', 'open', 'merge', 'assess'];
  const overlayOf = (what: string) => {
    const tasks = ids.map((id, at) => ({
      id: `${id}-52_group`,
      title: `Work on ${id} of ${what}GH-52 → analyst`,
      blockedBy: at === 0 ? [] : [`${ids[at - 1]}-52_group`],
    }));
    return {
      kind: 'task-list',
      title: 'Start issue 52?',
      about: [{ kind: 'text', text: '8 tasks are left.' }],
      list: [
        { kind: 'heading', text: 'Tasks' },
        ...tasks.map(({ id, title }) => ({ kind: 'item', text: `${id}  ${title}` }) as const),
      ],
      tasks,
      top: 0,
      intent: { type: 'start', start: { what: 'issue', issue: '52', agent: null, listed: true } },
    } as const;
  };
  const long = 'the group of issues that begins with ';
  const shownAt = async (columns: number, rows: number, what = ''): Promise<string> => {
    const screen = await openScreen({ columns, rows, connection: 'stopped' });
    onTestFinished(screen.unmount);
    await openStart(screen);
    screen.store.act({ type: 'overlay-opened', overlay: overlayOf(what) });
    await screen.settle();
    return screen.frame();
  };
  const item = /· plan-52_group {2}Work on plan of .*GH-52 → analyst/;
  const box = /│ · plan-52_group +│/;
  const titled = await shownAt(200, 50);
  expect(titled).toMatch(box);
  expect(titled).not.toMatch(item);
  const inOneRow = await shownAt(200, 46);
  expect(inOneRow).toMatch(/│ · plan-52_group {2}Work on plan of GH-52 → analyst +│/);
  expect(inOneRow.match(/plan-52_group/g)).toHaveLength(1);
  const beside = await shownAt(200, 46, long);
  expect(beside).toMatch(box);
  expect(beside).toMatch(item);
  const listed = await shownAt(80, 24);
  expect(listed).toMatch(item);
  expect(listed).not.toMatch(box);
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
