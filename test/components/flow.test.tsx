import { expect, onTestFinished, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { selectStrip } from '../../components/frame/select-strip.ts';
import { selectLayout } from '../../components/layout.ts';
import { createFlowTask } from '../../src/issues/task-list/flow-task.ts';
import { storedTask } from '../../src/issues/task-list/stored-task.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { type FlowStory, flowIssues, flowStory } from '../helpers/flow-story.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { paneKeys, tabTitle } from '../helpers/pane-key.ts';
import { streamNeedsPerson } from '../helpers/scenes/flowing.ts';
import { issuesOf } from '../helpers/scenes/issues.ts';
import { expectGolden, openScreen, type TestScreen } from '../helpers/screen.tsx';
import type { Story } from '../helpers/story.ts';

const open = async (story: Story, columns = 120, rows = 36) => {
  const screen = await openScreen({ columns, rows, story, issues: issuesOf() });
  onTestFinished(screen.unmount);
  return screen;
};

/** The Tasks pane of a wide screen. */
const leftOf = (screen: TestScreen) => (): string => {
  const { left } = selectLayout(screen.store.getState());
  return screen
    .rows()
    .slice(4)
    .map((row) => row.slice(0, left))
    .join('\n');
};

const research = ['research-42', 'research-43', 'research-44'] as const;
const planned = [
  ...research,
  'plan-42_stream',
  'review-42_stream',
  'plan-44_stream',
  'review-44_stream',
] as const;
const merged42 = ['implement-42_stream', 'implement-43_stream', 'pr-42_stream', 'merge-42_stream'] as const;
const merged44 = ['implement-44_stream', 'pr-44_stream', 'merge-44_stream'] as const;

/** The story in each phase, and the words that are current. */
const phases: readonly (readonly [FlowStory, readonly string[]])[] = [
  [flowStory(), ['Research']],
  [flowStory().through('research-42').begins('research-43'), ['Research']],
  [flowStory().through(...research), ['Plan']],
  [
    flowStory()
      .through(...research, 'plan-42_stream')
      .begins('plan-44_stream'),
    ['Plan'],
  ],
  [
    flowStory()
      .through(...research, 'plan-42_stream')
      .begins('review-42_stream')
      .begins('plan-44_stream'),
    ['Plan', 'Review'],
  ],
  [
    flowStory()
      .through(...planned)
      .begins('implement-42_stream'),
    ['Implement'],
  ],
  [
    flowStory()
      .through(...planned, 'implement-42_stream', 'implement-43_stream')
      .begins('pr-42_stream')
      .begins('implement-44_stream'),
    ['Implement', 'PR'],
  ],
  [
    flowStory()
      .through(...planned, ...merged42, ...merged44.slice(0, 2))
      .begins('merge-44_stream'),
    ['Merge'],
  ],
];

test.each([
  [80, 24],
  [120, 36],
  [200, 50],
] as const)('at %ix%i the strip names the phases at work', async (columns, rows) => {
  const heads: string[] = [];
  for (const [story, words] of phases) {
    const screen = await openScreen({ columns, rows, story, issues: issuesOf() });
    heads.push(...screen.rows().slice(0, 3), '');
    const line = screen.rows()[1] ?? '';
    screen.unmount();
    if (columns < 100) expect(line.trim()).toBe(words.join(', '));
    else {
      expect(line.match(/\[[A-Za-z]+\]/g)).toEqual(words.map((word) => `[${word}]`));
      expect(line).toMatch(
        /^ List .*Research.* .*Plan.* .*Review.* .*Implement.* .*PR.* .*Merge.* .*Assess .*Learn .*Done/,
      );
    }
  }
  expectGolden(`flow-strip.${columns}x${rows}`, heads.join('\n'));
});

test('before the list and after it the strip shows the states', async () => {
  const screen = await open(
    flowStory()
      .through(...planned, ...merged42, ...merged44)
      .state('SESSION_REVIEW'),
  );
  expect(selectStrip(screen.store.getState().session).filter(({ phase }) => phase === 'current')).toEqual([
    { word: 'Assess', phase: 'current' },
  ]);
});

test('a flow of few phases has no part for what it leaves out', () => {
  const wordsOf = (phases: 'few' | 'all') => {
    const screen = createStore({ clock: createManualClock(), evolve, connection: 'live' });
    screen.load(flowStory().through(...planned).events);
    const { session } = screen.getState();
    if (!session?.flow) throw new Error('there is no flow');
    return selectStrip({ ...session, flow: { ...session.flow, phases } }).flatMap(({ word, phase }) =>
      phase === 'skipped' ? [] : [word],
    );
  };
  expect(wordsOf('all')).toEqual(expect.arrayContaining(['Assess', 'Learn']));
  expect(wordsOf('few').slice(-2)).toEqual(['Merge', 'Done']);
});

test('a flow is drawn where its graph fits; on a smaller screen its tasks stand by issue', async () => {
  const story = flowStory()
    .through(...research)
    .begins('plan-42_stream');
  const screen = await open(story, 200, 50);
  const left = leftOf(screen);
  for (const task of ['research-43', 'plan-42_stream', 'merge-44_stream'])
    expect(left()).toMatch(new RegExp(`[│┃][ ▌]. ${task} `));
  expect(left()).not.toContain('42, 43 together');
  await screen.resize(120, 36);
  expect(left()).toContain('42, 43 together');
});

test('the tasks stand by issue, and w shows them by level, as a graph and as a list', async () => {
  const screen = await open(
    flowStory()
      .through(...research)
      .begins('plan-42_stream'),
    200,
    50,
  );
  await screen.press('w', 'w');
  const left = leftOf(screen);
  expect(left()).toMatch(
    /42 Write the greeting in[\s\S]*research-42[\s\S]*43 Write the greeting in[\s\S]*42, 43 together[\s\S]*plan-42_stream/,
  );
  expect(left()).not.toContain('Level 1');
  await screen.press('w');
  expect(left()).toMatch(/Level 1[\s\S]*research-42[\s\S]*Level 2[\s\S]*plan-42_stream/);
  await screen.press('w', 'w', 'w');
  expect(left()).toContain('42 Write the greeting in');
});

test('a stream that needs a person shows so in header, rows and queue, and the queue moves its issue', async () => {
  const screen = await open(streamNeedsPerson());
  expect(screen.rows()[0]).toContain('Needs you (1)');
  expect(screen.frame()).toMatch(/44 Let the start page[^\n]*needs you/);
  expect(screen.frame()).toMatch(/\? review-44_stream[^\n]*44 needs you/);
  expect(screen.frame()).not.toMatch(/unreachable/);
  await screen.press('u');
  // It is the only item of the queue.
  await screen.settle();
  expect(screen.frame()).toContain('Move 44 to');
  expect(screen.frame()).toMatch(/│ the plan was rejected 3 times +│/);
  expect(screen.frame()).not.toContain('The tracker no longer has it');
  await screen.press('enter');
  expect(screen.intents).toMatchObject([{ type: 'move-issue', issue: '44' }]);
});

test('an issue that a person moved on needs nobody any more', async () => {
  const story = streamNeedsPerson();
  const reading = story.events.find((event) => event.type === 'issues.read');
  if (reading?.type !== 'issues.read') throw new Error('no reading in the story');
  const { seq: _, at: __, ...read } = reading;
  story.add({
    ...read,
    issues: read.issues.map((issue) => (issue.id === '44' ? { ...issue, state: 'Ready for Plan' } : issue)),
  });
  const screen = await open(story);
  expect(screen.rows()[0]).not.toContain('Needs you');
});

test('a task that others took over leaves the list by issue, and they stand there with their own titles', async () => {
  const story = flowStory().through(...research);
  story.add({ type: 'task.replaced', task: 'plan-42_stream', by: ['review-42_stream'] });
  const screen = await open(story, 200, 50);
  const left = leftOf(screen);
  await screen.press('w', 'w');
  expect(left()).toMatch(/42, 43 together +0\/3/);
  expect(left()).not.toMatch(/ plan-42_stream|part of/);
  await screen.press('w');
  expect(left()).toContain(' plan-42_stream');
});

test('a second round of a plan stands before the work that waits for it', async () => {
  const story = flowStory().through(...research, 'plan-44_stream', 'review-44_stream');
  const issues = flowIssues.filter(({ id }) => id === '44');
  const [plan, review] = (['plan', 'review'] as const).map((phase) =>
    storedTask(createFlowTask({ phase, issues, span: 'stream', round: 2, blockedBy: [] }), { iteration: 1 }),
  );
  if (plan === undefined || review === undefined) throw new Error('no second round');
  story.add({ type: 'tasks.defined', tasks: [plan, review] });
  story.add({ type: 'task.replaced', task: 'review-44_stream', by: [review.id] });
  const screen = await open(story);
  expect([...leftOf(screen)().matchAll(/^.\S \S (\w+-44\w*)/gm)].map(([, id]) => id)).toEqual([
    'research-44',
    'plan-44_stream',
    'plan-44_stream_r2',
    'review-44_stream_r2',
    'implement-44_stream',
    'pr-44_stream',
    'merge-44_stream',
  ]);
});

test('the details of a task name what waits for it, without those that others took over', async () => {
  const story = flowStory();
  story.add({ type: 'task.replaced', task: 'plan-42_stream', by: ['review-42_stream'] });
  const screen = await open(story, 200, 50);
  screen.store.act({ type: 'selected-task', task: 'research-42' });
  await screen.press(...paneKeys('details'));
  expect(screen.frame()).not.toMatch(/· plan-42_stream {2}replaced/);
  screen.store.act({ type: 'selected-task', task: 'research-44' });
  await screen.settle();
  expect(screen.frame()).toMatch(/Blocks *│?\n.*· plan-44_stream/);
});

test('the strip has its marks where all of them fit, and beside the drawn graph every tab has its whole name', async () => {
  const screen = await open(flowStory());
  await screen.press('w', 'w');
  expect(screen.store.getState().ui.tasks.as).toBe('graph');
  expect(screen.rows()[1]).toContain(
    ' List › [Research] › Plan › Review › Implement › PR › Merge › Assess › Learn › Done',
  );
  const [first = '', ...others] = (
    ['output', 'changes', 'details', 'events', 'timeline', 'issues'] as const
  ).map(tabTitle);
  expect(screen.rows()[3]).toContain(`[${first}] ${others.join(' ')}`);
});
