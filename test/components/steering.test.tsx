import { afterEach, describe, expect, test } from 'vitest';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { paneKeys } from '../helpers/pane-key.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { createStory, type Story, twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
const open = async (story: Story, options: ScreenOptions = {}): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 120, rows: 36, story, ...options });
  screens.push(screen);
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const published = (screen: TestScreen): readonly unknown[] =>
  screen.intents.map((intent) => (intent.type === 'publish' ? intent.signal : intent));
const held = (): Story => twoSideBySide().add({ type: 'hold.requested', signal: 'p1', by: 'kim' });
const gate = (): Story => twoSideBySide().knowledgeGate(['a.md', 'b.md', 'c.md']);

describe('p', () => {
  test('pauses, says what was sent, and claims nothing more', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('p');
    expect(published(screen)).toEqual([{ type: 'PAUSE', target: 'ALL', iteration: 1 }]);
    expect(screen.rows().at(-1)).toMatch(/^ p (?:take back|pause).*s steer.*q quit +sent: PAUSE/);
    expect(screen.frame()).not.toMatch(/paus(ing|ed)|handled:|delivered/i);
  });

  test('takes back a pause that nobody has read, and resumes once there is a hold', async () => {
    const pending = await open(twoSideBySide().pending('p1', { type: 'PAUSE', target: 'ALL' }));
    expect(pending.rows().at(-1)).toContain('p withdraw pause');
    await pending.press('p');
    expect(pending.intents).toEqual([{ type: 'withdraw', id: 'p1' }]);
    const pausing = await open(held());
    await pausing.press('p');
    expect(published(pausing)).toEqual([{ type: 'RESUME', target: 'ALL', iteration: 1 }]);
    const paused = await open(held().add({ type: 'hold.begun', processes: 0 }));
    expect(paused.rows().at(-1)).toContain('p resume');
  });
});

describe('the composer', () => {
  test('sends a STEER to the agent on the task one looks at, with the text typed in one chunk', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('s');
    await screen.type("use 'bar' q A p");
    await screen.press('enter');
    expect(published(screen)).toEqual([
      { type: 'STEER', target: 'Executor', task: 'english', message: "use 'bar' q A p", iteration: 1 },
    ]);
  });

  test('names the keys that send and leave also on a narrow screen with a text', async () => {
    const screen = await open(twoSideBySide(), { columns: 80, rows: 24 });
    await screen.press('s');
    await screen.type('use bar');
    expect(screen.frame()).toContain('Enter send  Esc keep as draft');
  });

  test('turns through recipients, types and verdicts', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('s', 'tab', 'tab', 'ctrl-o', 'x', 'enter');
    await screen.press('i', 'shift-tab', 'ctrl-t', 'ctrl-t', 'y', 'enter');
    expect(published(screen)).toEqual([
      { type: 'STEER', target: 'ALL', apply: 'restart', message: 'x', iteration: 1 },
      { type: 'INFO', target: 'Librarian', message: 'y', iteration: 1 },
    ]);
  });

  test('sends nothing without a message, and says so', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('s', 'enter');
    expect(screen.intents).toEqual([]);
    expect(screen.rows().at(-1)).toContain('Write a message first');
  });

  test('keeps a draft on Esc and offers sent messages again', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('s');
    await screen.type('half a thought');
    await screen.press('escape');
    expect(screen.frame()).not.toContain('half a thought');
    await screen.press('s');
    expect(screen.frame()).toContain('half a thought');
    await screen.press('enter', 's', 'up', 'enter');
    expect(screen.intents.length).toBe(2);
    expect(published(screen)[1]).toMatchObject({ message: 'half a thought' });
  });

  test('a draft to a task that has ended comes back, says so, and goes to somebody else', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('s');
    await screen.type('use bar');
    await screen.press('escape');
    screen.store.load(twoSideBySide().qualifies('english').events);
    screen.store.act({ type: 'selected-task', task: 'english' });
    await screen.press('s');
    expect(screen.frame()).toContain('use bar');
    expect(screen.frame()).toContain('english is already done: no agent will read this');
    await screen.press('enter', 'enter');
    expect(published(screen)).toMatchObject([{ task: 'vietnamese', message: 'use bar' }]);
    expect(Object.values(screen.store.getState().ui.drafts).join('')).toBe('');
  });

  test('writes several lines with ctrl-j and alt-Enter', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('s', 'a', 'alt-enter', 'b');
    await screen.type('\n');
    await screen.press('c', 'enter');
    expect(published(screen)).toMatchObject([{ message: 'a\nb\nc' }]);
  });

  test('while paused Enter adds and stays paused, ctrl-r adds and resumes', async () => {
    const paused = (): Story => held().add({ type: 'hold.begun', processes: 0 });
    const screen = await open(paused());
    await screen.press('s', 'x', 'enter', 's', 'y', 'ctrl-r');
    expect(published(screen)).toEqual([
      { type: 'STEER', target: 'Executor', task: 'english', message: 'x', iteration: 1 },
      { type: 'STEER', target: 'Executor', task: 'english', message: 'y', resume: true, iteration: 1 },
    ]);
  });

  test('retries the chosen failed task with one key, and with words where some were written', async () => {
    const story = twoSideBySide().fails('english', 'the port is taken');
    const screen = await open(story);
    await screen.press('g', 'j', 'j', 'r');
    expect(published(screen)).toEqual([{ type: 'RETRY', target: 'ALL', task: 'english', iteration: 1 }]);
    const drafted = await open(story);
    await drafted.press('g', 'j', 'j', 'e');
    await drafted.type('use port 8081');
    await drafted.press('escape', 'r');
    expect(published(drafted)).toEqual([]);
    expect(drafted.frame()).toContain('use port 8081');
  });

  test('words for a retry: the reason stands there, and is not sent as words of a person', async () => {
    const story = twoSideBySide().fails('english', 'the port is taken');
    const screen = await open(story);
    await screen.press('g', 'j', 'j', 'e');
    expect(screen.frame()).toMatch(/Why +the port is taken/);
    await screen.press('enter');
    expect(published(screen)).toEqual([{ type: 'RETRY', target: 'ALL', task: 'english', iteration: 1 }]);
  });

  test('what did not fail takes a second key: an attempt may lose it', async () => {
    const screen = await open(twoSideBySide().qualifies('english'));
    await screen.press('g', 'j', 'j', 'r');
    expect(published(screen)).toEqual([]);
    expect(screen.frame()).toContain('─ Try again ─');
  });

  test('cancelling what nobody works on stops no agent, and its retry is not told that it was cancelled', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('G', 'x');
    expect(screen.frame()).toContain('No agent is working on it now');
    await screen.press('escape');
    const cancelled = twoSideBySide().add({
      type: 'task.cancelled',
      task: 'release',
      reason: 'CANCEL by kim',
    });
    const later = await open(cancelled);
    await later.press('G', 'r', 'enter');
    expect(published(later)).toEqual([{ type: 'RETRY', target: 'ALL', task: 'release', iteration: 1 }]);
  });
});

describe('a paste', () => {
  test('is never a hotkey', async () => {
    const screen = await open(twoSideBySide());
    await screen.paste('pAq\rABORT\r');
    expect(screen.intents).toEqual([]);
    expect(screen.store.getState().ui.overlays).toEqual([]);
  });

  test('goes into the field whole, and its line breaks do not send it', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('i');
    await screen.paste('one\r\ntwo\rthree');
    expect(screen.intents).toEqual([]);
    await screen.press('enter');
    expect(published(screen)).toMatchObject([{ message: 'one\ntwo\nthree' }]);
  });
});

describe('A', () => {
  test('does not count agents that do not run', async () => {
    const screen = await open(gate().qualifies('english').qualifies('vietnamese'));
    await screen.press('A');
    expect(screen.frame()).toContain('No agent is working now');
    expect(screen.frame()).not.toContain('0 agents');
  });

  test('aborts only after the word', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('A', 'enter');
    await screen.type('Abor');
    await screen.press('enter');
    expect(screen.intents).toEqual([]);
    await screen.press('t', 'enter');
    expect(published(screen)).toEqual([{ type: 'ABORT', target: 'ALL', iteration: 1 }]);
    expect(screen.store.getState().ui.overlays).toEqual([]);
  });
});

describe('D', () => {
  test('drains after asking, and the now line says what it waits for', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('D');
    expect(screen.frame()).toContain('Nothing new starts. 2 working agents finish first');
    await screen.press('enter');
    expect(published(screen)).toEqual([{ type: 'DRAIN', target: 'ALL', iteration: 1 }]);
  });

  test('says that the session is draining already', async () => {
    const screen = await open(twoSideBySide().add({ type: 'drain.requested', signal: 'd1', by: 'kim' }));
    expect(screen.frame()).toContain('Draining: waiting for english');
    await screen.press('D');
    expect(screen.frame()).toContain('The session is already draining');
    expect(screen.intents).toEqual([]);
  });
});

describe('x', () => {
  test('cancels the chosen task after asking, naming what becomes unreachable', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('x');
    expect(screen.frame()).toContain('Becomes unreachable: service, load-test, release.');
    await screen.press('escape', 'x', 'enter');
    expect(published(screen)).toEqual([{ type: 'CANCEL', target: 'ALL', task: 'english', iteration: 1 }]);
  });

  test('in the Inbox withdraws what is pending, and says when it is too late', async () => {
    const steer = { type: 'STEER', target: 'ALL', message: 'x' } as const;
    const screen = await open(twoSideBySide().pending('s1', steer));
    await screen.press('tab', 'tab', 'x', 'enter');
    expect(screen.intents).toEqual([{ type: 'withdraw', id: 's1' }]);
    const late = await open(
      twoSideBySide().pending('s1', steer).claimed('s1', steer, 'Executor', 'Executor.3.5'),
    );
    await late.press('tab', 'tab', 'g', 'x');
    expect(late.rows().at(-1)).toContain('Too late: taken by an agent');
  });
});

describe('the knowledge gate', () => {
  test('approves a selection with a comment, after asking', async () => {
    const screen = await open(gate());
    await screen.press('u', 'j', 'space', 'j', 'space', 'a');
    await screen.type('as agreed');
    await screen.press('enter');
    expect(published(screen)).toEqual([
      {
        type: 'APPROVE',
        target: 'Orchestrator',
        message: 'as agreed',
        promote: ['b.md', 'c.md'],
        iteration: 1,
      },
    ]);
  });

  test('approves all when none is chosen, and skips', async () => {
    const screen = await open(gate());
    await screen.press('u', 'a', 'enter', 'u', 's', 'enter');
    expect(published(screen)).toEqual([
      { type: 'APPROVE', target: 'Orchestrator', iteration: 1 },
      { type: 'SKIP', target: 'Orchestrator', iteration: 1 },
    ]);
  });

  test('closes by itself when the gate is decided elsewhere', async () => {
    const story = gate();
    const screen = await open(story);
    await screen.press('u');
    const last = story
      .add({ type: 'gate.decided', gate: 'knowledge', decision: 'skip', by: 'kim', signal: null })
      .events.at(-1);
    if (last) screen.store.dispatch(last);
    screen.clock.advance(100);
    await screen.settle();
    expect(screen.frame()).not.toContain('Keep what was learned');
  });
});

describe('a question', () => {
  const asked = (): Story =>
    twoSideBySide().add({
      type: 'question.asked',
      kind: 'ask',
      request: 'q1',
      text: 'Which port?',
      options: plainOptions(['80', '8080']),
      invocation: null,
    });

  test('is answered by an option or by what is typed', async () => {
    const screen = await open(asked());
    await screen.press('u', 'down', 'enter', 'u', '9', '0', 'enter');
    expect(published(screen)).toEqual([
      { type: 'ANSWER', target: 'ALL', request: 'q1', option: '8080', iteration: 1 },
      { type: 'ANSWER', target: 'ALL', request: 'q1', message: '90', iteration: 1 },
    ]);
  });

  test('stands in the queue with the gate when both wait', async () => {
    const story = gate().add({
      type: 'question.asked',
      kind: 'ask',
      request: 'q1',
      text: 'Which port?',
      options: [],
      invocation: null,
    });
    const screen = await open(story);
    expect(screen.rows()[0]).toContain('Needs you (2)');
    await screen.press('u', 'down', 'enter');
    expect(screen.frame()).toContain('A question for you');
  });
});

describe('q', () => {
  test('ctrl-c closes an overlay first; over the choices a second one pauses and leaves', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('?', 'ctrl-c');
    expect(screen.intents).toEqual([]);
    expect(screen.frame()).not.toContain('Pause and leave');
    await screen.press('ctrl-c', 'ctrl-c');
    expect(screen.intents).toEqual([{ type: 'quit', how: 'pause' }]);
  });

  test('offers what is possible, and Esc stays', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('ctrl-c');
    expect(screen.frame()).toContain('Pause and leave');
    expect(screen.frame()).not.toContain('Leave it running');
    await screen.press('escape');
    expect(screen.frame()).not.toContain('Pause and leave');
    await screen.press('q', 'enter');
    expect(screen.intents).toEqual([{ type: 'quit', how: 'pause' }]);
  });

  test('leaves it running where another program hosts it', async () => {
    const screen = await open(twoSideBySide(), { connection: 'attached', canLeaveRunning: true });
    await screen.press('q', 'enter');
    expect(screen.intents).toEqual([{ type: 'quit', how: 'leave' }]);
  });

  test('asks also while the journal does not show yet that the new host has started', async () => {
    const stopped = createStory().begin().add({
      type: 'session.stopped',
      session_id: '260215-101500',
      status: 'paused',
      reason: 'quit',
      exit_code: 4,
    });
    const screen = await open(stopped, { connection: 'attached', canLeaveRunning: true });
    await screen.press('q', 'enter');
    expect(screen.intents).toEqual([{ type: 'quit', how: 'leave' }]);
  });

  test('never says that agents go on where the session is held', async () => {
    const attached = await open(held(), { connection: 'attached', canLeaveRunning: true, columns: 120 });
    await attached.press('q');
    expect(attached.frame()).toContain('stays paused until you resume');
    const own = await open(held(), { canLeaveRunning: true, columns: 120 });
    await own.press('q');
    expect(own.frame()).toContain('stays paused, in the background');
    for (const screen of [attached, own]) expect(screen.frame()).not.toMatch(/agents continue|continues in/);
  });

  test('aborts only after the word here too', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('q', 'down', 'enter');
    await screen.type('ABORT');
    await screen.press('enter');
    expect(screen.intents).toEqual([{ type: 'quit', how: 'abort' }]);
  });

  test('tells what becomes of another session that this program runs unseen, and asks even where it alone is at stake', async () => {
    const screen = await open(twoSideBySide(), { canLeaveRunning: true, columns: 120 });
    screen.store.act({ type: 'hosting', sessions: [{ session: '260214-090000', calls: [] }] });
    await screen.press('q');
    for (const what of [
      'continues in the background',
      'is paused until you resume it',
      'is only paused until you resume it',
    ])
      expect(screen.frame().replaceAll(/[\s│]+/g, ' ')).toContain(
        `260214-090000, run by this program, ${what}`,
      );
    const ended = await open(createStory().begin().state('COMPLETE'), { columns: 120 });
    ended.store.act({
      type: 'hosting',
      sessions: [
        { session: '260214-090000', calls: [] },
        { session: '260213-090000', calls: [] },
      ],
    });
    await ended.press('q');
    expect(ended.frame()).toMatch(
      /2 more \(260214-090000, 260213-090000\), run by this program,[\s│]+are paused/,
    );
    expect(ended.frame()).not.toContain('Abort the session');
    await ended.press('enter');
    expect(ended.intents).toEqual([{ type: 'quit', how: 'pause' }]);
  });

  test('lets one go at once when nothing is at stake', async () => {
    const screen = await open(createStory().begin().state('COMPLETE'));
    await screen.press('q');
    expect(screen.intents).toEqual([{ type: 'quit', how: 'close' }]);
  });
});

describe('+ and -', () => {
  test('change the number of executors by a signal', async () => {
    const screen = await open(twoSideBySide());
    await screen.press('+', '-');
    expect(published(screen)).toEqual([
      { type: 'SET', target: 'ALL', set: { 'concurrency.max_parallel_executors': 4 }, iteration: 1 },
      { type: 'SET', target: 'ALL', set: { 'concurrency.max_parallel_executors': 2 }, iteration: 1 },
    ]);
  });
});

describe('reading', () => {
  test('a window that was scrolled stays on its lines while more is printed, and G follows again', async () => {
    const story = twoSideBySide();
    for (let line = 0; line < 200; line += 1) story.prints('english', `line ${line}\n`);
    const screen = await open(story);
    await screen.press(...paneKeys('output'), 'pageup', 'pageup');
    const top = screen.rows()[4];
    const before = story.events.length;
    for (let line = 200; line < 400; line += 1) story.prints('english', `line ${line}\n`);
    for (const event of story.events.slice(before)) screen.store.dispatch(event);
    screen.clock.advance(100);
    await screen.settle();
    expect(screen.rows()[4]).toBe(top);
    expect(screen.frame()).toContain('200 new lines ↓ · G to follow');
    await screen.press('G');
    expect(screen.frame()).toContain('line 399');
  });

  test('a list that changes keeps the selection on its task', async () => {
    const story = twoSideBySide();
    const screen = await open(story);
    await screen.press('j', 'j');
    expect(screen.rows().find((row) => row.startsWith('▌'))).toContain('docs');
    const before = story.events.length;
    story.commandEnds('english', true, 1).qualifies('english');
    for (const event of story.events.slice(before)) screen.store.dispatch(event);
    screen.clock.advance(100);
    await screen.settle();
    expect(screen.rows().find((row) => row.startsWith('▌'))).toContain('docs');
  });

  test('help scrolls to its last key and back on a small screen', async () => {
    const screen = await open(twoSideBySide(), { columns: 60, rows: 20 });
    await screen.press('?', 'tab', 'G');
    expect(screen.frame()).toContain('not shown');
    await screen.press('k', 'g');
    expect(screen.frame()).toContain('Here and now');
  });
});

describe('an idle screen', () => {
  test('is drawn once a minute, and a running one once a second', async () => {
    const waits = createStory().begin().state('KNOWLEDGE_APPROVAL');
    const idle = await open(
      waits.add({ type: 'gate.opened', gate: 'knowledge', iteration: 1, deadline_ms: null, files: ['a.md'] }),
    );
    const clockOf = (): string | undefined =>
      /(\d+m|<1m|\d+:\d\d)(?: +Needs you|$)/.exec(idle.rows()[0] ?? '')?.[1];
    const first = idle.drawn();
    expect(clockOf()).toBe('0:05');
    idle.clock.advance(40_000);
    await idle.press('?', 'escape');
    expect(clockOf()).toBe('0:05');
    const keys = idle.drawn() - first;
    for (let second = 0; second < 600; second += 1) idle.clock.advance(1_000);
    await idle.settle();
    // It waits for a person, and has not worked meanwhile.
    expect(clockOf()).toBe('0:05');
    expect(idle.drawn() - first - keys).toBeLessThanOrEqual(10);
    expect(idle.clock.armed()).toBe(1);
    const running = await open(twoSideBySide());
    expect(running.clock.armed()).toBe(1);
    const drawn = running.drawn();
    running.clock.advance(3_000);
    await running.settle();
    expect(running.drawn() - drawn).toBeLessThanOrEqual(3);
    expect(running.frame()).toContain('0:15');
  });
});

test('what an agent or a file name says cannot reach the terminal as a command', async () => {
  const evil = '\u001b]52;c;aGk=\u0007\u001b[2J\u202e';
  const story = twoSideBySide()
    .prints('english', `${evil}printed\n`)
    .pending('s1', { type: 'STEER', target: 'ALL', message: `${evil}steered` })
    .add({ type: 'gate.opened', gate: 'knowledge', iteration: 1, deadline_ms: null, files: [`${evil}a.md`] });
  const screen = await open(story, { previews: { [`${evil}a.md`]: `${evil}preview` } });
  await screen.press('u');
  await screen.settle();
  expect(screen.frame()).not.toMatch(/\u001b|\u0007|\u202e|52;c/);
  expect(screen.frame()).toContain('preview');
});

test.each([
  [100, 20, 'will be read by the agent on english: it looks after every command or tool call'],
  [120, 36, 'for the agent on english, after every command '],
] as const)('on %i×%i the inbox says whole when a signal will be read', async (columns, rows, words) => {
  const info = { type: 'INFO', target: 'Executor', task: 'english', message: 'mind the umlauts' } as const;
  const waits = 'will be read by the agent on english: it looks after every command or tool call';
  const screen = await open(twoSideBySide().pending('i1', info, waits), { columns, rows });
  await screen.press(...paneKeys('inbox'));
  const row = screen.rows().findIndex((each) => each.includes('INFO    english'));
  expect(screen.rows()[row + 1]).toContain(words);
});
