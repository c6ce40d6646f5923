import { expect, onTestFinished, test } from 'vitest';
import { noTerminalPort } from '../../components/ports/terminal-port.ts';
import { flowStory } from '../helpers/flow-story.ts';
import { planReview, planViewer, withPlanReview } from '../helpers/scenes/plan-review.ts';
import { extremeSizes, goldenSizes } from '../helpers/scenes/scene.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

const open = async (options: ScreenOptions = {}): Promise<TestScreen> => {
  const screen = await openScreen({
    columns: 120,
    rows: 36,
    story: withPlanReview(),
    viewer: planViewer,
    ...options,
  });
  onTestFinished(screen.unmount);
  await screen.press('u');
  return screen;
};

const sent = (screen: TestScreen) =>
  screen.intents.map((intent) => (intent.type === 'publish' ? intent.signal : intent));

test.each([...goldenSizes, ...extremeSizes])(
  'at %ix%i every line of the plan and of the critique can be read',
  async (columns, rows) => {
    const screen = await open({ columns, rows });
    let read = screen.frame();
    for (let line = 0; line < 20; line += 1) {
      await screen.press('j');
      read += screen.frame();
    }
    await screen.press('tab');
    read += screen.frame();
    for (let line = 0; line < 8; line += 1) {
      await screen.press('j');
      read += screen.frame();
    }
    for (const part of ['Phase 1: the words', 'no key is missing', 'VERDICT: APPROVED', 'nothing beyond'])
      expect(read).toContain(part);
  },
);

test.each(['a', '1'])(
  'approving with %s asks once more and is written as the answer of a person',
  async (key) => {
    const screen = await open();
    await screen.press(key);
    expect(sent(screen)).toEqual([]);
    expect(screen.frame()).toContain('▌1 approve');
    await screen.press('enter');
    expect(sent(screen)).toEqual([
      { type: 'ANSWER', target: 'ALL', request: 'plan:review-42', option: 'approve', iteration: 1 },
    ]);
    expect(screen.store.getState().ui.overlays).toEqual([]);
  },
);

test('the message that goes with a verdict has the words of the keys', async () => {
  const screen = await open({ columns: 200, rows: 50 });
  await screen.press('2');
  const frame = screen.frame();
  expect(frame).toMatch(/▌2 amend +the work begins, with your message/);
  expect(frame).toMatch(/3 redo +a new plan/);
  expect(frame).toContain('sent with amend, redo and reject');
  await screen.press('enter');
  expect(screen.frame()).toContain('Type the message that goes with amend first');
  await screen.type('Shorter');
  expect(screen.frame()).toContain('Enter amend');
  await screen.press('escape', '1');
  await screen.type('And soon');
  expect(screen.frame()).toContain('Enter switch to amend to send this text');
});

test('comments stand under their lines and go with a verdict that takes words', async () => {
  const screen = await open();
  await screen.press('j', 'j', 'm');
  expect(screen.frame()).toContain('Phase 1: the words');
  await screen.type('Which twelve?');
  await screen.press('enter');
  expect(screen.frame()).toContain('Which twelve?');
  expect(screen.frame()).toContain('1 comment will be sent with any verdict but approve');
  await screen.press('tab', 'j', 'm');
  await screen.type('It is not.');
  await screen.press('enter', 'r', 'enter');
  const [signal] = sent(screen);
  expect(signal).toMatchObject({ option: 'major' });
  const lines = (signal && 'message' in signal ? (signal.message ?? '') : '').split('\n');
  expect(lines).toEqual([
    `${planReview.document}:8: Which twelve?`,
    expect.stringMatching(new RegExp(`^${planReview.critique}:\\d+: It is not\\.$`)),
  ]);
  expect(Object.values(screen.store.getState().ui.drafts).join('')).toBe('');
});

test.each([
  [60, 20],
  [80, 24],
  [109, 36],
])('at %ix%i, where one text hides the other, the first line names the key to it', async (columns, rows) => {
  const screen = await open({ columns, rows });
  const named = () => screen.frame().match(/Tab \w+/g);
  expect(screen.frame()).toMatch(/ Plan .* Tab critique +│/);
  expect(named()).toEqual(['Tab critique']);
  await screen.press('tab');
  expect(screen.frame()).toMatch(/ Validator's critique .* Tab plan +│/);
  expect(named()).toEqual(['Tab plan']);
});

test('beside each other the texts need no key in their first line, and a plan alone has none', async () => {
  const wide = await open();
  expect(wide.frame().match(/Tab \w+/g)).toEqual(['Tab critique']);
  expect(wide.frame()).toMatch(/m comment {2}Tab critique/);
  const { critique: _, ...alone } = planReview;
  const screen = await open({ columns: 80, rows: 24, story: twoSideBySide().add(alone) });
  expect(screen.frame()).toContain(planReview.document);
  expect(screen.frame()).not.toContain('Tab critique');
});

const commented = async (options: ScreenOptions = {}): Promise<TestScreen> => {
  const screen = await open(options);
  await screen.press('j', 'j', 'm');
  await screen.type('Which twelve?');
  await screen.press('enter');
  return screen;
};
const comment = `${planReview.document}:8: Which twelve?`;

test.each([
  ['the digit of a verdict after that of approve', ['1', '3', 'enter'], 'major'],
  ['the arrows', ['1', 'down', 'down', 'down', 'enter'], 'reject'],
  ['the arrows, there and back', ['3', 'up', 'up', 'down', 'enter'], 'minor'],
  ['a verdict that was closed before', ['3', 'escape', '1', 'escape', '1', '2', 'enter'], 'minor'],
])('comments go with a verdict that is chosen by %s', async (_, keys, option) => {
  const screen = await commented();
  await screen.press(...keys);
  expect(sent(screen)).toMatchObject([{ option, message: comment }]);
});

test('approving sends no comments, and the dialog says which verdicts would', async () => {
  const screen = await commented();
  await screen.press('3', 'up', 'up');
  expect(screen.frame()).toContain('kept for amend, redo and reject');
  await screen.press('enter');
  expect(sent(screen)).toEqual([
    { type: 'ANSWER', target: 'ALL', request: 'plan:review-42', option: 'approve', iteration: 1 },
  ]);
});

test('words that were typed in the dialog stay when it is closed, beside comments that are written later', async () => {
  const screen = await commented();
  await screen.press('3');
  await screen.type(' Shorter.');
  await screen.press('escape', 'tab', 'm');
  await screen.type('No.');
  await screen.press('enter', '1');
  await screen.type('And soon.');
  await screen.press('escape', '1', 'down', 'enter');
  const [signal] = sent(screen);
  expect(signal).toMatchObject({ option: 'minor' });
  const message = signal && 'message' in signal ? (signal.message ?? '') : '';
  for (const words of [`${comment} Shorter.`, ': No.', 'And soon.']) expect(message).toContain(words);
});

test('the queue opens a verdict that comments go with before it is sent', async () => {
  const screen = await commented();
  await screen.press('escape');
  screen.store.act({ type: 'overlay-opened', overlay: { kind: 'needs-you', cursor: 0 } });
  await screen.settle();
  await screen.press('4');
  expect(sent(screen)).toEqual([]);
  await screen.press('enter');
  expect(sent(screen)).toMatchObject([{ option: 'reject', message: comment }]);
});

test('from the queue a plan is opened and not approved: its own key approves what was seen', async () => {
  const screen = await open();
  await screen.press('escape');
  screen.store.act({ type: 'overlay-opened', overlay: { kind: 'needs-you', cursor: 0 } });
  await screen.settle();
  await screen.press('1');
  expect(sent(screen)).toEqual([]);
  expect(screen.store.getState().ui.overlays.at(-1)?.kind).toBe('plan-review');
});

test('the name of a verdict moves there, and is no message', async () => {
  const screen = await commented();
  await screen.press('1');
  await screen.type('redo');
  expect(screen.frame()).toContain('Enter choose redo');
  await screen.press('enter');
  expect(sent(screen)).toEqual([]);
  expect(screen.frame()).toContain('▌3 redo');
  expect(screen.frame()).toContain('Enter redo');
  await screen.press('enter');
  expect(sent(screen)).toMatchObject([{ option: 'major', message: comment }]);
});

test('a verdict that is named beside another that takes words has an empty message', async () => {
  const screen = await open();
  await screen.press('2');
  await screen.type('redo');
  await screen.press('enter');
  expect(sent(screen)).toEqual([]);
  expect(screen.frame()).toContain('▌3 redo');
  expect(screen.frame()).toContain('sent with amend, redo and reject');
});

test('a verdict that needs words is not sent without them, and Esc leads back to the plan', async () => {
  const screen = await open();
  await screen.press('r', 'enter');
  expect(sent(screen)).toEqual([]);
  await screen.press('escape');
  expect(screen.frame()).toContain('Phase 1: the words');
});

test('the editor opens the plan at the line under the cursor, and its text is read again', async () => {
  let text = 'first\n\nsecond\n';
  const opened: (string | number | undefined)[] = [];
  const terminal = {
    ...noTerminalPort,
    open: async (path: string, line?: number) => {
      opened.push(path, line);
      text = 'edited\n';
    },
  };
  const screen = await open({ terminal, viewer: { ...planViewer, readDocument: async () => text } });
  await screen.press('j', 'o');
  expect(opened).toEqual([expect.stringContaining(`/${planReview.document}`), 3]);
  expect(screen.frame()).toContain('edited');
});

test('a plan that cannot be read says so, and can still be answered', async () => {
  const screen = await open({ viewer: { ...planViewer, readDocument: async () => null } });
  expect(screen.frame()).toContain('cannot be read');
  await screen.press('x', 'enter');
  expect(sent(screen)).toMatchObject([{ option: 'reject' }]);
});

test('the tasks that an approval starts are those that remain, not those that others replaced', async () => {
  const story = flowStory()
    .through('research-42', 'research-43', 'research-44', 'plan-42_stream', 'review-42_stream')
    .add({ ...planReview, task: 'review-42_stream' })
    .add({ type: 'task.replaced', task: 'implement-43_stream', by: ['implement-42_stream'] });
  const screen = await open({ story });
  expect(screen.frame()).toMatch(/Then . Implement 42 → . Create PR/);
  expect(screen.frame()).toMatch(/Approve the plan for issue 42.* 1 task /);
});

test('a plan that nothing was split from yet says so, and counts no tasks', async () => {
  const screen = await open({});
  expect(screen.frame()).toContain('Approve the plan for issue 42? no tasks yet');
});

test('where the tasks behind an approval do not fit, whole names stand there and how many more', async () => {
  const story = flowStory()
    .through('research-42', 'research-43', 'research-44', 'plan-42_stream', 'review-42_stream')
    .add({ ...planReview, task: 'review-42_stream' });
  const screen = await open({ story, columns: 80, rows: 24 });
  expect(screen.frame()).toMatch(/Then . Implement 42 → . Implement 43 .*and \d more +│/);
});

test('a plan that was decided meanwhile leaves a sentence, not keys for something else', async () => {
  const screen = await open();
  screen.store.dispatch({
    ...{ seq: 9_000, at: new Date(screen.clock.now()).toISOString() },
    ...{
      type: 'question.answered',
      request: 'plan:review-42',
      answer: 'approve',
      option: 'approve',
      by: 'kim',
      signal: null,
    },
  });
  screen.clock.advance(100);
  await screen.settle();
  expect(screen.frame()).toContain('Already answered: approve');
});
