import { afterEach, expect, test } from 'vitest';
import { paneKeys } from '../helpers/pane-key.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { type Story, twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
const open = async (story: Story): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 120, rows: 36, story });
  screens.push(screen);
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const missing = '`uv sync` exited 127 after 24 ms: /bin/sh: 1: uv: not found';

/** `english` fails three times for the same reason, and `vietnamese` passes. */
const failed = (): Story =>
  twoSideBySide()
    .prints('english', '/bin/sh: 1: uv: not found\n')
    .fails('english', missing)
    .starts('english', 2)
    .fails('english', missing)
    .starts('english', 3)
    .prints('english', '/bin/sh: 1: uv: not found\n')
    .fails('english', missing)
    .qualifies('vietnamese');

const headline = (screen: TestScreen): string => screen.rows()[2] ?? '';

test('the headline of a session that ended with failures names how much failed, and the first cause', async () => {
  const screen = await open(
    failed().state('COMPLETE').add({
      type: 'session.stopped',
      session_id: '260215-101500',
      status: 'awaiting_feedback',
      reason: 'failed tasks',
      exit_code: 1,
    }),
  );
  expect(headline(screen)).toMatch(/1 failed, 3 unreachable: english failed: uv: not found/);
});

test('a signal that waits after the end is named with its key, whatever the cause leaves of the line', async () => {
  const said = `the reviewer says that ${'the greeting is wrong and '.repeat(6)}late`;
  const story = twoSideBySide().fails('english', said).starts('english', 2).fails('english', said);
  story.starts('english', 3).fails('english', said).qualifies('vietnamese').state('COMPLETE').add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'awaiting_feedback',
    reason: 'failed tasks',
    exit_code: 1,
  });
  const screen = await open(story);
  screen.store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
  const signal = { type: 'RETRY', target: 'ALL', task: 'english' } as const;
  const pending = [{ id: 'r1', file: 'signal.260215-101700.yaml', signal }];
  screen.store.act({ type: 'mailbox-seen', seen: { pending, withdrawn: new Map() } });
  await screen.settle();
  expect(headline(screen)).toMatch(/1 failed, .*… 1 signal is waiting to be read: R resumes *$/);
});

test('of a command that printed no cause the headline tells the command and its exit, and the graph that it failed', async () => {
  const said = '`npm test` exited 1 after 484 ms';
  const story = twoSideBySide().fails('english', said).starts('english', 2).fails('english', said);
  story.starts('english', 3).fails('english', said).qualifies('vietnamese').state('COMPLETE').add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'awaiting_feedback',
    reason: 'failed tasks',
    exit_code: 1,
  });
  const screen = await open(story);
  expect(headline(screen)).toContain('1 failed, 3 unreachable: english failed: npm test exit 1. Next:');
  await screen.press('w');
  expect(screen.frame()).toMatch(/ english: .* · failed: exit 1/);
});

test('of a reason that does not fit the line under the graph keeps what became of the task', async () => {
  const said = `The reviewer says that ${'the greeting is wrong and '.repeat(6)}late`;
  const story = twoSideBySide().fails('english', said).starts('english', 2).fails('english', said);
  const screen = await open(story.starts('english', 3).fails('english', said).qualifies('vietnamese'));
  screen.store.act({ type: 'selected-task', task: 'english' });
  await screen.press('w');
  expect(screen.frame()).toMatch(/ english: .* · failed · after init, schema/);
});

test('at the knowledge gate the failure comes before the lessons', async () => {
  const screen = await open(failed().knowledgeGate(['a.md']));
  expect(headline(screen)).toMatch(/1 failed, 3 unreachable.*uv: not found.*Waiting for you/);
});

test('when the work is over the cursor is on the failed task, and Output shows its last lines', async () => {
  const screen = await open(
    failed().state('KNOWLEDGE_EXTRACTION').add({
      type: 'invocation.started',
      invocation: 'Librarian-9',
      role: 'Librarian',
      mode: 'STAGE',
      backend: 'script',
      cycle: 1,
      messages: [],
    }),
  );
  expect(screen.frame()).toMatch(/▌├ ✗ english/);
  expect(screen.frame()).toContain('· english, attempt 3');
  expect(screen.frame()).toContain('failed: `uv sync` exited 127');
});

test('a task that was chosen stays chosen', async () => {
  const story = failed();
  const screen = await open(story);
  screen.store.act({ type: 'selected-task', task: 'vietnamese' });
  const before = story.events.length;
  story.state('COMPLETE');
  for (const event of story.events.slice(before)) screen.store.dispatch(event);
  screen.clock.advance(200);
  await screen.settle();
  expect(screen.frame()).toMatch(/▌├ ✓ vietnamese/);
});

test('Details begins with why a task failed: the exit, and the line of the output that names the cause', async () => {
  const said = '`npm test` exited 2 after 7 ms: see above';
  const story = twoSideBySide();
  for (const attempt of [1, 2, 3]) {
    if (attempt > 1) story.starts('english', attempt);
    story
      .prints('english', "src/a.ts:3:5 - error TS2304: Cannot find name 'foo'.\n")
      .prints('english', 'TypeError: foo is not a function\n    at x (a.js:1:1)\nsee above\n')
      .fails('english', said);
  }
  const screen = await open(story.qualifies('vietnamese'));
  screen.store.act({ type: 'selected-task', task: 'english' });
  await screen.press(...paneKeys('details'));
  expect(screen.frame()).toMatch(
    /│ failed · attempt 3\n[^\n]*\n[^\n]*│ Why: npm test\n[^\n]*│ exit 2: see above\n[^\n]*│ TypeError: foo is not a function/,
  );
  expect(screen.frame()).toMatch(/3 failed \d:\d\d\n/);
});

test('how it ended says what the command said, and not the command first', async () => {
  const screen = await open(failed().state('COMPLETE'));
  screen.store.act({ type: 'overlay-opened', overlay: { kind: 'end', cursor: 0 } });
  await screen.settle();
  expect(screen.frame()).toMatch(/english +failed[^\n]*3 attempts[^\n]*\n[^\n]*│ +uv: not found/);
});
