import { describe, expect, test } from 'vitest';
import { evolve } from '../../src/pipeline/evolve.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createStore } from '../../src/store/create-store.ts';
import { selectEnd } from '../../src/store/session/select-end.ts';
import { selectHeader } from '../../src/store/session/select-header.ts';
import type { Connection } from '../../src/store/view.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, type Story, task } from '../helpers/story.ts';

const open = (story: Story, connection: Connection) => {
  const store = createStore({ clock: createManualClock(), evolve, connection });
  store.load(story.events);
  return store.getState();
};
const elapsed = (story: Story, connection: Connection = 'live', later = 0): string =>
  selectHeader(open(story, connection), { ms: story.now() + later, offset: 0 }).elapsed;
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
    expect(selectEnd(open(story, 'live'))?.counts).toContain('1:03');
  });

  test('of a program that was killed ends with the last thing it told', () => {
    const story = createStory().begin().wait(10_000).state('BATCHING');
    resume(story.wait(3_600_000));
    expect(elapsed(story, 'live', 1_000)).toBe('0:14');
  });
});

test('a wave is named only while waves are worked on', () => {
  const story = createStory()
    .begin()
    .tasks([task('a', [])])
    .wave(1, ['a'])
    .starts('a');
  const wave = (): string => selectHeader(open(story, 'live'), { ms: story.now(), offset: 0 }).wave;
  expect(wave()).toBe('wave 1 of 1');
  story.qualifies('a').state('SESSION_REVIEW');
  expect(wave()).toBe('');
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
    expect(shown?.title).toBe('The work is over, with failures');
    expect(shown?.next[0]).toBe('{end.retry} opens the chosen task again: the session goes on with it');
    expect(shown?.next.join()).not.toContain('resume');
  });

  test('names the keys of a session that nobody runs only there, and none that steer in a replay', () => {
    expect(end(stop(atGate()), 'stopped')?.next.join()).toContain('read when the session is resumed');
    expect(end(atGate(), 'replay')?.next.join()).not.toContain('{end.');
  });

  test('counts what was cancelled, as status does', () => {
    expect(end(atGate())?.counts).toContain('1 of 3 done · 1 failed · 1 cancelled');
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
});
