import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { selectNow, selectRefresh } from '../../components/frame/select-now.ts';
import { selectNeeds } from '../../components/needs/select-needs.ts';
import { withKeys } from '../../components/table.ts';
import type { Connection, ViewState } from '../../components/view.ts';
import type { EventBody } from '../../src/pipeline/event.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { stateNameSchema } from '../../src/session/status.ts';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { flowStory } from '../helpers/flow-story.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, type Story, storyStart, twoSideBySide } from '../helpers/story.ts';
import { draws } from '../helpers/test-form.ts';

const viewOf = (story: Story, connection: Connection = 'live'): ViewState => {
  const store = createStore({ clock: createManualClock(), evolve, connection });
  store.load(story.events);
  return store.getState();
};
const nowOf = (story: Story, connection: Connection = 'live'): string => {
  const view = viewOf(story, connection);
  return withKeys(view, selectNow(view, { ms: story.now(), offset: 420 }).text);
};

const invocation = (
  mode: 'brainstorm' | 'STAGE' | 'SESSION_REVIEW',
  role: 'Questioner' | 'Librarian' | 'Reviewer',
): EventBody => ({
  type: 'invocation.started',
  invocation: `${role}-1`,
  role,
  mode,
  backend: 'claude',
  cycle: 1,
  messages: [],
});
const gate = (deadline_ms: number | null): EventBody => ({
  type: 'gate.opened',
  gate: 'knowledge',
  iteration: 1,
  deadline_ms,
  files: ['reference/a.md', 'reference/b.md'],
});
const question: EventBody = {
  type: 'question.asked',
  kind: 'ask',
  request: 'q1',
  text: 'Which port?',
  options: plainOptions(['80', '8080']),
  invocation: null,
};
const hold: EventBody = { type: 'hold.requested', signal: null, by: 'kim' };
const stopped = (
  status: 'completed' | 'aborted' | 'paused' | 'awaiting_feedback',
  reason: string,
): EventBody => ({
  type: 'session.stopped',
  session_id: '260215-101500',
  status,
  reason,
  exit_code: 0,
});

describe('the now line says', () => {
  test('that it waits for the first event', () => {
    expect(nowOf(createStory())).toBe('Opening: waiting for the first event of the session');
  });

  test('that a session is about to be hosted here, until its engine runs', () => {
    const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped', opening: true });
    const now = { ms: 0, offset: 0 };
    expect(selectNow(store.getState(), now).text).toBe('Starting the session');
    store.load(twoSideBySide().events);
    expect(selectNow(store.getState(), now).text).toBe('Resuming the session');
    store.act({ type: 'connected', connection: 'live', canLeaveRunning: true, resumable: false });
    expect(selectNow(store.getState(), now).text).toMatch(/^Now: /);
  });

  test('which commands run where, for how long, and how many tasks wait', () => {
    expect(nowOf(twoSideBySide())).toBe(
      'Now: `npm test -- --grep english` on english 0:12 and `node tools/greet.js vi` on vietnamese 0:14 · 3 tasks wait',
    );
  });

  test('which worker of a team runs a command, and whose result is checked when no one works', () => {
    const story = flowStory();
    story.add({ type: 'team.formed', workers: [{ name: 'analyst-1', role: 'analyst' }] });
    story.begins('research-44', 'analyst-1').add({
      type: 'command.started',
      ...{ invocation: 'Executor-1', task: 'research-44', attempt: 1, index: 0, of: 1 },
      ...{ purpose: 'run', command: { cmd: 'rg greet' }, marker: 'm' },
    });
    expect(nowOf(story)).toMatch(/^Now: analyst-1: `rg greet` on "Research 44" 0:00/);
    const rest = flowStory();
    for (const task of ['research-42', 'research-43', 'research-44']) rest.begins(task).ends(task);
    expect(nowOf(rest)).toBe('Now: checking the result of research-42');
  });

  test('that an agent is silent, once that is worth saying', () => {
    const story = createStory()
      .begin()
      .add(invocation('brainstorm', 'Questioner'))
      .wait(100_000)
      .state('PLANNING');
    expect(nowOf(story)).toBe('Now: Questioner looks for gaps 1:40, silent 1:40');
  });

  test.each([
    ['Now: Librarian collects what was learned 0:01', invocation('STAGE', 'Librarian')],
    ['Now: Reviewer reviews the whole session 0:01', invocation('SESSION_REVIEW', 'Reviewer')],
  ])('%s', (text, body) => {
    expect(nowOf(createStory().begin().add(body).state('SESSION_REVIEW'))).toBe(text);
  });

  test('that it is pausing, and for which commands that waits', () => {
    expect(nowOf(twoSideBySide().add(hold))).toBe(
      'Pausing, requested by kim: waiting for `npm test -- --grep english` on english 0:13 and `node tools/greet.js vi` on vietnamese 0:15',
    );
  });

  test('who paused it since when, what still runs and what is queued', () => {
    const steer = { type: 'STEER', target: 'ALL', message: 'x' } as const;
    const story = createStory()
      .begin()
      .add(hold)
      .add({ type: 'hold.begun', processes: 2 })
      .pending('s1', steer)
      .add({ type: 'signal.queued', id: 's1', reason: 'held' });
    expect(nowOf(story)).toBe(
      'Paused by kim since 10:15 · 2 processes still running · 1 signal queued until you resume · p resumes',
    );
  });

  test('during a hold, too, what waits for a person, which may be what holds it up', () => {
    const held = () => twoSideBySide().add(hold);
    expect(nowOf(held().add(question))).toMatch(
      /^Pausing, requested by kim: waiting for .* · waiting for you: Which port\? · 1 opens it/,
    );
    const paused = createStory().begin().add(gate(null)).add(hold).add({ type: 'hold.begun', processes: 0 });
    expect(nowOf(paused)).toBe(
      'Paused by kim since 10:15 · p resumes · waiting for you: keep 2 lessons? · 1 opens it',
    );
    const view = viewOf(paused);
    expect(selectNow(view, { ms: paused.now(), offset: 0 }).tone).toBe('you');
    expect(withKeys(view, selectNow(view, { ms: paused.now(), offset: 0 }).short ?? '').length).toBeLessThan(
      78,
    );
  });

  test('that it is aborting, and when the agents are gone', () => {
    const aborting = twoSideBySide().add({ type: 'abort.requested', signal: null, by: 'kim' });
    expect(nowOf(aborting)).toBe(
      'Aborting, requested by kim: stopping 2 agents and verifying that they are gone',
    );
    aborting.add({ type: 'processes.stopped', reason: 'abort', stopped: [1], unverified: [] });
    expect(nowOf(aborting)).toBe('Aborted by kim: agents stopped, writing the results');
  });

  test('that knowledge waits for approval, and what happens without an answer', () => {
    const story = createStory().begin().state('KNOWLEDGE_APPROVAL').add(gate(null));
    expect(nowOf(story)).toBe('Waiting for you: keep 2 lessons? · 1 opens it');
    const timed = createStory()
      .begin()
      .add(gate(Date.UTC(2026, 1, 15, 7, 5)));
    expect(nowOf(timed)).toContain('if unanswered by 14:05, kept for the next iteration');
  });

  test('no word of a question that the run does not wait for, which stands in needs-you', () => {
    const edit: EventBody = { ...question, kind: 'edit', request: 'edit:progress.md:1', text: 'Was it you?' };
    const alone = twoSideBySide().add(edit);
    expect(nowOf(alone)).toMatch(/^Now: /);
    expect(selectNeeds(viewOf(alone)).map(({ text }) => text)).toEqual(['Was it you?']);
    expect(nowOf(twoSideBySide().add(edit).add(question))).toContain('Waiting for you: Which port?');
  });

  test('which question waits, and that others go on meanwhile', () => {
    expect(nowOf(twoSideBySide().add(question))).toBe(
      'Waiting for you: Which port? · 1 80 · 2 8080 · 2 agents at work',
    );
  });

  test('until when the quota is used up', () => {
    const story = createStory().begin().add(invocation('brainstorm', 'Questioner'));
    story.add({
      type: 'invocation.failed',
      invocation: 'Questioner-1',
      kind: 'quota',
      fault: { code: 'quota', what: 'used up' },
      until: Date.UTC(2026, 1, 15, 7, 5),
    });
    story.add({
      type: 'retry.scheduled',
      retry: 'brainstorm',
      at_ms: Date.UTC(2026, 1, 15, 7, 5),
      tries: 1,
      invocation: 'Questioner-1',
    });
    expect(nowOf(story)).toBe('Quota used up: continues automatically at 14:05 · R tries now');
  });

  test('the permission that an agent waits for, and who works meanwhile', () => {
    const story = twoSideBySide();
    const [one] = [...(viewOf(story).session?.invocations.values() ?? [])];
    const asked = {
      type: 'permission.asked',
      invocation: one?.id ?? '',
      request: 'permission:1',
      agent: 'gemini',
      kind: 'edit',
      title: 'Writing to left.txt',
      command: null,
      directory: '/work/greetings',
      paths: [],
      diffs: [],
    } as const;
    story.add(asked);
    expect(nowOf(story)).toBe(
      'Waiting for you: gemini asks: Writing to left.txt · 1 opens it · 1 agent at work',
    );
    story.add({ ...asked, request: 'permission:2', title: 'Writing to right.txt' });
    expect(nowOf(story)).toContain('gemini asks: Writing to left.txt · 1 more waiting · 1 opens it');
    story.add({ ...question, invocation: one?.id ?? '' });
    expect(nowOf(story), 'a question counts as well').toContain('left.txt · 2 more waiting · 1 opens it');
    expect(selectNow(viewOf(story), { ms: story.now(), offset: 0 }).short).toBe(
      'Waiting for you: gemini asks: Writing to left.txt · 2 more waiting · {here.first} opens it',
    );
    expect(selectNow(viewOf(story), { ms: story.now(), offset: 0 }).last, 'where that is too long').toBe(
      ' · 2 more waiting · {here.first} opens it',
    );
    story.wait(39_000).add(gate(null));
    expect(nowOf(story), 'a gate that opens later').toContain('gemini asks: Writing to left.txt');
  });

  test('what git does, which takes a while in a large repository', () => {
    const story = createStory()
      .begin()
      .state('KNOWLEDGE_EXTRACTION')
      .add({ type: 'merge.started', task: 'lint', attempt: 1 });
    expect(nowOf(story)).toBe('Now: merging lint into the branch');
    story.add({ type: 'finish.started', how: 'keep' });
    expect(nowOf(story)).toBe('Now: keeping the branch and removing the worktrees');
    story.add({ type: 'changes.finished', how: 'keep', branch: 'ralph/1' });
    expect(nowOf(story)).toBe('Now: preparing to collect what was learned');
  });

  test('what is tried again and when', () => {
    const at_ms = Date.UTC(2026, 1, 15, 3, 30);
    const story = createStory()
      .begin()
      .add({ type: 'retry.scheduled', retry: 'IMPLEMENT:lint', at_ms, tries: 1 });
    expect(nowOf(story)).toBe('Waiting: lint will be retried at 10:30, try 2 · R tries now');
    const why = 'Gemini CLI ended with 1, after "cannot find module"';
    story.add({ type: 'retry.scheduled', retry: 'SESSION_REVIEW', at_ms, tries: 1, reason: why });
    story.add({ type: 'timer.fired', timer: 'retry:IMPLEMENT:lint' });
    expect(nowOf(story)).toBe(
      `Waiting: session review will be retried at 10:30, try 2 · R tries now · ${why}`,
    );
  });

  test('that it is complete, with what was kept and the next step', () => {
    const story = twoSideBySide().state('COMPLETE').add(stopped('completed', 'completed'));
    expect(nowOf(story)).toMatch(/^Complete: 2 of 8 tasks done\. Next: /);
  });

  test.each(['no', 'no.'])('what failed when it ended so (%j), and how one goes on', (reason) => {
    const story = twoSideBySide();
    for (const attempt of [1, 2, 3]) {
      if (attempt > 1) story.starts('english', attempt);
      story.fails('english', reason);
    }
    story.state('COMPLETE').add(stopped('awaiting_feedback', 'failed tasks'));
    expect(nowOf(story)).toBe('1 failed, 3 unreachable: english failed: no. Next: r retries a failed task');
  });

  test('that it was aborted and that nothing was reverted', () => {
    const story = twoSideBySide().state('COMPLETE').add(stopped('aborted', 'aborted'));
    expect(nowOf(story)).toMatch(/^Aborted\. Nothing was reverted/);
  });

  test('why it does not run, and the command that goes on', () => {
    for (const [reason, told] of [
      ['quit', 'quit.'],
      ['The quota is used up.', 'The quota is used up.'],
      ['Whose version?', 'Whose version?'],
    ] as const)
      expect(nowOf(twoSideBySide().add(stopped('paused', reason)))).toBe(
        `Stopped just now: ${told} This session is read-only here`,
      );
    expect(nowOf(twoSideBySide(), 'stopped')).toBe(
      'Stopped just now: crashed. This session is read-only here',
    );
  });

  test.each(stateNameSchema.options)('something in %s when nothing is under way', (state) => {
    expect(nowOf(createStory().begin().state(state))).not.toBe('');
  });
});

describe('whatever happens in whatever order', () => {
  const bodies: readonly EventBody[] = [
    hold,
    { type: 'hold.begun', processes: 0 },
    { type: 'hold.ended', signal: null, by: 'kim' },
    { type: 'abort.requested', signal: null, by: 'kim' },
    { type: 'processes.stopped', reason: 'abort', stopped: [], unverified: [] },
    gate(null),
    { type: 'gate.decided', gate: 'knowledge', decision: 'skip', by: 'kim', signal: null },
    question,
    { type: 'question.answered', request: 'q1', answer: '80', by: 'kim', signal: null },
    invocation('STAGE', 'Librarian'),
    { type: 'invocation.paused', invocation: 'Librarian-1', continuation: null },
    { type: 'invocation.interrupted', invocation: 'Librarian-1', reason: 'quit' },
    { type: 'retry.scheduled', retry: 'x', at_ms: 1, tries: 1 },
    stopped('paused', 'quit'),
    ...stateNameSchema.options.map((state): EventBody => ({ type: 'state.entered', state, previous: null })),
  ];

  test('the now line is never empty and never holds "undefined" or "NaN"', () => {
    const connections: readonly Connection[] = ['live', 'attached', 'replay', 'stopped'];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...bodies), { maxLength: 12 }),
        fc.constantFrom(...connections),
        fc.boolean(),
        (happened, connection, planned) => {
          const story = planned ? twoSideBySide() : createStory().begin();
          for (const body of happened) story.add(body);
          const text = nowOf(story, connection);
          expect(text.trim()).not.toBe('');
          expect(text).not.toMatch(/undefined|NaN|null|Invalid/);
        },
      ),
      draws(400),
    );
  });
});

test('the screen changes by itself each second while work goes on, each minute while it waits or nobody runs it, and never in a replay', () => {
  const beat = (story: Story, connection?: Connection): number | undefined =>
    selectRefresh(viewOf(story, connection))?.everyMs;
  expect(beat(createStory())).toBeUndefined();
  expect(beat(twoSideBySide())).toBe(1_000);
  expect(beat(twoSideBySide(), 'replay')).toBeUndefined();
  expect(beat(twoSideBySide().add(stopped('paused', 'quit')))).toBe(60_000);
  expect(beat(createStory().begin().state('KNOWLEDGE_APPROVAL'))).toBe(1_000);
  expect(beat(createStory().begin().state('KNOWLEDGE_APPROVAL').add(gate(null)))).toBe(60_000);
});

test('on a narrow screen the gate still says until when it waits', () => {
  const story = twoSideBySide().state('KNOWLEDGE_APPROVAL');
  const view = viewOf(story.add(gate(story.now() + 3_600_000)));
  const line = selectNow(view, { ms: story.now(), offset: 0 });
  const short = withKeys(view, line.short ?? '');
  expect(short).toMatch(/^Waiting for you: 2 lessons · 1 · until 04:\d\d$/);
  expect(short.length).toBeLessThanOrEqual(58);
});

test('in a replay the line tells what was, and no key that would steer', () => {
  const story = twoSideBySide().add(hold).add({ type: 'hold.begun', processes: 0 });
  expect(nowOf(story)).toMatch(/^Paused by kim since \d\d:\d\d · p resumes$/);
  expect(nowOf(story, 'replay')).toMatch(/^Paused by kim since \d\d:\d\d$/);
  expect(nowOf(twoSideBySide().add(gate(storyStart + 3_600_000)), 'replay')).toMatch(
    /^Waiting for you: keep 2 lessons\? · if unanswered by \d\d:\d\d, kept for the next iteration$/,
  );
  const over = twoSideBySide().state('COMPLETE').add(stopped('completed', 'completed'));
  expect(nowOf(over, 'replay')).toMatch(/^Complete: \d of 8 tasks done$/);
});

test('after the end a signal that waits is what comes next, with the key that has it read', () => {
  const over = twoSideBySide().state('COMPLETE').add(stopped('aborted', 'aborted'));
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  store.load(over.events);
  store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
  const said = () =>
    withKeys(store.getState(), selectNow(store.getState(), { ms: over.now(), offset: 0 }).text);
  expect(said()).toMatch(/^Aborted.*q leaves/);
  const signal = { type: 'RETRY', target: 'ALL', task: 'english' } as const;
  const pending = [{ id: 'r1', file: 'signal.260215-101700.yaml', signal }];
  store.act({ type: 'mailbox-seen', seen: { pending, withdrawn: new Map() } });
  expect(said()).toBe('Aborted. 1 signal is waiting to be read: R resumes');
});

test('after the end feedback that waits is what comes next, and that of an iteration that is over is not', () => {
  const over = twoSideBySide().state('COMPLETE').add(stopped('awaiting_feedback', 'failed tasks'));
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  store.load(over.events);
  store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
  const said = () =>
    withKeys(store.getState(), selectNow(store.getState(), { ms: over.now(), offset: 0 }).text);
  store.act({ type: 'feedback-seen', iteration: 1, needsAgent: false });
  expect(said()).toMatch(/^Ended: .* r retries a failed task$/);
  store.act({ type: 'feedback-seen', iteration: 2, needsAgent: false });
  expect(said()).toMatch(/^Ended: .* done, .*\. Feedback is waiting: R starts iteration 2$/);
  store.act({ type: 'feedback-seen', iteration: 2, needsAgent: true });
  expect(said()).toMatch(/^Ended: .* r retries a failed task$/);
});
