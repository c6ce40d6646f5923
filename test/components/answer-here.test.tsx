import { expect, onTestFinished, test } from 'vitest';
import type { EventBody } from '../../src/pipeline/event.ts';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { createStory, type Story, task, twoSideBySide } from '../helpers/story.ts';

const request = 'permission:Executor-1:1';

const asks = (change: Partial<Extract<EventBody, { type: 'permission.asked' }>> = {}): Story =>
  twoSideBySide().add({
    type: 'permission.asked',
    invocation: 'Executor-1',
    task: 'english',
    attempt: 1,
    request,
    agent: 'gemini',
    kind: 'command',
    title: 'npm publish',
    command: 'npm publish',
    directory: '/work/greetings',
    paths: [],
    diffs: [],
    ...change,
  });

const open = async (story: Story, columns = 80): Promise<TestScreen> => {
  const screen = await openScreen({ columns, rows: columns < 100 ? 24 : 36, story });
  onTestFinished(screen.unmount);
  return screen;
};

/** The line below the header. */
const now = (screen: TestScreen): string => (screen.rows()[2] ?? '').trim();

const yes = { type: 'permit', request, decision: 'once' };

test('the question stands in the line below the header with its keys, and 1 answers it over the panes', async () => {
  const screen = await open(asks());
  expect(now(screen)).toBe('▌ english: gemini asks to run `npm publish` · 1 yes · 3 no');
  expect(screen.frame().match(/needs you/gi), 'only in the badge').toHaveLength(1);
  await screen.press('1');
  expect(now(screen)).toMatch(/^▌ Sends "yes" in 5 s: english: gemini asks .* · 1 now · Esc takes it back$/);
  expect(screen.intents).toEqual([]);
  screen.clock.advance(5_000);
  await screen.settle();
  expect(screen.intents).toEqual([yes]);
});

test('an answer is taken back within five seconds, changed by another digit, and sent at once by the same one', async () => {
  const screen = await open(asks());
  await screen.press('1', 'escape');
  expect(screen.rows().at(-1)).toContain('Taken back: "yes" was not sent');
  screen.clock.advance(60_000);
  await screen.settle();
  expect(screen.intents).toEqual([]);
  await screen.press('1', '3', '3');
  expect(screen.intents).toEqual([{ ...yes, decision: 'no' }]);
});

test('while something is open over the panes, which has its own keys, the line names none', async () => {
  const screen = await open(asks());
  await screen.press('i');
  expect(now(screen)).toBe('▌ Waiting for you: english: gemini asks to run `npm publish`');
  await screen.press('escape', '1', 'i');
  expect(now(screen)).toBe('▌ Sends "yes" in 5 s: english: gemini asks to run `npm publish`');
});

test('a digit that the line does not name shows its tab, and so does every digit with alt', async () => {
  const screen = await open(asks());
  await screen.press('2');
  expect(screen.store.getState().ui.tab).toBe('changes');
  expect(screen.frame()).toMatch(/ Output \[2 Changes\] Details 4 Events/);
  await screen.press('alt-3');
  expect(screen.store.getState().ui.tab).toBe('details');
  expect([screen.store.getState().ui.held, screen.intents]).toEqual([null, []]);
});

test.each<readonly [string, Parameters<typeof asks>[0]]>([
  ['an edit, for its difference', { kind: 'edit', command: null, title: 'Edit a.ts', paths: ['a.ts'] }],
  ['a command of two lines', { command: 'npm ci\nnpm publish' }],
  ['a command with a reason', { notes: ['it is outside the workspace'] }],
  [
    'a command of which the agent may show a part only',
    { once: 'the agent shows only a title, but the command may be longer' },
  ],
  ['a command that runs below the top of the files', { directory: '/work/greetings/packages/a' }],
  ['a command that is longer than the line', { command: `npm publish ${'--tag next '.repeat(8)}` }],
  ['a command that names a key of this screen', { command: 'rm {look.help}' }],
])('%s is opened by 1, and nothing is answered', async (_, change) => {
  const screen = await open(asks(change));
  expect(now(screen)).toContain('1 opens it');
  await screen.press('1');
  expect(screen.store.getState().ui.overlays).toMatchObject([{ kind: 'permission', request }]);
  expect([screen.store.getState().ui.held, screen.intents]).toEqual([null, []]);
  expect(now(screen), 'said once: in its dialog').toMatch(/^▌ Waiting for your answer/);
});

test('beside a hold, which stands before it in the line, the question is opened', async () => {
  const screen = await open(asks().add({ type: 'hold.requested', signal: null, by: 'kim' }), 120);
  expect(now(screen)).toMatch(
    /Pausing.*waiting for english: gemini asks.*1 opens it|Pausing.*waiting for you: english.*1 opens it/,
  );
  await screen.press('1');
  expect(screen.store.getState().ui.overlays).toMatchObject([{ kind: 'permission', request }]);
});

test('a plan is seen before it is approved: 1 opens its gate', async () => {
  const story = createStory()
    .begin()
    .tasks([task('one'), task('two', ['one'])])
    .add({ type: 'gate.opened', gate: 'plan', iteration: 1, files: [], deadline_ms: null });
  const screen = await open(story, 120);
  expect(now(screen)).toBe('▌ Waiting for you: approve the plan · 1 opens it');
  await screen.press('1');
  expect(screen.frame()).toContain('Approve this plan? 2 tasks');
  expect(screen.intents).toEqual([]);
});

test("an agent's question is answered by its digits", async () => {
  const story = twoSideBySide().add({
    type: 'question.asked',
    ...{ kind: 'ask', request: 'q1', text: 'Which form?', invocation: null },
    options: plainOptions(['formal', 'informal']),
  });
  const screen = await open(story);
  expect(now(screen)).toBe('▌ Waiting for you: Which form? · 1 formal · 2 informal · 2 agents at work');
  await screen.press('2', '2');
  expect(screen.intents).toMatchObject([{ signal: { type: 'ANSWER', request: 'q1', option: 'informal' } }]);
});

test('a screen that is left sends what it holds; what was settled elsewhere is not sent', async () => {
  const left = await open(asks());
  await left.press('1', 'q');
  await left.press('enter');
  expect(left.intents[0]).toEqual(yes);
  const settled = await open(asks());
  await settled.press('1');
  settled.store.dispatch(
    asks()
      .add({
        type: 'permission.answered',
        request,
        invocation: 'Executor-1',
        decision: 'no',
        by: 'kim',
      })
      .events.at(-1) ?? expect.fail('no event'),
  );
  settled.clock.advance(100);
  await settled.settle();
  expect(settled.frame()).toContain('"yes" was not sent:');
  settled.clock.advance(60_000);
  await settled.settle();
  expect(settled.intents).toEqual([]);
});

test('a screen that shows something else, or closes by itself, sends what it holds', async () => {
  const closed = await open(asks());
  await closed.press('1');
  closed.unmount();
  expect(closed.intents).toEqual([yes]);
  const taken = await open(asks());
  await taken.press('1', 'escape');
  taken.unmount();
  expect(taken.intents).toEqual([]);
});
