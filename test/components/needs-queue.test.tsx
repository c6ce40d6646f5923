import { expect, onTestFinished, test } from 'vitest';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { scenes } from '../helpers/scenes/index.ts';
import { planViewer, withPlanReview } from '../helpers/scenes/plan-review.ts';
import { openScene, type Scene } from '../helpers/scenes/scene.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { createStory, task, twoSideBySide } from '../helpers/story.ts';

const open = async (options: Scene['options'] = {}): Promise<TestScreen> => {
  const scene = scenes.find(({ name }) => name === 'queue');
  if (scene === undefined) throw new Error('there is no scene queue');
  const screen = await openScene({ ...scene, options }, { columns: 120, rows: 36 });
  onTestFinished(screen.unmount);
  return screen;
};

const asking = () =>
  twoSideBySide().add({
    type: 'question.asked',
    ...{ kind: 'ask', request: 'q1', text: 'Which form of address?', invocation: null },
    options: plainOptions(['formal', 'informal']),
  });

const underCursor = (screen: TestScreen): string => /▌ (.*?) {2,}waits/.exec(screen.frame())?.[1] ?? '';

test('each item names its task, its agent and what is asked, and a digit answers it and goes to the next', async () => {
  const screen = await open();
  expect(underCursor(screen)).toBe('english  gemini asks to run');
  expect(screen.frame()).toContain('npm install --save-dev @formatjs/cli');
  await screen.press('1');
  expect(screen.intents).toEqual([{ type: 'permit', request: 'permission:Executor-1:1', decision: 'once' }]);
  expect(underCursor(screen)).toBe('vietnamese  an agent asks');
  await screen.press('2');
  expect(screen.intents[1]).toMatchObject({ signal: { type: 'ANSWER', request: 'q1', option: 'informal' } });
  expect(underCursor(screen)).toBe('2 lessons to keep?');
  // Lessons are asked about: nothing is kept by one key.
  await screen.press('1');
  expect(screen.frame()).toContain('Keep all 2?');
  expect(screen.intents).toHaveLength(2);
});

test('an answer in words stays while another choice is looked at and when its dialog is closed', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: asking() });
  onTestFinished(screen.unmount);
  await screen.press('u');
  await screen.type('neither of them');
  await screen.press('down', 'up', 'escape', 'u');
  expect(screen.frame()).toContain('Or type: neither of them');
  await screen.press('enter');
  expect(screen.intents).toMatchObject([{ signal: { request: 'q1', message: 'neither of them' } }]);
  expect(Object.values(screen.store.getState().ui.drafts).join('')).toBe('');
});

test('the item under the cursor is marked in all of its rows', async () => {
  const screen = await open();
  const box = screen.rows().filter((row) => /^ *│ /.test(row));
  const first = box.findIndex((row) => row.includes('english  gemini asks'));
  const last = box.findIndex((row) => row.includes('1 once'));
  expect(last).toBeGreaterThan(first + 1);
  expect(box.flatMap((row, index) => (row.includes('│ ▌') ? [index] : []))).toEqual(
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
});

test('an item answered where it is seen whole leaves the queue as well, and the next one is under the cursor', async () => {
  const screen = await open();
  await screen.press('enter');
  expect(screen.frame()).toContain('─ english: gemini asks to run ─');
  await screen.press('3');
  expect(screen.intents).toMatchObject([{ type: 'permit', decision: 'no' }]);
  expect(underCursor(screen)).toBe('vietnamese  an agent asks');
  await screen.press('enter');
  await screen.press('enter');
  expect(screen.intents[1]).toMatchObject({ signal: { type: 'ANSWER', request: 'q1' } });
  expect(underCursor(screen)).toBe('2 lessons to keep?');
});

test('an item, its dialog and the line Now name the role that asks where it is not the Executor', async () => {
  const of = { invocation: 'Reviewer-9', task: 'english', attempt: 1 };
  const story = twoSideBySide()
    .add({
      type: 'invocation.started',
      ...of,
      role: 'Reviewer',
      mode: 'TASK_REVIEW',
      backend: 'gemini',
      cycle: 1,
      messages: [],
    })
    .add({
      type: 'permission.asked',
      ...of,
      request: 'permission:Reviewer-9:1',
      agent: 'gemini',
      kind: 'command',
      title: 'npm test',
      command: 'npm test',
      directory: '/work/greetings',
      paths: [],
      diffs: [],
    })
    .add({
      type: 'question.asked',
      ...{ kind: 'ask', request: 'q1', text: 'Which form of address?', invocation: null },
      options: plainOptions(['formal', 'informal']),
    });
  const screen = await openScreen({ columns: 120, rows: 36, story });
  onTestFinished(screen.unmount);
  expect(screen.frame()).toContain('▌ english: gemini (Reviewer) asks to run `npm test` · 1 yes · 3 no');
  await screen.press('u');
  expect(underCursor(screen)).toBe('english  gemini (Reviewer) asks to run');
  await screen.press('enter');
  expect(screen.frame()).toContain('─ english: gemini (Reviewer) asks to run ─');
  expect(screen.frame()).toContain('gemini (Reviewer) on english');
});

test('an item that the engine settles within its key has the next one under the cursor, and no other is answered', async () => {
  const story = twoSideBySide();
  for (const [at, request] of ['permission:Executor-1:1', 'permission:Executor-2:1'].entries())
    story.add({
      type: 'permission.asked',
      invocation: `Executor-${at + 1}`,
      task: at === 0 ? 'english' : 'vietnamese',
      attempt: 1,
      request,
      agent: 'gemini',
      kind: 'command',
      title: 'npm install',
      command: 'npm install',
      directory: '/work/greetings',
      paths: [],
      diffs: [],
    });
  const screen = await openScreen({
    columns: 120,
    rows: 36,
    story,
    whenPerformed: (intent, store) => {
      if (intent.type !== 'permit') return;
      store.dispatch({
        type: 'permission.answered',
        invocation: 'Executor-1',
        task: 'english',
        attempt: 1,
        request: intent.request,
        decision: 'once',
        by: 'kim@host',
        seq: 900,
        at: new Date(screen.clock.now()).toISOString(),
      });
    },
  });
  onTestFinished(screen.unmount);
  await screen.press('u');
  await screen.press('1');
  screen.clock.advance(200);
  await screen.settle();
  expect(underCursor(screen)).toContain('vietnamese');
  expect(screen.intents).toHaveLength(1);
});

test.each([
  ['live', false],
  ['attached', false],
  ['stopped', true],
] as const)(
  'the queue of a screen that is %s says that it cannot answer permissions: %s',
  async (connection, isSaid) => {
    const screen = await open({ connection });
    const cannot = 'Only a screen of a running session can answer permission requests.';
    expect(screen.frame().includes(cannot)).toBe(isSaid);
    expect(screen.frame()).toContain('1 once');
    await screen.press('1');
    expect(screen.intents).toHaveLength(isSaid ? 0 : 1);
  },
);

test('the queue says nothing of permissions while none waits', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: asking(), connection: 'attached' });
  onTestFinished(screen.unmount);
  await screen.press('u');
  expect(screen.frame()).toContain('Which form of address?');
  expect(screen.frame()).not.toContain('permission requests');
});

test('an item settled elsewhere leaves nothing under the cursor, so that the next key answers nothing else', async () => {
  const screen = await open();
  screen.store.dispatch({
    type: 'permission.answered',
    invocation: 'Executor-1',
    task: 'english',
    attempt: 1,
    request: 'permission:Executor-1:1',
    decision: 'no',
    by: 'another screen',
    seq: 900,
    at: new Date(screen.clock.now()).toISOString(),
  });
  screen.clock.advance(200);
  await screen.settle();
  expect(underCursor(screen)).toBe('');
  await screen.press('1');
  expect(screen.intents).toEqual([]);
  expect(screen.frame()).toContain('This item is no longer open');
  await screen.press('down');
  expect(underCursor(screen)).toBe('vietnamese  an agent asks');
});

test('a worker of another program that asks to join is the first item, says who wants what, and a digit lets it in', async () => {
  const story = twoSideBySide();
  for (const [request, kind, text] of [
    ['q1', 'ask', 'Which port?'],
    ['join:builder-2', 'join', 'builder-2 asks to join the team: claude-code (pid 7) wants builder tasks.'],
  ] as const)
    story.add({
      type: 'question.asked',
      ...{ kind, request, text, invocation: null },
      options: plainOptions(['in', 'out']),
    });
  for (const [columns, rows] of [
    [80, 24],
    [120, 36],
  ] as const) {
    const screen = await openScreen({ columns, rows, story });
    onTestFinished(screen.unmount);
    await screen.press('u');
    expect(underCursor(screen)).toBe('A worker asks to join');
    expect(screen.frame().replaceAll(/[\s│▌]+/g, ' ')).toContain(
      'builder-2 asks to join the team: claude-code (pid 7) wants builder tasks.',
    );
    await screen.press('1');
    expect(screen.intents).toMatchObject([
      { signal: { type: 'ANSWER', request: 'join:builder-2', option: 'in' } },
    ]);
    expect(underCursor(screen)).toBe('an agent asks');
  }
});

test('the queue closes once nothing waits', async () => {
  const story = twoSideBySide();
  for (const request of ['q1', 'q2'])
    story.add({
      type: 'question.asked',
      kind: 'ask',
      request,
      text: `${request}: which port?`,
      options: [],
      invocation: null,
    });
  const screen = await openScreen({ columns: 80, rows: 24, story });
  onTestFinished(screen.unmount);
  await screen.press('u');
  expect(screen.frame()).toContain('Needs you: 2 wait');
  for (const [index, request] of ['q1', 'q2'].entries())
    screen.store.dispatch({
      type: 'question.answered',
      request,
      answer: '8080',
      by: 'kim',
      signal: null,
      seq: 900 + index,
      at: new Date(screen.clock.now()).toISOString(),
    });
  screen.clock.advance(200);
  await screen.settle();
  expect(screen.frame()).not.toMatch(/Needs you: |Nothing waits/);
});

test('a request too long for the list can be refused there, and is allowed only where all of it is seen', async () => {
  const command = Array.from({ length: 12 }, (_, index) => `echo ${index}`).join('\n');
  const asked = (request: string) =>
    ({
      type: 'permission.asked',
      request,
      invocation: 'Executor-1',
      task: 'english',
      attempt: 1,
      agent: 'gemini',
      kind: 'command',
      title: command,
      command,
      directory: '/work',
      paths: [],
      diffs: [],
    }) as const;
  const screen = await openScreen({
    columns: 80,
    rows: 24,
    story: twoSideBySide().add(asked('a')).add(asked('b')),
  });
  onTestFinished(screen.unmount);
  await screen.press('u', '1');
  expect(screen.intents).toEqual([]);
  expect(screen.frame()).toContain('read all of it first: Enter');
  await screen.press('3');
  expect(screen.intents).toEqual([expect.objectContaining({ request: 'a', decision: 'no' })]);
});

test('the now line names the key that answers, however long the question is', async () => {
  const scene = scenes.find(({ name }) => name === 'question');
  if (scene === undefined) throw new Error('there is no scene question');
  const screen = await openScene({ ...scene, act: async () => undefined }, { columns: 80, rows: 24 });
  onTestFinished(screen.unmount);
  expect(screen.rows()[2]).toMatch(/Waiting for you: Which form of address .*… · 1 opens it$/);
});

test('a plan is decided on where it is seen: its digits open it with that choice, which Enter sends', async () => {
  const scene = scenes.find(({ name }) => name === 'plan-gate-file-list');
  if (scene === undefined) throw new Error('there is no scene plan-gate-file-list');
  const screen = await openScene(scene, { columns: 120, rows: 36 });
  onTestFinished(screen.unmount);
  expect(screen.frame()).toContain('1 approve   2 revise   3 abort');
  await screen.press('3');
  expect(screen.intents).toEqual([]);
  expect(screen.frame()).toContain('▌3 abort');
  await screen.press('enter');
  expect(screen.intents).toMatchObject([{ signal: { type: 'ANSWER', request: 'plan', option: 'abort' } }]);
});

test('a verdict with words opens the plan of the issue, and the question with that verdict over it', async () => {
  const screen = await openScreen({
    columns: 120,
    rows: 36,
    story: withPlanReview().add({
      type: 'question.asked',
      ...{ kind: 'ask', request: 'q1', text: 'Which port?', options: [], invocation: null },
    }),
    viewer: planViewer,
  });
  onTestFinished(screen.unmount);
  await screen.press('u');
  expect(screen.frame()).toContain('1 approve   2 amend   3 redo   4 reject');
  await screen.press('2');
  expect(screen.frame()).toContain('▌2 amend');
  await screen.type('Name the greetings.');
  await screen.press('enter');
  expect(screen.intents).toMatchObject([
    { signal: { request: 'plan:review-42', option: 'minor', message: 'Name the greetings.' } },
  ]);
  expect(underCursor(screen)).toBe('an agent asks');
});

test('the number of a choice is an answer in the field of an agent, and more behind it is words', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: asking() });
  onTestFinished(screen.unmount);
  await screen.press('u', '2');
  expect(screen.frame()).toContain('▌2 informal');
  expect(screen.frame()).toContain('Enter informal');
  await screen.type(' of them');
  expect(screen.frame()).not.toContain('▌2 informal');
  await screen.press('backspace', ...Array.from({ length: 7 }, () => 'backspace'), 'enter');
  expect(screen.intents).toMatchObject([{ signal: { request: 'q1', option: 'informal' } }]);
});

test('an edit is shown whole and answered by a digit where the screen has room for it', async () => {
  const story = twoSideBySide();
  for (const [at, task] of ['english', 'vietnamese'].entries())
    story.add({
      type: 'permission.asked',
      invocation: `Executor-${at + 1}`,
      task,
      attempt: 1,
      request: `permission:Executor-${at + 1}:1`,
      agent: 'gemini',
      kind: 'edit',
      title: 'Edit src/a.txt',
      command: null,
      directory: '/work/greetings',
      paths: ['src/a.txt'],
      diffs: [{ path: 'src/a.txt', before: 'one\ntwo\n', after: 'one\nthree\nfour\n' }],
    });
  for (const [rows, whole] of [
    [36, true],
    [20, false],
  ] as const) {
    const screen = await openScreen({ columns: 120, rows, story });
    onTestFinished(screen.unmount);
    await screen.press('u');
    expect(screen.frame().includes('+ four')).toBe(whole);
    await screen.press('1');
    expect(screen.intents).toHaveLength(whole ? 1 : 0);
    if (!whole) expect(screen.frame()).toContain('read all of it first');
  }
});

test('a request that is not under the cursor keeps its command apart from what it is for', async () => {
  const story = asking().add({
    type: 'permission.asked',
    ...{ invocation: 'Executor-1', task: 'english', attempt: 1, request: 'a', agent: 'gemini' },
    ...{ kind: 'command', title: 'Remove old files', command: 'rm -rf build/old /tmp/other' },
    ...{ directory: `/work/${'a-long-name-of-a-folder/'.repeat(4)}`, paths: [], diffs: [] },
  });
  const screen = await openScreen({ columns: 120, rows: 36, story });
  onTestFinished(screen.unmount);
  await screen.press('u');
  expect(underCursor(screen)).toBe('an agent asks');
  expect(screen.frame()).toMatch(/rm -rf build\/old \/tmp\/other · wants to run: Remove old files {2}/);
  await screen.press('down');
  expect(screen.frame()).toMatch(
    /rm -rf build\/old \/tmp\/other {2}.*\n.* wants to run: Remove old files {2}/,
  );
});

test('the box keeps its size and place wherever the cursor is', async () => {
  const story = asking().add({
    type: 'question.asked',
    ...{ kind: 'ask', request: 'q2', text: 'Which of these? '.repeat(30), invocation: null },
    options: plainOptions(['one', 'two']),
  });
  const screen = await openScreen({ columns: 120, rows: 36, story });
  onTestFinished(screen.unmount);
  await screen.press('u');
  const edges = (): readonly number[] =>
    screen.rows().flatMap((row, at) => (/[╭╰]─.*[╮╯]/u.test(row) ? [at] : []));
  const first = edges();
  expect(first).toHaveLength(2);
  for (const key of ['j', 'k']) {
    await screen.press(key);
    expect(edges()).toEqual(first);
  }
});

test.each([
  [120, 36],
  [80, 24],
  [60, 20],
])('a long id is cut at %i × %i, and never who asks or what is asked', async (columns, rows) => {
  const long = 'translate-everything-into-every-language-of-the-world-now';
  const of = { invocation: 'Executor-1', task: long, attempt: 1 };
  const story = createStory()
    .begin()
    .tasks([task(long), task('docs')])
    .wave(1, [long, 'docs'])
    .starts(long)
    .starts('docs')
    .command('docs', 'make docs')
    .prints('docs', 'one\n')
    .command(long, 'npm run all')
    .prints(long, 'one\n')
    .add({
      type: 'permission.asked',
      ...of,
      request: 'permission:Executor-1:1',
      agent: 'gemini',
      kind: 'command',
      title: 'make',
      command: 'make',
      directory: '/work/greetings',
      paths: [],
      diffs: [],
    })
    .add({
      type: 'question.asked',
      kind: 'review',
      ...{ request: `review:${long}:1`, text: 'Accept it?', task: long, attempt: 1, invocation: null },
      options: plainOptions(['accept', 'reject']),
    })
    .wait(1_000);
  const screen = await openScreen({ columns, rows, story });
  onTestFinished(screen.unmount);
  await screen.press('alt-1');
  expect(screen.frame()).toMatch(/now asks you 0:0\d/);
  await screen.press('u');
  expect(screen.frame()).toMatch(/now {2}gemini asks to run +waits/);
  expect(screen.frame()).toMatch(/now {2}A review is waiting for you +waits/);
});
