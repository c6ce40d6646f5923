import { expect, test } from 'vitest';
import type { EventBody } from '../../src/pipeline/event.ts';
import { createOutputRates } from '../../src/store/timeline/output-rates.ts';
import { lanesOf } from '../../src/store/timeline/select-timeline.ts';
import { createTimeline, type Timeline } from '../../src/store/timeline/timeline.ts';
import { busy } from '../helpers/scenes/timing.ts';
import { createStory, type Story, storyStart, task } from '../helpers/story.ts';

const timelineOf = (story: Story): Timeline => {
  const timeline = createTimeline();
  for (const event of story.events) timeline.take(event);
  return timeline;
};
const seconds = (ms: number): number => (ms - storyStart) / 1_000;

test('executors that run at the same time have lanes of their own, and a free lane is used again', () => {
  const lanes = lanesOf(timelineOf(busy())).map(({ title, bars }) => [
    title,
    bars.map((bar) => `${bar.task} ${bar.attempt} ${bar.end}`),
  ]);
  expect(lanes).toEqual([
    ['Executor 1', ['init 1 good', 'english 1 bad', 'english 2 running']],
    ['Executor 2', ['schema 1 good', 'vietnamese 1 running']],
    ['Reviewer', ['init 1 good', 'schema 1 good', 'english 1 good']],
    ['Planner', ['null null good']],
  ]);
});

test('lanes are grouped by runner, those of this machine first', () => {
  const start = (number: number, runner?: string): EventBody => ({
    type: 'invocation.started',
    invocation: `Executor-${number}`,
    role: 'Executor',
    mode: 'IMPLEMENT',
    backend: 'script',
    ...(runner === undefined ? {} : { runner }),
    cycle: 0,
    task: 'a',
    attempt: number,
    messages: [],
  });
  const story = createStory()
    .begin()
    .tasks([task('a')])
    .wave(1, ['a'])
    .add(start(1, 'gpu'))
    .add(start(2))
    .add(start(3, 'gpu'))
    .add(start(4, 'box'));
  expect(
    lanesOf(timelineOf(story)).map(({ title, bars }) => `${title}: ${bars.map(({ id }) => id).join()}`),
  ).toEqual([
    'Executor: Executor-2',
    expect.stringMatching(/^Planner: /u),
    'Executor 1 @gpu: Executor-1',
    'Executor 2 @gpu: Executor-3',
    'Executor @box: Executor-4',
  ]);
});

test('waiting is kept apart from working', () => {
  const bar = timelineOf(busy()).bars.find((each) => each.task === 'vietnamese');
  const [wait] = bar?.waits ?? [];
  expect(bar?.waits).toHaveLength(1);
  expect(wait && wait.to !== null && (wait.to - wait.from) / 1_000).toBe(31);
});

test('a session that stops ends every bar, and holds and signals have their marks', () => {
  const story = busy().add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'paused',
    reason: 'quit',
    exit_code: 4,
  });
  const { bars, marks, spans } = timelineOf(story);
  expect(bars.filter(({ to }) => to === null)).toEqual([]);
  expect(marks.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'started run',
    'signal STEER',
    'stopped quit',
  ]);
  expect(spans.map(({ kind, from, to }) => [kind, to !== null && seconds(to) - seconds(from)])).toEqual([
    ['hold', 31],
  ]);
});

test('output of the last minute is counted in parts, and older output is forgotten', () => {
  const rates = createOutputRates();
  const story = createStory()
    .begin()
    .tasks([task('a')])
    .wave(1, ['a'])
    .starts('a');
  story.prints('a', 'x'.repeat(10)).wait(30_000).prints('a', 'y'.repeat(20));
  for (const event of story.events) rates.take(event);
  const now = story.now();
  const parts = rates.of('Executor-2', now, 12);
  expect(parts.reduce((sum, each) => sum + each, 0)).toBe(30);
  expect(parts.at(-1)).toBe(20);
  expect(rates.of('Executor-2', now + 40_000, 12).reduce((sum, each) => sum + each, 0)).toBe(20);
  expect(rates.of('Executor-2', now + 90_000, 12)).toEqual(new Array(12).fill(0));
  expect(rates.lastAt('Executor-2')).toBe(now);
});
