import { describe, expect, test } from 'vitest';
import { selectFate } from '../../components/compose/select-fate.ts';
import { selectRecipients } from '../../components/compose/select-recipients.ts';
import { retryable } from '../../components/compose/steerable.ts';
import { createStore } from '../../components/create-store.ts';
import { selectSummary } from '../../components/end/select-summary.ts';
import { createEditor } from '../../components/keys/line-editor.ts';
import { selectSignals } from '../../components/mailbox/select-signals.ts';
import type { ComposeOverlay, Recipient } from '../../components/overlay.ts';
import { selectTask, selectTasks } from '../../components/tasks/select-tasks.ts';
import type { ViewState } from '../../components/view.ts';
import { steerAction } from '../../src/agents/steer-tree.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { formatDecision } from '../../src/signals/steer-decision.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { executorOutcome } from '../helpers/outcomes.ts';
import { createStory, diamond, type Story, task, twoSideBySide } from '../helpers/story.ts';

const viewOf = (story: Story): ViewState => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(story.events);
  return store.getState();
};
const wordsOf = (story: Story): Readonly<Record<string, string>> =>
  Object.fromEntries([...selectTasks(viewOf(story)).lines.values()].map((line) => [line.id, line.word]));

describe('a task row', () => {
  test('says what runs, what is ready and what waits for what', () => {
    expect(wordsOf(twoSideBySide())).toEqual({
      init: 'done',
      schema: 'done',
      english: 'running',
      vietnamese: 'running',
      docs: 'ready',
      service: 'waits for english, vietnamese',
      'load-test': 'waits for service',
      release: 'waits for service, docs',
    });
  });

  test('that may not run beside the work under way says so, and is not called ready', () => {
    const alone = createStory()
      .begin()
      .tasks([task('a', [], { files: [] }), task('b', [], { files: ['src'] }), task('c', [], { files: [] })])
      .wave(1, ['a', 'b', 'c'])
      .starts('a');
    expect(wordsOf(alone)).toMatchObject({
      a: 'running',
      b: 'after a: runs alone',
      c: 'after a: runs alone',
    });
    const same = createStory()
      .begin()
      .tasks([task('a', [], { files: ['src/x.ts'] }), task('b', [], { files: ['src'] })])
      .wave(1, ['a', 'b'])
      .starts('a');
    expect(wordsOf(same)).toMatchObject({ b: 'after a: both change src' });
  });

  test('of a plan stands before the session, and stays while that begins', () => {
    const planned = viewOf(createStory().begin('Ship it').tasks(diamond)).session;
    const story = createStory().begin('Ship it');
    const store = createStore({
      ...{ clock: createManualClock(), evolve, connection: 'stopped', opening: true, planned },
    });
    const ids = () => selectTasks(store.getState()).ids;
    const all = diamond.map(({ id }) => id).sort();
    expect([...ids()].sort()).toEqual(all);
    for (const event of story.events) store.dispatch(event);
    expect([...ids()].sort()).toEqual(all);
    const { events } = story.tasks([task('other')]);
    for (const event of events.slice(-3)) store.dispatch(event);
    expect(ids()).toEqual(['other']);
  });

  test('begins with its invocation: a first attempt is no retry', () => {
    const story = createStory()
      .begin()
      .tasks([task('a')])
      .wave(1, ['a'])
      .add({
        type: 'invocation.started',
        ...{ invocation: 'Executor-9', role: 'Executor', mode: 'IMPLEMENT', backend: 'script', cycle: 1 },
        ...{ task: 'a', attempt: 1, messages: [] },
      });
    expect(wordsOf(story)).toEqual({ a: 'starting' });
  });

  test('whose agent asks a person says so, since it asked, and not that it runs', () => {
    const story = twoSideBySide();
    const english = [...(viewOf(story).session?.invocations.values() ?? [])].find(
      ({ task }) => task === 'english',
    );
    story.add({
      type: 'permission.asked',
      ...{ invocation: english?.id ?? '', task: 'english', attempt: 1, request: 'p1', agent: 'gemini' },
      ...{ kind: 'command', title: 'npm test', command: 'npm test', directory: '/w', paths: [], diffs: [] },
    });
    const asked = story.events.at(-1)?.at;
    expect(selectTasks(viewOf(story)).lines.get('english')).toMatchObject({
      look: 'asks',
      word: 'asks you',
      since: asked,
    });
  });

  test('that a person marked as done says so, in its row and in the summary', () => {
    const store = createStore({ clock: createManualClock(), evolve, connection: 'attached' });
    store.load(
      twoSideBySide().add({ type: 'task.edited-by-hand', task: 'english', from: 'open', to: 'done' }).events,
    );
    expect(selectTasks(store.getState()).lines.get('english')?.word).toBe('done by hand');
    expect(selectSummary(store.getState())[0]).toMatch(/^\d of \d tasks done, 1 by hand$/);
  });

  test('of a split task is directly below it, in the wave of the first part', () => {
    const rowsOf = (story: Story): readonly string[] =>
      selectTasks(viewOf(story)).rows.map((row) =>
        row.kind === 'level' ? `level ${row.level}` : row.kind === 'task' ? row.id : row.title,
      );
    // Parts need not name the blockers of the whole again: here "c" waited for "b".
    const split = [
      task('a'),
      task('b', ['a']),
      task('c', ['b'], { replaced_by: ['c1', 'c2', 'c3'] }),
      task('x'),
      task('c1', [], { replaced_by: ['c4'] }),
      task('c2', ['c1']),
      task('c3'),
      task('c4'),
    ];
    expect(rowsOf(createStory().begin().tasks(split))).toEqual([
      'level 1',
      'a',
      'c',
      'c1',
      'c4',
      'c3',
      'x',
      'level 2',
      'b',
      'c2',
    ]);
    const ring = [
      task('p', [], { replaced_by: ['q', 'r'] }),
      task('q', [], { replaced_by: ['p'] }),
      task('r'),
    ];
    expect(rowsOf(createStory().begin().tasks(ring))).toEqual(['level 1', 'p', 'q', 'r']);
  });

  test('is split into several others, or replaced by one', () => {
    const story = createStory()
      .begin()
      .tasks([
        task('a', [], { replaced_by: ['b', 'c'] }),
        task('b', [], { replaced_by: ['d'] }),
        task('c', []),
        task('d', []),
      ]);
    expect(wordsOf(story)).toMatchObject({ a: 'split into b, c', b: 'replaced by d' });
    const store = createStore({ clock: createManualClock(), evolve, connection: 'attached' });
    store.load(story.events);
    const { rows, total } = selectTasks(store.getState());
    const waves = rows.flatMap((row) => (row.kind === 'level' ? row.total : []));
    expect(waves.reduce((all, each) => all + each)).toBe(total);
  });

  test('whose blockers are done is ready, whatever else of an earlier level still runs', () => {
    const story = createStory()
      .begin()
      .tasks([task('a'), task('slow'), task('b', ['a'])])
      .wave(1, ['a', 'slow'])
      .starts('a')
      .starts('slow')
      .qualifies('a');
    expect(wordsOf(story)).toEqual({ a: 'done', slow: 'running', b: 'ready' });
  });

  test('says that another attempt comes, and once there is none left what can no longer be reached', () => {
    const story = twoSideBySide().fails('english', 'no');
    expect(wordsOf(story)['english']).toBe('will retry: attempt 2');
    story.starts('english', 2).fails('english', 'no').starts('english', 3).fails('english', 'tests failed');
    const words = wordsOf(story);
    expect(words['english']).toBe('failed: tests failed');
    expect(words['service']).toBe('unreachable: english failed');
    expect(words['release']).toBe('unreachable: english failed');
    expect(words['docs']).toBe('ready');
  });

  test('of a program that was killed is cut off, not running: nobody works on it', () => {
    const view = viewOf(twoSideBySide().command('english', 'node slow.js'));
    const line = (id: string) => selectTasks({ ...view, connection: 'stopped' }).lines.get(id);
    expect(line('english')).toMatchObject({ look: 'again', word: 'cut off, attempt 2 next', since: null });
    expect(line('docs')?.word).toBe('ready');
    expect(selectTasks(view).lines.get('english')?.word).toBe('running');
  });

  test('tells how long its attempt worked, not how long it waited for the review after', () => {
    const story = twoSideBySide();
    const before = selectTasks(viewOf(story)).lines.get('english')?.since ?? '';
    story.wait(9_000).qualifies('english');
    const { look, tookMs } = selectTasks(viewOf(story)).lines.get('english') ?? {};
    const submitted = story.events.findLast((event) => event.type === 'task.submitted')?.at ?? '';
    expect([look, tookMs]).toEqual(['done', Date.parse(submitted) - Date.parse(before)]);
    expect(viewOf(story).attempts.of('english').at(-1)?.endedAt).toBe(submitted);
  });

  test('leaves out how long its work was held, while it goes on and once it is done', () => {
    const story = twoSideBySide();
    const since = (): number => Date.parse(selectTasks(viewOf(story)).lines.get('english')?.since ?? '');
    const began = since();
    const english = story.events.find((event) => event.type === 'task.started' && event.task === 'english');
    if (english?.type !== 'task.started') throw new Error('nobody works on english');
    const { invocation } = english;
    story.add({ type: 'invocation.paused', invocation, continuation: null });
    story.wait(600_000).add({ type: 'invocation.resumed', invocation, messages: [] });
    expect(since() - began).toBe(600_000);
    story.wait(5_000).qualifies('english');
    const view = viewOf(story);
    const submitted = story.events.findLast((event) => event.type === 'task.submitted')?.at ?? '';
    const worked = Date.parse(submitted) - began - 600_000;
    expect(selectTasks(view).lines.get('english')?.tookMs).toBe(worked);
    expect(view.attempts.of('english').at(-1)?.workedMs).toBe(worked);
  });

  test('lets nothing of a title through that a terminal would act on', () => {
    const story = createStory()
      .begin()
      .tasks([task('t', [], { title: 'x\u001b[2J\u202ey' })]);
    expect(selectTasks(viewOf(story)).lines.get('t')?.title).toBe('xy');
  });

  test('rows stand by level, and the task looked at is the one worked on until another is chosen', () => {
    const view = viewOf(twoSideBySide());
    const levels = selectTasks(view).rows.filter((row) => row.kind === 'level');
    expect(levels.map((row) => [row.level, row.done, row.total])).toEqual([
      [1, 2, 2],
      [2, 0, 3],
      [3, 0, 1],
      [4, 0, 2],
    ]);
    expect(selectTask(view)).toBe('english');
    const chosen = { ...view, ui: { ...view.ui, selected: { ...view.ui.selected, tasks: 'docs' } } };
    expect(selectTask(chosen)).toBe('docs');
  });
});

describe('the task one looks at by itself', () => {
  test('is the one still worked on as soon as the one before is handed in, but nobody is taken away from what is read', () => {
    const story = twoSideBySide();
    const started = story.events.findLast(
      (event) => event.type === 'task.started' && event.task === 'english',
    );
    const invocation = started?.type === 'task.started' ? started.invocation : '';
    const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
    store.load(story.events);
    expect(selectTask(store.getState())).toBe('english');
    const ends = story
      .add({ type: 'invocation.ended', invocation, outcome: executorOutcome('english', 1) })
      .add({ type: 'task.submitted', task: 'english', attempt: 1, invocation, files: [] })
      .events.slice(-2);
    const reading = createStore({ clock: createManualClock(), evolve, connection: 'live' });
    reading.load(story.events.slice(0, -2));
    reading.act({ type: 'focused', pane: 'right' });
    reading.act({ type: 'moved', by: 'first' });
    for (const each of [store, reading]) for (const event of ends) each.dispatch(event);
    expect([store, reading].map((each) => selectTask(each.getState()))).toEqual(['vietnamese', 'english']);
  });
});

describe('the task one looks at while the work is on none', () => {
  const over = (): Story =>
    twoSideBySide()
      .qualifies('vietnamese')
      .fails('english', 'no')
      .starts('english', 2)
      .fails('english', 'no')
      .starts('english', 3)
      .fails('english', 'tests failed')
      .state('KNOWLEDGE_EXTRACTION')
      .add({
        type: 'invocation.started',
        invocation: 'Librarian-9',
        role: 'Librarian',
        mode: 'STAGE',
        backend: 'script',
        cycle: 1,
        messages: [],
      });

  test('is the one that failed, so that r opens that one again', () => {
    expect(selectTask(viewOf(over()))).toBe('english');
    expect(retryable(viewOf(over()))).toBe(true);
  });

  test('is the first one where none failed, and r asks to choose one: done work is not begun again by a slip', () => {
    const fine = createStory()
      .begin()
      .tasks([task('a', [])])
      .wave(1, ['a'])
      .starts('a')
      .qualifies('a');
    const view = viewOf(fine);
    const away = { ...view, ui: { ...view.ui, followed: 'Librarian-9' } };
    expect(selectTask(away)).toBe('a');
    expect(retryable(away)).toBe('First choose the task to reopen: {look.open}');
    const chosen = { ...away, ui: { ...away.ui, selected: { ...away.ui.selected, tasks: 'a' } } };
    expect(retryable(chosen)).toBe(true);
  });
});

describe('a signal row', () => {
  const steer = { type: 'STEER', target: 'Executor', task: 'english', message: 'use bar' } as const;

  test('speaks of delivery and handling only when a consumer reported them', () => {
    const story = twoSideBySide().pending('s1', steer, 'read when the command ends');
    const word = (): string => {
      const { inbox, processed } = selectSignals(viewOf(story));
      return [...inbox, ...processed].find((row) => row.id === 's1')?.word ?? '';
    };
    expect(word()).toBe('read when the command ends');
    story.claimed('s1', steer, 'Executor', 'Executor.3.5');
    expect(word()).toBe('taken by the agent on english');
    story.add({
      type: 'signal.delivered',
      id: 's1',
      recipient: 'Executor~Executor-7',
      checkpoint: 'Executor.3.5',
      how: 'tree',
      broadcast: false,
    });
    expect(word()).toBe('reached the agent on vietnamese');
    story.handled('s1', steer, 'Ralph-v2-Executor', 'adjust: STEER applied in-place: use bar');
    expect(word()).toBe('the agent on vietnamese adjusted its work: use bar');
  });

  test('claims no adjusted work of an order that came after the last command', () => {
    const rows = (action: string) =>
      selectSignals(viewOf(twoSideBySide().handled('s1', steer, 'Ralph-v2-Executor', action))).processed;
    const late = { verdict: 'not followed', evidence: 'it came too late, no command was left' } as const;
    expect(rows(formatDecision({ ...late, action: steerAction('not followed', 'use bar') }))).toMatchObject([
      {
        word: 'the agent on english did not follow it: it came too late, no command was left (use bar)',
        shorter: ['it came too late, no command was left'],
        unheeded: true,
      },
    ]);
    expect(rows('adjust: STEER applied in-place: use bar')).toMatchObject([{ unheeded: false }]);
  });

  test('of an answer names its question also after the end, which drops it', () => {
    const request = 'merge:english:1:1';
    const answer = { type: 'ANSWER', target: 'ALL', request, option: 'task' } as const;
    const story = twoSideBySide()
      .add({
        type: 'question.asked',
        request,
        kind: 'merge',
        task: 'english',
        invocation: null,
        text: 'english conflicts with html in a.txt. Which version should be kept?',
        options: [{ id: 'task', label: '' }],
      })
      .pending('a1', answer)
      .add({ type: 'question.answered', request, option: 'task', answer: 'task', by: 'kim', signal: 'a1' })
      .handled('a1', answer, 'Ralph-v2-Orchestrator', 'the question is answered');
    const message = () => selectSignals(viewOf(story)).processed[0]?.message;
    const before = message();
    expect(before).toContain('task · english conflicts with html');
    story.state('COMPLETE');
    expect(message()).toBe(before);
  });

  test('that ended last stands first in Processed, however early it was written', () => {
    const story = twoSideBySide()
      .pending('early', steer)
      .pending('late', steer)
      .handled('late', steer, 'kim', 'x')
      .handled('early', steer, 'kim', 'y');
    expect(selectSignals(viewOf(story)).processed.map((row) => row.id)).toEqual(['early', 'late']);
  });

  test('moves from Inbox to Processed, newest first there', () => {
    const story = twoSideBySide()
      .pending('a', steer)
      .pending('b', steer)
      .handled('a', steer, 'kim', 'x')
      .handled('b', steer, 'kim', 'y');
    const { inbox, processed } = selectSignals(viewOf(story));
    expect([inbox.length, processed.map((row) => row.id)]).toEqual([0, ['b', 'a']]);
  });
});

describe('the sentence under the composer', () => {
  const draft = (type: 'STEER' | 'INFO', recipient: Recipient): ComposeOverlay => ({
    kind: 'compose',
    type,
    recipient,
    apply: null,
    editor: createEditor('x'),
  });
  const english = { target: 'Executor', task: 'english' } as const;
  const hold = { type: 'hold.requested', signal: null, by: 'kim' } as const;

  test.each([
    [
      'an agent whose command runs',
      twoSideBySide(),
      english,
      'The agent on english reads it when `npm test -- --grep english` ends.',
    ],
    [
      'a task nobody works on',
      twoSideBySide(),
      { target: 'Executor', task: 'docs' } as const,
      'Waits for the next agent on docs; can be withdrawn until then.',
    ],
    [
      'a task that will not run again',
      twoSideBySide(),
      { target: 'Executor', task: 'init' } as const,
      'init is already done: no agent will read this.',
    ],
    [
      'everybody',
      twoSideBySide(),
      { target: 'ALL', task: null } as const,
      '2 agents will read it at the next step; later agents in this iteration get it too.',
    ],
    [
      'a pausing session',
      twoSideBySide().add({ type: 'hold.requested', signal: null, by: 'kim' }),
      english,
      'Queued until the session resumes: it is pausing.',
    ],
    [
      'a paused session',
      twoSideBySide()
        .add({ type: 'hold.requested', signal: null, by: 'kim' })
        .add({ type: 'hold.begun', processes: 0 }),
      english,
      'Queued: read when the session resumes.',
    ],
  ])('tells when %s reads it', (_, story, recipient, sentence) => {
    expect(selectFate(viewOf(story), draft('INFO', recipient)).text).toContain(sentence);
  });

  test.each([
    // What joins a reply that streams is read when that ends.
    ['steering', 'STEER', 'gets it with the next request to its model, through its steering extension.'],
    ['cutting-steering', 'STEER', 'gets it now, through its steering extension, which cuts off its reply.'],
    ['tool-result', 'INFO', 'gets it with its next call to a ralph-tui tool, or when this turn ends.'],
    [
      'tool-result',
      'STEER',
      'gets it with its next call to a ralph-tui tool; after 30 s without one, this cuts off its reply.',
    ],
    ['turn-end', 'INFO', 'gets it when this turn ends.'],
  ] as const)('tells how an agent with the reach %s gets %s while it replies', (reach, type, sentence) => {
    const of = { invocation: 'Executor-english', task: 'english', attempt: 1 };
    const story = twoSideBySide();
    const invocation = [...(viewOf(story).session?.invocations.values() ?? [])].find(
      ({ task }) => task === 'english',
    );
    const at = { ...of, invocation: invocation?.id ?? '' };
    story
      .add({ type: 'agent.connected', ...at, label: 'Codex', session: 's1', began: 'new', reach })
      .add({ type: 'prompt.sent', ...at, index: 0, why: 'ask' });
    expect(selectFate(viewOf(story), draft(type, english)).text).toContain(
      `The agent on english ${sentence}`,
    );
  });

  test.each([
    ['runs', (story: Story) => story],
    ['has ended', (story: Story) => story.commandEnds('english', true, 1)],
    ['runs in a pausing session', (story: Story) => story.add(hold)],
    [
      'has ended in a paused session',
      (story: Story) =>
        story.add(hold).commandEnds('english', true, 1).add({ type: 'hold.begun', processes: 0 }),
    ],
  ])('says what an order can still do when the last command %s', (_, then) => {
    const fate = (story: Story, apply: ComposeOverlay['apply']) =>
      selectFate(viewOf(then(story)), { ...draft('STEER', english), apply }).text;
    const none = 'No command is left then';
    const atEnd = () => twoSideBySide().command('english', 'npm test', 1, 2);
    expect(fate(atEnd(), null)).toContain(`${none}: it can restart or escalate, not adjust.`);
    expect(fate(atEnd(), 'adjust')).toContain(`${none}: too late to adjust its work.`);
    expect(fate(atEnd(), 'restart')).not.toContain(none);
    expect(fate(twoSideBySide().command('english', 'npm test', 1, 3), null)).not.toContain(none);
  });

  test('counts no command that prepares the worktree as the last one', () => {
    const story = twoSideBySide();
    const begun = story.command('english', 'npm ci', 0, 1).events.at(-1);
    if (begun?.type !== 'command.started') throw new Error('no command began');
    const view = viewOf(twoSideBySide().add({ ...begun, purpose: 'setup' }));
    expect(selectFate(view, draft('STEER', english)).text).not.toContain('No command is left');
  });

  test('is no good news while nobody would read the message', () => {
    const fate = (story: Story) => selectFate(viewOf(story), draft('INFO', english)).held;
    expect(fate(twoSideBySide())).toBe(false);
    expect(fate(twoSideBySide().qualifies('english'))).toBe(true);
  });

  const retry = (story: Story, task: string): string =>
    selectFate(viewOf(story), { ...draft('INFO', { target: 'ALL', task }), type: 'RETRY' }).text;

  test('a retry frees what a failure made unreachable, and leaves what is done', () => {
    const failed = twoSideBySide();
    for (const attempt of [1, 2, 3]) {
      if (attempt > 1) failed.starts('english', attempt);
      failed.fails('english', 'no');
    }
    expect(retry(failed, 'english')).toContain('3 tasks that depend on it can run again.');
    const done = twoSideBySide().qualifies('english').qualifies('vietnamese');
    expect(retry(done.starts('service').qualifies('service'), 'english')).toContain(
      'Work built on it is not redone (1 task).',
    );
    expect(retry(twoSideBySide(), 'init')).not.toMatch(/can run again|is not redone/);
    // Only the release waits for the docs.
    const one = twoSideBySide();
    for (const attempt of [1, 2, 3]) one.starts('docs', attempt).fails('docs', 'no');
    expect(retry(one, 'docs')).toMatch(/ 1 task that depends on it can run again/);
  });

  test('recipients are those at work first, then the task one looks at, everybody, and every role', () => {
    const labels = selectRecipients(viewOf(twoSideBySide())).map((choice) => choice.label);
    expect(labels).toEqual([
      'agent on english',
      'agent on vietnamese',
      'everybody',
      'Planner',
      'Questioner',
      'Executor',
      'Reviewer',
      'Librarian',
    ]);
  });
});

describe('the summary after leaving', () => {
  test('counts what is done and names what failed first', () => {
    const story = twoSideBySide();
    for (const attempt of [1, 2, 3]) {
      if (attempt > 1) story.starts('english', attempt);
      story.fails('english', 'no');
    }
    story.add({
      type: 'session.stopped',
      session_id: '260215-101500',
      status: 'paused',
      reason: 'quit',
      exit_code: 4,
    });
    expect(selectSummary(viewOf(story))).toEqual([
      '2 of 8 tasks done',
      'english    failed: no',
      'service    unreachable: english failed',
      'load-test  unreachable: english failed',
      'release    unreachable: english failed',
    ]);
  });

  test('says nothing of a session that never began', () => {
    expect(selectSummary(viewOf(createStory()))).toEqual([]);
  });

  test('a plan of the diamond has four waves', () => {
    expect(selectTasks(viewOf(createStory().begin().tasks(diamond))).graph.waves.length).toBe(4);
  });
});
