import { expect, test } from 'vitest';
import type { Fault } from '../../src/base/fault.ts';
import { statusOf, type Waiting } from '../../src/cli/report/status-report.ts';
import { formatStatus } from '../../src/cli/report/status-text.ts';
import type { EventBody } from '../../src/pipeline/event.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { initialState } from '../../src/pipeline/initial.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { ended } from '../helpers/scenes/arriving.ts';
import { type Story, twoSideBySide } from '../helpers/story.ts';

const paths = sessionPaths('/work/greetings', '260215-101500');
const layout = { layout: '2.2', ours: true, writable: true } as const;

const statusText = (
  story: Story,
  alive: boolean,
  problems: readonly Fault[] = [],
  waiting: Waiting = { signals: 0, feedback: 'none' },
): string => {
  const state =
    story.events.reduce<SessionState | null>((before, event) => evolve(before, event), null) ??
    initialState();
  const report = statusOf(
    { state, paths, host: alive ? { pid: 7, alive } : null, problems, layout },
    waiting,
  );
  return formatStatus(report, state, { ms: story.now(), offset: 0 });
};

const asked: EventBody = {
  type: 'permission.asked',
  request: 'permission:Executor-1:1',
  invocation: 'Executor-1',
  task: 'english',
  attempt: 1,
  agent: 'gemini',
  kind: 'command',
  title: 'publish it',
  command: 'npm publish',
  directory: '/work',
  paths: [],
  diffs: [],
};

test('status names a permission that waits: what asks for what, and since when; without its host nothing waits', () => {
  const story = twoSideBySide().add(asked).wait(39_000);
  expect(statusText(story, true)).toContain(
    'waits     permission: gemini asks to run `npm publish` on english, waiting 0:38; only a person answers it: `u` on a screen, `ralph-tui attach 260215-101500` opens one, or `ralph-tui answer permission:Executor-1:1 once --session 260215-101500`',
  );
  expect(statusText(story, false)).not.toContain('npm publish');
});

const lessons: EventBody = {
  type: 'gate.opened',
  gate: 'knowledge',
  iteration: 1,
  deadline_ms: null,
  files: ['reference/schema.md', 'how-to/add.md'],
};

test('status says what each agent does just now, and for how long', () => {
  const text = statusText(twoSideBySide(), true);
  expect(text).toMatch(/^ {2}now {7}`[^\n]+` on english 0:\d\d$/m);
  expect(text).toMatch(/^ {12}`[^\n]+` on vietnamese 0:\d\d$/m);
  expect(statusText(twoSideBySide(), false)).not.toContain('now  ');
});

test('status says that knowledge waits for approval, which files, and the commands that settle it', () => {
  const text = statusText(twoSideBySide().add(lessons), true);
  expect(text).toContain(
    'waits     2 lessons to keep or not (`ralph-tui approve --session 260215-101500`, or `ralph-tui skip --session 260215-101500`)\n              reference/schema.md\n              how-to/add.md',
  );
});

test('status says when the next attempt is while a quota is used up, with the day', () => {
  const story = twoSideBySide();
  const [invocation = ''] = story.events.flatMap((event) =>
    event.type === 'invocation.started' ? [event.invocation] : [],
  );
  const until = story.now() + 3 * 86_400_000;
  const spent = story.add({
    type: 'invocation.failed',
    invocation,
    kind: 'quota',
    fault: { code: 'agent-quota', what: 'used up' },
    until,
  });
  const day = new Date(until).toISOString();
  const words = `waits     quota used up: the next attempt is at ${day.slice(5, 10)} ${day.slice(11, 16)} (`;
  expect(statusText(spent, true)).toContain(
    `${words}\`ralph-tui signal RESUME --session 260215-101500\` tries now)`,
  );
  expect(statusText(spent, false)).toContain(`${words}\`ralph-tui resume 260215-101500\` tries now)`);
});

test('status says how a session goes on that is held, also when nobody runs it', () => {
  const held = twoSideBySide().add({ type: 'hold.requested', signal: null, by: 'kim' });
  expect(statusText(held, true)).toMatch(
    /^ {2}continue {2}ralph-tui signal RESUME --session 260215-101500$/m,
  );
  expect(statusText(held, false)).toMatch(/^ {2}continue {2}ralph-tui resume 260215-101500 --lift$/m);
  expect(statusText(twoSideBySide(), true)).not.toContain('continue');
});

test('status says the state in the words of the screen, and how the session ended', () => {
  expect(statusText(twoSideBySide(), true)).toMatch(/^ {2}state {5}Work$/m);
  expect(statusText(ended(), false)).toMatch(/^ {2}state {5}Failed$/m);
});

test('status names the failed tasks with their reason, and how to try them again', () => {
  const text = statusText(ended(), false);
  expect(text).toMatch(/^ {12}english {4}failed: 1 of 14 tests failed/m);
  expect(text).toContain(
    'again     ralph-tui retry english --session 260215-101500 && ralph-tui resume 260215-101500',
  );
});

test('what waits for a session that is over comes before another try: a signal, then feedback, and one command reads it', () => {
  const goesOn = (signals: number, feedback: Waiting['feedback']): string | undefined =>
    /^ {2}(?:continue|again) .*$/m.exec(statusText(ended(), false, [], { signals, feedback }))?.[0];
  expect(goesOn(1, 'ready')).toBe('  continue  ralph-tui resume 260215-101500');
  expect(goesOn(0, 'ready')).toBe(
    '  continue  ralph-tui resume 260215-101500 (starts iteration 2 with the waiting feedback)',
  );
  expect(goesOn(0, 'none')).toContain('retry english');
  expect(statusText(ended(), false, [], { signals: 0, feedback: 'agent' })).toContain(
    '  feedback  needs an agent with a model:  ralph-tui resume 260215-101500 --agent NAME',
  );
});

test('problems of a session that ended well are told as the past, and in full before that', () => {
  const problem = { code: 'disk', what: 'the disk was full', where: '/work' };
  const well = twoSideBySide().state('COMPLETE').add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'completed',
    reason: 'completed',
    exit_code: 0,
  });
  expect(statusText(well, false, [problem])).toMatch(/problems {2}1 during the run, resolved/);
  expect(statusText(twoSideBySide(), true, [problem])).toMatch(/problem {3}.*the disk was full/);
});

test('a task that a person marked as done is counted as that', () => {
  const text = statusText(
    twoSideBySide().add({ type: 'task.edited-by-hand', task: 'english', from: 'open', to: 'done' }),
    true,
  );
  expect(text).toMatch(/^ {2}tasks {5}\d+ of \d+ done, 1 by hand/m);
});

test('status says how long the work still takes, as sure as that is, and which task decides it', () => {
  const waiting = (leastMs: number, mostMs: number) =>
    ({
      signals: 0,
      feedback: 'none',
      left: { ms: 700_000, leastMs, mostMs, task: 'english' },
    }) as const;
  const sure = waiting(600_000, 800_000);
  expect(statusText(twoSideBySide(), true, [], sure)).toContain('left      about 12 min, decided by english');
  expect(statusText(twoSideBySide(), true, [], waiting(300_000, 1_200_000))).toContain(
    'left      5 to 20 min, decided by english',
  );
  expect(statusText(twoSideBySide(), false, [], sure)).not.toContain('about 12 min');
});
