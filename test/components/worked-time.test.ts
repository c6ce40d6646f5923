import { describe, expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { selectDetails } from '../../components/details/select-details.ts';
import { selectEnd } from '../../components/end/select-end.ts';
import { selectTasks } from '../../components/tasks/select-tasks.ts';
import { selectRoster } from '../../components/timeline/select-roster.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, type Story, task } from '../helpers/story.ts';

const viewOf = (story: Story) => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(story.events);
  store.act({ type: 'selected-task', task: 'page' });
  return store.getState();
};
const oneTask = (): { readonly story: Story; readonly invocation: string } => {
  const story = createStory()
    .begin()
    .tasks([task('page')])
    .starts('page');
  const started = story.events.findLast((event) => event.type === 'task.started');
  return { story, invocation: started?.type === 'task.started' ? started.invocation : '' };
};
const permission = (invocation: string, request: string) =>
  ({
    type: 'permission.asked',
    invocation,
    task: 'page',
    attempt: 1,
    request,
    agent: 'gemini',
    kind: 'edit',
    title: 'Edit src/a.txt',
    command: null,
    directory: '/work/greetings',
    paths: ['src/a.txt'],
    diffs: [],
  }) as const;
const allowed = (invocation: string, request: string) =>
  ({ type: 'permission.answered', request, invocation, decision: 'once', by: 'kim' }) as const;

const waits: readonly (readonly [name: string, wait: (story: Story, invocation: string) => Story])[] = [
  [
    'a permission',
    (story, invocation) => story.add(permission(invocation, 'a')).wait(60_000).add(allowed(invocation, 'a')),
  ],
  [
    'two permissions at once',
    (story, invocation) =>
      story
        .add(permission(invocation, 'a'))
        .add(permission(invocation, 'b'))
        .wait(58_000)
        .add(allowed(invocation, 'a'))
        .add(allowed(invocation, 'b')),
  ],
  [
    'an answer',
    (story, invocation) =>
      story
        .add({
          type: 'question.asked',
          request: 'ask:1',
          kind: 'ask',
          text: 'Which one?',
          options: [],
          invocation,
        })
        .wait(60_000)
        .add({
          type: 'question.answered',
          request: 'ask:1',
          answer: 'this one',
          by: 'kim',
          signal: null,
        }),
  ],
];

describe.each(waits)('the time an agent waited for %s', (_name, wait) => {
  test('is no time of its work: the row, the agents at work, Details and the end agree', () => {
    const { story, invocation } = oneTask();
    const began = story.events.findLast((event) => event.type === 'task.started')?.at ?? '';
    wait(story, invocation);
    const worked = story.now() + 5_000 - Date.parse(began) - 60_000;
    const running = viewOf(story);
    const now = { ms: story.now() + 5_000, offset: 0 };
    expect(now.ms - Date.parse(selectTasks(running).lines.get('page')?.since ?? '')).toBe(worked);
    expect(selectRoster(running, now).map(({ elapsed }) => elapsed)).toEqual(['0:06']);
    story.wait(4_000).qualifies('page');
    const done = viewOf(story);
    const shown = done.attempts.of('page')[0]?.workedMs;
    expect(shown).toBe(worked);
    expect(selectTasks(done).lines.get('page')?.tookMs).toBe(shown);
    expect(selectDetails(done, now)).toContainEqual({ kind: 'good', text: 'done 0:06' });
    expect(selectEnd(done)?.tasks.map(({ spent }) => spent)).toEqual(['0:06']);
  });
});

test('the end shows the time of the last attempt, as the row of the task does', () => {
  const story = createStory()
    .begin()
    .tasks([task('page')])
    .starts('page')
    .wait(8_000)
    .fails('page', 'no')
    .starts('page', 2)
    .wait(5_000)
    .qualifies('page');
  const view = viewOf(story);
  expect(selectTasks(view).lines.get('page')?.tookMs).toBe(6_000);
  expect(selectEnd(view)?.tasks.map(({ spent }) => spent)).toEqual(['2 attempts · last 0:06']);
});
