import { expect, test } from 'vitest';
import { changedWords } from '../../components/changes/changed-files-words.ts';
import { overlayChangesRef } from '../../components/changes/end-changes.ts';
import { createStore } from '../../components/create-store.ts';
import { selectEndTasks } from '../../components/end/end-tasks.ts';
import { selectEnd } from '../../components/end/select-end.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { endCounts } from '../helpers/end-counts.ts';
import { flowStory } from '../helpers/flow-story.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, type Story, twoSideBySide } from '../helpers/story.ts';

const viewOf = (story: Story) => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  store.load(story.events);
  return store.getState();
};
const ended = (story: Story): Story =>
  story.state('COMPLETE').add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'completed',
    reason: 'completed',
    exit_code: 0,
  });

test('the end of a run of issues names a new issue as the next step, for feedback would be read by nothing', () => {
  const lines = selectEnd(viewOf(ended(flowStory())))?.next.join('\n');
  expect(lines).toContain('For new work, create an issue: `ralph-tui issues new "what to fix"`');
  expect(lines).not.toContain('feedback');
});

test('the end names each issue that needs a person, with the command that puts it back to work', () => {
  const story = flowStory().through('research-44', 'plan-44_stream').begins('review-44_stream');
  const lines = selectEnd(viewOf(ended(story.refuses('review-44_stream', ['44']))))?.next.join('\n');
  expect(lines).toContain(
    "44 needs you: run `ralph-tui issues move 44 'Ready for Plan'`, then run the issue again",
  );
  expect(lines).not.toContain('42 needs you');
});

test('each command of the end names the workspace where the screen was started elsewhere', () => {
  const story = ended(
    createStory()
      .begin()
      .add({ type: 'changes.opened', branch: 'ralph/1', base: 'a', directory: '/state/own' })
      .add({ type: 'attempt.merged', task: 'left', attempt: 1, commit: 'b', before: 'a', files: [] }),
  );
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped', cwd: '/elsewhere' });
  store.load(story.events);
  const end = selectEnd(store.getState());
  const commands = [...(end?.changes ?? []), ...(end?.next ?? [])].flatMap(
    (line) => line.match(/`[^`]+`/g) ?? [],
  );
  expect(commands).toHaveLength(2);
  for (const command of commands) expect(command).toMatch(/^`cd \/\S+ && /);
});

test('a task that was split is left out at the end, for its parts stand there', () => {
  const story = createStory().begin();
  const before = selectEndTasks(viewOf(story)).map(({ id }) => id);
  const [split = '', ...parts] = before;
  story.add({ type: 'task.replaced', task: split, by: parts.slice(0, 2) });
  expect(selectEndTasks(viewOf(story)).map(({ id }) => id)).toEqual(parts);
});

test('the end says how many criteria of done tasks were not checked', () => {
  const story = ended(twoSideBySide().qualifies('english'));
  expect(endCounts(viewOf(story))).not.toContain('not checked');
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  const results = { 'a.txt says hello': 'not checked', 'a.txt is there': 'met' } as const;
  store.load(
    story.events.map((event) =>
      event.type === 'invocation.ended' && event.outcome.role === 'Reviewer'
        ? { ...event, outcome: { ...event.outcome, criteria_results: results } }
        : event,
    ),
  );
  expect(selectEnd(store.getState())?.counts.slice(0, 2)).toEqual([
    { text: '3 of 8 done', tone: 'done' },
    { text: '3 criteria not checked', tone: 'held' },
  ]);
});

test('the end and the printed summary count the same files, those that git names', () => {
  const { events } = ended(twoSideBySide());
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  store.load(events);
  store.act({ type: 'overlay-opened', overlay: { kind: 'end', cursor: 0 } });
  const key = overlayChangesRef(store.getState())?.key ?? '';
  const files = [
    { path: 'a.ts', added: 1, removed: 0 },
    { path: 'b.ts', added: 3, removed: 1 },
    { path: 'c.png', added: null, removed: null },
  ];
  store.act({ type: 'changes-read', key, changes: { files, diff: '', cut: false, missing: null } });
  const end = selectEnd(store.getState())?.changed;
  expect(end?.sentence).toBe('3 files changed, +4 −1');
  expect(end?.files.map(({ path, words }) => [path, words])).toEqual([
    ['b.ts', ''],
    ['a.ts', ''],
    ['c.png', 'not counted: binary, ignored by git, or committed already'],
  ]);
  expect(changedWords(files)).toBe('3 files, +4 −1: b.ts, a.ts and c.png');
});
