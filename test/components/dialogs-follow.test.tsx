import { afterEach, expect, test } from 'vitest';
import { noTerminalPort, type TerminalPort } from '../../components/ports/terminal-port.ts';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { createStory, type Story, task, twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
const open = async (story: Story, terminal: TerminalPort = noTerminalPort): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 120, rows: 36, story, terminal });
  screens.push(screen);
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

/** Tells the screen what the story has got since. */
const goesOn = async (screen: TestScreen, story: Story, more: (story: Story) => void): Promise<void> => {
  const before = story.events.length;
  more(story);
  for (const event of story.events.slice(before)) screen.store.dispatch(event);
  screen.clock.advance(200);
  await screen.settle();
};

test('the question before a cancel closes when its task passes, and Enter cancels nothing', async () => {
  const story = twoSideBySide();
  const screen = await open(story);
  await screen.press('x');
  expect(screen.frame()).toContain('Cancel english?');
  await goesOn(screen, story, () => story.qualifies('english'));
  expect(screen.frame()).not.toContain('Cancel english?');
  expect(screen.frame()).toContain('english is already done');
  await screen.press('enter');
  expect(screen.intents).toEqual([]);
  expect(screen.frame()).not.toContain('english is already done');
});

test('what is typed into a dialog that is settled does nothing to the panes below', async () => {
  const story = twoSideBySide();
  const screen = await open(story);
  await screen.press('A');
  await screen.type('AB');
  await goesOn(screen, story, () => story.add({ type: 'abort.requested', by: 'kim', signal: 'a1' }));
  await screen.type('ORT');
  expect(screen.frame()).toContain('The session is already being aborted');
  expect(screen.intents).toEqual([]);
});

test('the question before a cancel says so when its agent has ended meanwhile', async () => {
  const story = twoSideBySide();
  const screen = await open(story);
  await screen.press('x');
  expect(screen.frame()).toContain('Stops its agent');
  await goesOn(screen, story, () => story.fails('english', 'no greeting'));
  expect(screen.frame()).toContain('No agent is working on it now');
});

test('the question before an abort says how many agents it stops, one or several', async () => {
  const story = twoSideBySide();
  const screen = await open(story);
  await screen.press('A');
  const words = (): string => screen.frame().replaceAll(/[\s│]+/gu, ' ');
  expect(words()).toContain('Stops 2 agents and every process they started');
  await goesOn(screen, story, () => story.fails('english', 'no greeting'));
  expect(words()).toContain('Stops 1 agent and every process it started, and verifies');
});

test('the question before an abort says what becomes of the tasks at work, and of those in review', async () => {
  const story = twoSideBySide();
  const screen = await open(story);
  await screen.press('A');
  const words = (): string => screen.frame().replaceAll(/[\s│]+/gu, ' ');
  expect(words()).toContain('2 running tasks are marked failed. No file is reverted; the lessons');
  const submits = (task: string) => () =>
    story.add({ type: 'task.submitted', task, attempt: 1, invocation: 'i', files: [] });
  await goesOn(screen, story, submits('english'));
  expect(words()).toContain('1 running task is marked failed. 1 task in review stays "to review". No file');
  await goesOn(screen, story, submits('vietnamese'));
  expect(words()).not.toContain('marked failed');
  expect(words()).toContain('2 tasks in review stay "to review". No file is reverted');
  await goesOn(screen, story, () => story.qualifies('english').qualifies('vietnamese'));
  expect(words()).not.toContain('review"');
  expect(words()).toContain('No file is reverted; the lessons stay in the session.');
});

test('the question before an abort closes when the session is aborted by somebody else', async () => {
  const story = twoSideBySide();
  const screen = await open(story);
  await screen.press('A');
  await screen.type('ABORT');
  await goesOn(screen, story, () => story.add({ type: 'abort.requested', by: 'kim', signal: 'a1' }));
  expect(screen.frame()).not.toContain('Abort the session?');
  expect(screen.frame()).toContain('The session is already being aborted');
});

test('the question before a withdrawal closes when the signal is read', async () => {
  const signal = { type: 'INFO', target: 'ALL', message: 'port 8080' } as const;
  const story = twoSideBySide().pending('i1', signal);
  const screen = await open(story);
  screen.store.act({ type: 'focused', pane: 'inbox' });
  await screen.press('x');
  expect(screen.frame()).toContain('Withdraw INFO?');
  await goesOn(screen, story, () => story.claimed('i1', signal, 'Executor', 'Executor.3.5'));
  expect(screen.frame()).not.toContain('Withdraw INFO?');
  expect(screen.frame()).toContain('Too late to withdraw INFO: taken by an agent');
});

test('a gate that is decided elsewhere closes with who decided and how', async () => {
  const story = twoSideBySide().knowledgeGate(['a.md']);
  const screen = await open(story);
  await screen.press('u', 'a');
  await goesOn(screen, story, () =>
    story.add({ type: 'gate.decided', gate: 'knowledge', decision: 'skip', by: 'kim', signal: 'k1' }),
  );
  expect(screen.frame()).toContain('The knowledge gate is already closed: skipped by kim');
  await screen.press('enter');
  expect(screen.intents).toEqual([]);
});

test('a question that is answered elsewhere closes with the answer', async () => {
  const story = twoSideBySide().add({
    type: 'question.asked',
    kind: 'ask',
    request: 'q1',
    text: 'Which port?',
    options: plainOptions(['80', '8080']),
    invocation: null,
  });
  const screen = await open(story);
  await screen.press('u');
  await goesOn(screen, story, () =>
    story.add({ type: 'question.answered', request: 'q1', answer: '8080', by: 'kim', signal: 's1' }),
  );
  expect(screen.frame()).toContain('Already answered: 8080');
});

test('a retry that somebody else has asked for is not sent again: Enter makes its text a STEER for the agent there', async () => {
  const story = twoSideBySide().fails('english', 'no greeting');
  const screen = await open(story);
  screen.store.act({ type: 'selected-task', task: 'english' });
  await screen.press('e');
  await screen.type('use the other one');
  await goesOn(screen, story, () =>
    story.add({ type: 'task.reset', task: 'english', reason: 'RETRY', signal: 'r1' }).starts('english', 2),
  );
  expect(screen.frame()).toContain('english is being worked on. Enter makes this a STEER for its agent.');
  await screen.press('enter');
  expect(screen.intents).toEqual([]);
  expect(screen.frame()).toContain('─ Steer ─');
  expect(screen.frame()).toContain('use the other one');
  await screen.press('enter');
  expect(screen.intents).toMatchObject([
    { signal: { type: 'STEER', target: 'Executor', task: 'english', message: 'use the other one' } },
  ]);
});

test('a message whose agent ended goes to one that works: the first Enter addresses it, the second sends', async () => {
  const story = twoSideBySide();
  const screen = await open(story);
  await screen.press('s');
  await screen.type('use bar');
  await goesOn(screen, story, () => story.qualifies('english'));
  expect(screen.frame()).toContain(
    'english is already done: no agent will read this. Enter addresses this to the agent',
  );
  expect(screen.frame()).toContain('Enter to agent on vietnamese');
  await screen.press('enter');
  expect(screen.intents).toEqual([]);
  expect(screen.frame()).toContain('The agent on vietnamese reads it');
  await screen.press('enter');
  expect(screen.intents).toMatchObject([
    { signal: { type: 'STEER', target: 'Executor', task: 'vietnamese', message: 'use bar' } },
  ]);
});

test('a message that was to replace one read meanwhile is sent as a message of its own', async () => {
  const info = { type: 'INFO', target: 'ALL', message: 'By Friday.' } as const;
  const story = twoSideBySide().pending('i1', info, 'will be read by the agent on english');
  const screen = await open(story);
  await screen.press('tab', 'tab', 'e');
  await screen.type(' Or Monday.');
  await goesOn(screen, story, () => story.claimed('i1', info, 'Executor', 'Executor.3.5'));
  expect(screen.frame()).toContain('The pending message is already taken. Enter makes this a new one.');
  await screen.press('enter', 'enter');
  expect(screen.intents).toMatchObject([
    { type: 'publish', signal: { type: 'INFO', message: 'By Friday. Or Monday.' } },
  ]);
});

test('a message is not sent into a session that ended while it was written: its text is copied', async () => {
  const story = createStory().begin().tasks([]);
  const copied: string[] = [];
  const screen = await open(story, {
    ...noTerminalPort,
    copy: async (text) => {
      copied.push(text);
      return 'copied';
    },
  });
  await screen.press('i');
  await screen.type('hello');
  await goesOn(screen, story, () => story.state('COMPLETE'));
  expect(screen.frame()).toContain(
    'The session has ended: no agent will read this. Enter copies the text and closes.',
  );
  await screen.press('enter');
  expect(screen.intents).toEqual([]);
  expect(copied).toEqual(['hello']);
  expect(screen.store.getState().ui.drafts['INFO:']).toBe('hello');
});

test('words for an agent whose task failed become a retry once the session has ended', async () => {
  const story = twoSideBySide();
  const screen = await open(story);
  await screen.press('s');
  await screen.type('use bar');
  await goesOn(screen, story, () => story.fails('english', 'no greeting').state('COMPLETE'));
  await screen.press('enter');
  expect(screen.frame()).toContain('─ Try again ─');
  await screen.press('enter');
  expect(screen.intents).toMatchObject([{ signal: { type: 'RETRY', task: 'english', message: 'use bar' } }]);
});

test('the yes to an edited plan closes the question below it: nothing was settled by somebody else', async () => {
  const story = createStory()
    .begin()
    .tasks([task('init', []), task('schema', ['init'])])
    .add({ type: 'gate.opened', gate: 'plan', iteration: 1, deadline_ms: null, files: ['plan.md'] });
  const screen = await open(story);
  await screen.press('u');
  screen.store.act({
    type: 'plan-edited',
    text: 'goal: g\ntasks:\n  - {id: init, title: Set up, run: [npm ci]}\n',
  });
  await screen.settle();
  await screen.press('enter');
  expect(screen.intents.at(-1)).toMatchObject({ signal: { request: 'plan', option: 'replace' } });
  await goesOn(screen, story, () =>
    story.add({ type: 'gate.decided', gate: 'plan', decision: 'approve', by: 'kim', signal: 's' }),
  );
  expect(screen.frame()).not.toContain('meanwhile');
});
