import { expect, onTestFinished, test } from 'vitest';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { edited, waitingForReview } from '../helpers/scenes/changing.ts';
import { agentTalks } from '../helpers/scenes/saying.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { type Story, twoSideBySide } from '../helpers/story.ts';

const open = async (story: Story, columns: number, rows: number): Promise<TestScreen> => {
  const screen = await openScreen({ columns, rows, story, viewer: edited });
  onTestFinished(screen.unmount);
  await screen.press('u');
  if (!/[╭]─ .*(waiting for you|asks to)/u.test(screen.frame())) await screen.press('enter');
  await screen.settle();
  return screen;
};

const sizes = [
  [120, 36],
  [80, 24],
] as const;

test.each(sizes)('the gate of the branch shows its files and lines at %i × %i', async (columns, rows) => {
  const story = twoSideBySide().add({
    type: 'question.asked',
    kind: 'changes',
    request: 'changes:1:0',
    text: 'ralph/1 contains 2 merges. What should happen to the branch?',
    options: plainOptions(['keep', 'merge', 'squash', 'pull-request']),
    invocation: null,
  });
  const screen = await open(story, columns, rows);
  expect(screen.frame()).toMatch(
    /What should happen[\s\S]*2 files changed, \+6 −3 [\s\S]*src\/greeting\.ts +\+5 −3[\s\S]*index\.ts +\+1[\s\S]*1 keep/,
  );
});

test.each(sizes)('the review of an attempt shows its files and lines at %i × %i', async (columns, rows) => {
  const screen = await open(waitingForReview(), columns, rows);
  expect(screen.frame()).toMatch(/2 files changed, \+6 −3 [\s\S]*src\/greeting\.ts +\+5 −3/);
});

test.each(sizes)(
  'a permission shows what the agent said before it asked at %i × %i',
  async (columns, rows) => {
    const of = { invocation: 'Executor-9', task: 'english', attempt: 1 };
    const story = agentTalks()
      .add({ type: 'tool.started', ...of, call: 'c7', title: 'npm publish', kind: 'execute', paths: [] })
      .add({
        type: 'permission.asked',
        ...of,
        request: 'permission:Executor-9:1',
        agent: 'claude',
        kind: 'command',
        title: 'npm publish',
        command: 'npm publish',
        directory: '/work/greetings',
        paths: [],
        diffs: [],
      });
    const screen = await open(story, columns, rows);
    expect(screen.frame().replaceAll(/[│\s]+/gu, '')).toMatch(
      /Commandnpmpublish.*SaysSee\[theissue\].*存储库会通知每个监听器一次。NextIwritethe1once/u,
    );
  },
);
