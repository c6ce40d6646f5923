import { expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { createOutputRates } from '../../components/timeline/output-rates.ts';
import { lanesOf, selectTimeline } from '../../components/timeline/select-timeline.ts';
import { createTimeline, type Timeline } from '../../components/timeline/timeline.ts';
import type { Wait } from '../../components/timeline/waits.ts';
import type { EventBody } from '../../src/pipeline/event.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { steer } from '../helpers/scenes/looking.ts';
import { busy } from '../helpers/scenes/timing.ts';
import { createStory, type Story, task } from '../helpers/story.ts';

const timelineOf = (story: Story): Timeline => {
  const timeline = createTimeline();
  let session: SessionState | null = null;
  for (const event of story.events) {
    session = evolve(session, event);
    timeline.take(event, session);
  }
  return timeline;
};
const took = (waits: readonly Wait[]): readonly string[] =>
  waits.map(({ why, from, to }) => `${why} ${to === null ? 'on' : (to - from) / 1_000}`);

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
  expect(marks.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['signal STEER', 'stopped quit']);
  expect(took(spans)).toEqual(['pause 29']);
});

test('a signal that is pending again has one mark, and a session that completed was not stopped', () => {
  const story = busy().pending('aaa1', steer).add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'completed',
    reason: 'complete',
    exit_code: 0,
  });
  expect(timelineOf(story).marks.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['signal STEER']);
});

const question = (
  request: string,
  invocation: string | null,
): Extract<EventBody, { type: 'question.asked' }> => ({
  type: 'question.asked',
  request,
  kind: 'ask',
  text: 'Tabs or blanks?',
  options: [],
  invocation,
});
const answer = (request: string): EventBody => ({
  type: 'question.answered',
  request,
  answer: 'tabs',
  by: 'kim',
  signal: null,
});
const permission: EventBody = {
  type: 'permission.asked',
  invocation: 'Executor-2',
  request: 'p1',
  agent: 'script',
  kind: 'command',
  title: 'npm test',
  command: 'npm test',
  directory: '/work',
  paths: [],
  diffs: [],
};
const permitted: EventBody = {
  type: 'permission.answered',
  invocation: 'Executor-2',
  request: 'p1',
  decision: 'once',
  by: 'kim',
};
const working = (): Story =>
  createStory()
    .begin()
    .tasks([task('a')])
    .wave(1, ['a'])
    .starts('a')
    .wait(10_000);

test('a question of an agent and its permission are one wait for a person, until both are answered', () => {
  const story = working()
    .add(question('q1', 'Executor-2'))
    .wait(9_000)
    .add(permission)
    .wait(4_000)
    .add(answer('q1'))
    .wait(19_000)
    .add(permitted);
  const { bars, spans } = timelineOf(story);
  expect(took(bars.find((each) => each.task === 'a')?.waits ?? [])).toEqual(['you 32']);
  expect(spans).toEqual([]);
});

test('a pause that begins while an agent asks goes on after the answer', () => {
  const story = working()
    .add(permission)
    .wait(9_000)
    .add({ type: 'invocation.paused', invocation: 'Executor-2', continuation: null })
    .wait(9_000)
    .add(permitted)
    .wait(4_000)
    .add({ type: 'invocation.resumed', invocation: 'Executor-2', messages: [] });
  const bar = timelineOf(story).bars.find((each) => each.task === 'a');
  expect(took(bar?.waits ?? [])).toEqual(['you 18', 'pause 4']);
});

test('a hold begins when the last agent has paused, for the session as for its agents', () => {
  const story = working()
    .wait(3_000)
    .add({ type: 'hold.requested', signal: null, by: 'kim' })
    .wait(5_000)
    .add({ type: 'invocation.paused', invocation: 'Executor-2', continuation: null })
    .add({ type: 'hold.begun', processes: 0 })
    .wait(3_000)
    .add({ type: 'hold.ended', signal: null, by: 'kim' });
  expect(took(timelineOf(story).spans)).toEqual(['pause 3']);
  const cancelled = working()
    .add({ type: 'hold.requested', signal: null, by: 'kim' })
    .wait(5_000)
    .add({ type: 'hold.ended', signal: null, by: 'kim' });
  expect(timelineOf(cancelled).spans).toEqual([]);
});

test('the session waits for a question that no agent at work asks, and a hold comes before it', () => {
  const story = working()
    .add({ ...question('plan:a', null), kind: 'plan-review' })
    .wait(9_000)
    .add({ type: 'hold.requested', signal: null, by: 'kim' })
    .add({ type: 'hold.begun', processes: 0 })
    .wait(2_000)
    .add({ type: 'hold.ended', signal: null, by: 'kim' })
    .wait(4_000)
    .add(answer('plan:a'));
  const { bars, spans } = timelineOf(story);
  expect(took(spans)).toEqual(['you 10', 'pause 2', 'you 4']);
  expect(bars.flatMap((bar) => bar.waits)).toEqual([]);
});

const again: EventBody = {
  type: 'session.started',
  program: 'ralph-tui 0.1.0',
  pid: 2,
  epoch: 2,
  reason: 'resume',
  settings: defaultSettings,
  attended: true,
};

test('the time between a stop and its resume is no work, and work that goes on keeps its bar', () => {
  const story = working()
    .add({ type: 'invocation.paused', invocation: 'Executor-2', continuation: null })
    .add({
      type: 'session.stopped',
      session_id: '260215-101500',
      status: 'paused',
      reason: 'quit',
      exit_code: 4,
    })
    .wait(3_600_000)
    .add(again)
    .add({ type: 'invocation.resumed', invocation: 'Executor-2', messages: [] });
  const { bars, marks, spans } = timelineOf(story);
  // The first start is where the axis begins: only a later one is marked.
  expect(marks.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['stopped quit', 'started resume']);
  const bar = bars.find((each) => each.task === 'a');
  expect([bar?.to, bar?.end, took(bar?.waits ?? [])]).toEqual([null, 'running', ['pause 1', 'stop 3601']]);
  expect(took(spans)).toEqual(['stop 3600']);
});

test('a killed program ended its work with its last event', () => {
  const story = working().add(question('q1', null)).wait(3_600_000).add(again);
  const { bars, spans } = timelineOf(story);
  const killed = story.events.at(-2)?.at ?? '';
  expect(bars.find((each) => each.task === 'a')).toMatchObject({ to: Date.parse(killed), end: 'stopped' });
  expect(took(spans)).toEqual(['you 0', 'stop 3600', 'you on']);
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

/** The idle slots as the Timeline names them: words, and seconds from the start of the first. */
const idleOf = (story: Story): readonly (readonly [string, number, number | null])[] => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(story.events);
  const { idle } = selectTimeline(store.getState(), { ms: story.now(), offset: 0 });
  const begin = idle[0]?.from ?? 0;
  return idle.map(({ words, from, to }) => [
    words[0] ?? '',
    (from - begin) / 1_000,
    to === null ? null : (to - begin) / 1_000,
  ]);
};

test('idle slots say what they wait for: the task with the longest chain behind it', () => {
  const story = createStory()
    .begin()
    .tasks([task('schema'), task('docs'), task('parser', ['schema']), task('tool', ['parser', 'docs'])])
    .wave(1, ['schema', 'docs'])
    .starts('schema')
    .starts('docs')
    .wait(60_000)
    .qualifies('docs')
    .wait(30_000);
  const all = idleOf(story);
  expect(all.map(([words]) => words)).toEqual(
    expect.arrayContaining(['1 slot, for schema', '2 slots, for schema']),
  );
  expect(all.at(-1)).toEqual(['2 slots, for schema', expect.any(Number), null]);
  // Nothing is left that a free slot could do.
  const last = createStory()
    .begin()
    .tasks([task('schema')])
    .wave(1, ['schema'])
    .starts('schema')
    .wait(60_000);
  expect(idleOf(last)).toEqual([]);
});

test('while all slots work, during a hold and for less than a second nothing is idle', () => {
  const ids = ['a', 'b', 'c'];
  const full = createStory()
    .begin()
    .tasks([...ids.map((id) => task(id)), task('d', ids)])
    .wave(1, ids);
  for (const id of ids) full.starts(id);
  full.wait(60_000);
  const { idle } = timelineOf(full);
  expect(idle.filter(({ to }) => to === null)).toEqual([]);
  const held = createStory()
    .begin()
    .tasks([task('a'), task('b', ['a'])])
    .wave(1, ['a'])
    .starts('a')
    .add({ type: 'hold.requested', signal: 's1', by: 'dana' })
    .wait(60_000);
  expect(timelineOf(held).idle.at(-1)?.to).not.toBeNull();
});
