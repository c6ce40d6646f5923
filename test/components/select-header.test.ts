import { describe, expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { selectEnd } from '../../components/end/select-end.ts';
import { selectHeader } from '../../components/frame/select-header.ts';
import { isByMinutes } from '../../components/frame/select-now.ts';
import { selectStrip } from '../../components/frame/select-strip.ts';
import type { Connection } from '../../components/view.ts';
import { evolve, evolveAll } from '../../src/pipeline/evolve.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import type { SessionStatus } from '../../src/session/status.ts';
import { endCounts } from '../helpers/end-counts.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, type Story, task } from '../helpers/story.ts';

const open = (story: Story, connection: Connection) => {
  const store = createStore({ clock: createManualClock(), evolve, connection });
  store.load(story.events);
  return store.getState();
};
const elapsed = (story: Story, connection: Connection = 'live', later = 0): string => {
  const view = open(story, connection);
  return selectHeader(view, { ms: story.now() + later, offset: 0, byMinutes: isByMinutes(view) }).elapsed;
};
const stop = (story: Story): Story =>
  story.add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'paused',
    reason: 'quit',
    exit_code: 4,
  });
const resume = (story: Story): Story =>
  story.add({
    type: 'session.started',
    reason: 'resume',
    pid: 2,
    epoch: 2,
    program: 'ralph-tui 0.1.0',
    settings: defaultSettings,
    attended: true,
  });

describe('the time in the header', () => {
  test('is what programs have run the session: the night it lay stopped is not counted', () => {
    const story = createStory().begin().wait(60_000);
    stop(story);
    const stopped = elapsed(story, 'stopped', 3_600_000);
    resume(story.wait(8 * 3_600_000));
    expect([stopped, elapsed(story, 'live', 5_000)]).toEqual(['1:03', '1:08']);
    expect(endCounts(open(story, 'live'))).toContain('1:03');
  });

  test('of a program that was killed ends with the last thing it told', () => {
    const story = createStory().begin().wait(10_000).state('BATCHING');
    resume(story.wait(3_600_000));
    expect(elapsed(story, 'live', 1_000)).toBe('0:14');
  });
});

describe('the time a session waits for a person', () => {
  const hold = (story: Story): Story =>
    story
      .add({ type: 'hold.requested', signal: null, by: 'kim' })
      .add({ type: 'hold.begun', processes: 0 })
      .wait(26 * 60_000)
      .add({ type: 'hold.ended', signal: null, by: 'kim' });

  test('stands still in the header, and is named beside the worked time at the end', () => {
    const story = createStory().begin().wait(100_000).state('BATCHING').knowledgeGate(['a.md']);
    expect([elapsed(story), elapsed(story, 'live', 26 * 60_000)]).toEqual(['1:45', '1:45']);
    story.wait(26 * 60_000).add({
      type: 'gate.decided',
      gate: 'knowledge',
      decision: 'skip',
      by: 'kim',
      signal: null,
    });
    expect(elapsed(story)).toBe('1:45');
    expect(endCounts(open(story, 'live'))).toContain('worked 1:45, waited 26:00');
  });

  test('ends with the program: a killed one waited up to its last event, and the next one waits again', () => {
    const story = createStory().begin().knowledgeGate(['a.md']);
    resume(story.wait(8 * 3_600_000));
    stop(story.wait(120_000));
    expect(endCounts(open(story, 'stopped'))).toContain('worked 0:05, waited 2:00');
  });

  test('of a hold begins when everything has paused', () => {
    const story = createStory()
      .begin()
      .tasks([task('a')])
      .wave(1, ['a'])
      .starts('a');
    hold(story);
    expect(endCounts(open(story, 'live'))).toMatch(/worked 0:1\d, waited 26:00/);
  });

  test('of a question counts only while nothing else works', () => {
    const ask = (story: Story): Story =>
      story
        .add({
          type: 'question.asked',
          kind: 'ask',
          request: 'q1',
          text: 'Which?',
          options: [],
          invocation: null,
        })
        .wait(300_000)
        .add({ type: 'question.answered', request: 'q1', answer: 'this', by: 'kim', signal: null });
    const alone = ask(createStory().begin());
    expect(endCounts(open(alone, 'live'))).toContain('waited 5:00');
    const beside = ask(
      createStory()
        .begin()
        .tasks([task('a')])
        .wave(1, ['a'])
        .starts('a'),
    );
    expect(endCounts(open(beside, 'live'))).not.toContain('waited');
  });

  test('is the same without the output, which is not journaled', () => {
    const story = createStory()
      .begin()
      .tasks([task('a')])
      .wave(1, ['a'])
      .starts('a')
      .prints('a', 'one\n');
    hold(story.wait(5_000).prints('a', 'two\n'));
    story.prints('a', 'three\n').qualifies('a');
    const journaled = story.events.filter(({ type }) => type !== 'output.written');
    expect(evolveAll(null, journaled)).toEqual(evolveAll(null, story.events));
    expect(evolveAll(null, journaled).waitedMs).toBeGreaterThan(25 * 60_000);
  });
});

test('the time left is said as soon as something is known of the times of tasks, and while the session runs here', () => {
  const story = createStory()
    .begin()
    .tasks([task('a'), task('b', ['a'])])
    .wave(1, ['a'])
    .starts('a');
  const left = (connection: 'live' | 'stopped' = 'live') =>
    selectHeader(open(story, connection), { ms: story.now(), offset: 0 }).left;
  expect(left()).toBeNull();
  story.wait(60_000).qualifies('a').starts('b');
  expect(left()).toEqual({ words: expect.stringMatching(/^\d+ s to \d+ min left$/), task: 'b' });
  expect(left('stopped')).toBeNull();
  story.qualifies('b').state('SESSION_REVIEW');
  expect(left()).toBeNull();
});

describe('the end screen', () => {
  const end = (story: Story, connection: Connection = 'live') => selectEnd(open(story, connection));
  const atGate = (): Story => {
    const story = createStory()
      .begin()
      .tasks([task('a'), task('b'), task('c', ['b'])])
      .wave(1, ['a', 'b'])
      .starts('a')
      .qualifies('a');
    for (const attempt of [1, 2, 3]) story.starts('b', attempt).fails('b', 'a test failed');
    return story
      .add({ type: 'task.cancelled', task: 'c', reason: 'not needed' })
      .knowledgeGate(['a.md', 'b.md']);
  };

  test('at the gate of a session that runs says that work failed, and what the keys do there', () => {
    const shown = end(atGate());
    expect(shown?.title).toBe('The work ended with failures');
    expect(shown?.next[0]).toBe('{end.retry} retries the chosen task and continues the session');
    expect(shown?.next.join()).not.toContain('resume');
  });

  test('names the keys of a session that nobody runs only there, and none that steer in a replay', () => {
    expect(end(stop(atGate()), 'stopped')?.next.join()).toContain('then {end.resume} resumes the session');
    expect(end(atGate(), 'replay')?.next.join()).not.toContain('{end.');
  });

  test('counts what was cancelled, as status does', () => {
    expect(endCounts(open(atGate(), 'live'))).toContain('1 of 3 done · 1 failed · 1 cancelled');
  });

  test('says how many of the lessons were kept, and where those are that nobody chose', () => {
    const story = atGate()
      .add({ type: 'knowledge.staged', files: ['a.md', 'b.md'], carried: ['c.md'], dropped: [] })
      .add({
        type: 'gate.decided',
        gate: 'knowledge',
        decision: 'approve',
        by: 'kim',
        signal: null,
        files: ['b.md'],
      })
      .add({ type: 'knowledge.promoted', files: ['b.md'] })
      .state('COMPLETE');
    expect(end(story)?.lessons).toBe(
      '1 of 3 lessons kept in .docs; the other 2 stay in iterations/1/knowledge',
    );
    story.add({ type: 'knowledge.promoted', files: ['a.md', 'c.md'] });
    expect(end(story)?.lessons).toBe('3 lessons kept in .docs');
  });

  test('names a worktree that is kept for what no commit holds, until it is gone', () => {
    const at = { task: 'a', attempt: 1 };
    const fault = { code: 'kept', what: '/trees/a-1 is kept: it contains the git repository tool' };
    const story = atGate()
      .add({
        type: 'worktree.prepared',
        ...at,
        directory: '/trees/a-1/web',
        branch: 'b',
        invocation: 'Executor-1',
      })
      .add({ type: 'problem.found', fault })
      .add({ type: 'problem.found', fault });
    expect(end(story)?.changes).toEqual(['/trees/a-1 is kept: it contains the git repository tool']);
    story.add({ type: 'worktree.removed', ...at });
    expect(end(story)?.changes).toEqual([]);
  });

  test('counts the lessons of the shown iteration alone', () => {
    const story = atGate()
      .add({ type: 'knowledge.staged', files: ['a.md'], carried: [], dropped: [] })
      .add({ type: 'gate.decided', gate: 'knowledge', decision: 'approve', by: 'kim', signal: null })
      .add({ type: 'knowledge.promoted', files: ['a.md'] })
      .add({ type: 'iteration.started', iteration: 2, feedback: [], tasks: [] })
      .add({ type: 'knowledge.staged', files: ['b.md'], carried: [], dropped: [] })
      .knowledgeGate(['b.md'])
      .add({ type: 'gate.decided', gate: 'knowledge', decision: 'skip', by: 'kim', signal: null })
      .state('COMPLETE');
    expect(end(story)?.lessons).toBe('1 lesson not kept; the file stays in iterations/2/knowledge');
  });
});

describe('the last part of the strip', () => {
  const sessionOf = (story: Story): SessionState => {
    const { session } = open(story, 'live');
    if (session === null) throw new Error('the story has no session');
    return session;
  };
  const ended = (status: SessionStatus): string | undefined =>
    selectStrip({ ...sessionOf(createStory().begin()), state: 'COMPLETE', status }).at(-1)?.word;

  test('says how the session ended', () => {
    expect([ended('completed'), ended('awaiting_feedback'), ended('aborted')]).toEqual([
      'Done',
      'Failed',
      'Aborted',
    ]);
  });

  test('of an aborted session ticks no part that never ran or was broken off', () => {
    const story = createStory().begin();
    story.tasks([task('a')]);
    const aborted = selectStrip({
      ...sessionOf(story),
      state: 'COMPLETE',
      previous: 'EXECUTING_BATCH',
      status: 'aborted',
    });
    const phases = Object.fromEntries(aborted.map(({ word, phase }) => [word, phase]));
    expect(phases).toMatchObject({ Work: 'ahead', Review: 'skipped', Learn: 'skipped', Aborted: 'current' });
    expect(aborted.filter(({ note }) => note !== undefined)).toEqual([
      { word: 'Work', phase: 'ahead', note: 'cut off' },
    ]);
  });

  test('names the part in which the session failed, and what went wrong there', () => {
    const story = createStory().begin();
    story.tasks([task('a'), task('b', ['a'])]).wave(1, ['a']);
    for (const attempt of [1, 2, 3]) story.starts('a', attempt).fails('a', 'a test failed');
    const strip = selectStrip({ ...sessionOf(story), state: 'COMPLETE', status: 'awaiting_feedback' });
    expect(strip.map(({ word, note }) => (note === undefined ? word : `${word}: ${note}`))).toEqual([
      'Plan',
      'Work: 1 failed',
      'Review',
      'Learn',
      'Failed',
    ]);
  });
});
