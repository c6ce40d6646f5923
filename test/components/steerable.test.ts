import { describe, expect, test } from 'vitest';
import type { CommandEffect } from '../../components/command.ts';
import { commands } from '../../components/commands.ts';
import { selectFate } from '../../components/compose/select-fate.ts';
import { editable, retryable, steerable } from '../../components/compose/steerable.ts';
import { selectConfirm } from '../../components/confirm/select-confirm.ts';
import { createStore, type Store } from '../../components/create-store.ts';
import { needUnderCursor } from '../../components/needs/needs-queue.ts';
import type { Connection } from '../../components/view.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, type Story, task } from '../helpers/story.ts';

/** `broken` failed for good, and `after` waits for it. */
const failed = (): Story => {
  const story = createStory()
    .begin()
    .tasks([task('broken'), task('after', ['broken']), task('last', ['after']), task('other')])
    .wave(1, ['broken', 'other']);
  for (const attempt of [1, 2, 3]) story.starts('broken', attempt).fails('broken', 'no');
  return story;
};
const ended = (): Story =>
  failed().state('COMPLETE').add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'awaiting_feedback',
    reason: 'failed tasks',
    exit_code: 1,
  });

const storeOf = (story: Story, connection: Connection = 'live'): Store => {
  const store = createStore({ clock: createManualClock(), evolve, connection });
  store.load(story.events);
  return store;
};
const choosing = (id: string, store: Store): Store => {
  store.act({ type: 'selected-task', task: id });
  return store;
};

describe('a pending signal of a session that has ended', () => {
  test.each(['live', 'stopped'] as const)('can be written anew as it can be withdrawn (%s)', (connection) => {
    const story = ended().pending('r1', { type: 'RETRY', target: 'ALL', task: 'broken', message: 'again' });
    const store = storeOf(story, connection);
    store.act({ type: 'focused', pane: 'inbox' });
    expect(editable(store.getState())).toBe(true);
    const edit = commands.find(({ id }) => id === 'steer.edit');
    expect(edit?.available(store.getState())).toBe(true);
  });

  test('keeps the iteration it was written for, which the composer does not show', () => {
    const signal = { type: 'INFO', target: 'ALL', message: 'for later', iteration: 2 } as const;
    const store = storeOf(ended().pending('i1', signal));
    store.act({ type: 'focused', pane: 'inbox' });
    for (const id of ['steer.edit', 'write.send'])
      for (const effect of commands.find((each) => each.id === id)?.run(store.getState()) ?? []) {
        if (effect.kind === 'act') store.act(effect.action);
        if (effect.kind === 'perform') expect(effect.intent).toEqual({ type: 'replace', id: 'i1', signal });
      }
    expect.assertions(1);
  });
});

describe('an unreachable task', () => {
  test('is not opened again by a key, which says what failed before it and which one to choose', () => {
    for (const id of ['after', 'last'])
      expect(retryable(choosing(id, storeOf(failed())).getState())).toBe(
        `${id} is unreachable: broken failed. Choose broken, then {steer.retry}`,
      );
    expect(retryable(choosing('other', storeOf(failed())).getState())).toBe('other is already open');
  });
});

const of = { invocation: 'Executor-1', task: 'broken', attempt: 1 } as const;
const replying = (backend: string): Story =>
  createStory()
    .begin()
    .tasks([task('broken')])
    .wave(1, ['broken'])
    .add({
      ...of,
      type: 'invocation.started',
      role: 'Executor',
      mode: 'IMPLEMENT',
      backend,
      cycle: 1,
      messages: [],
    })
    .add({
      ...of,
      type: 'agent.connected',
      label: 'Gemini CLI',
      session: 's',
      began: 'new',
      reach: 'turn-end',
    })
    .add({ ...of, type: 'prompt.sent', index: 0, why: 'ask' });

describe('the key that steers now', () => {
  const now = commands.find(({ id }) => id === 'steer.now');
  test('says what is lost before it sends, and what it sends interrupts', () => {
    const store = storeOf(replying('gemini'));
    expect(now?.available(store.getState())).toBe(true);
    for (const effect of now?.run(store.getState()) ?? [])
      if (effect.kind === 'act') store.act(effect.action);
    const draft = store.getState().ui.overlays.at(-1);
    if (draft?.kind !== 'compose') throw new Error('no composer was opened');
    expect(selectFate(store.getState(), draft).text).toContain(
      'Interrupts the agent on broken now: the text of its reply is lost. Files stay; it gets this with its next prompt.',
    );
    store.act({ type: 'edited', edit: { type: 'insert', text: 'stop that' } });
    const send = commands.find(({ id }) => id === 'write.send');
    expect(send?.run(store.getState())).toContainEqual({
      kind: 'perform',
      intent: {
        type: 'publish',
        signal: {
          type: 'STEER',
          target: 'Executor',
          task: 'broken',
          message: 'stop that',
          now: true,
          iteration: 1,
        },
      },
    });
  });

  test('cannot interrupt commands, an agent between two replies, or a session that is held', () => {
    const ended = { ...of, type: 'reply.ended', index: 0, stop: 'end_turn', duration_ms: 1 } as const;
    const commandsRun = createStory()
      .begin()
      .tasks([task('one')])
      .wave(1, ['one'])
      .starts('one');
    expect(now?.available(storeOf(commandsRun).getState())).toContain('This command cannot be interrupted');
    expect(now?.available(storeOf(replying('gemini').add(ended)).getState())).toContain(
      'is not replying right now',
    );
    const held = replying('gemini').add({ type: 'hold.requested', signal: null, by: 'kim' });
    expect(now?.available(storeOf(held).getState())).toContain('is paused');
  });
});

test('a refusal with a reason sends the reason to the agent that asked, then refuses', () => {
  const asked = {
    type: 'permission.asked',
    invocation: 'Executor-1',
    request: 'permission:1',
    agent: 'gemini',
    kind: 'command',
    title: 'rm',
    command: 'rm -r build',
    directory: '/work/greetings',
    paths: [],
    diffs: [],
  } as const;
  const store = storeOf(replying('gemini').add(asked));
  store.act({ type: 'overlay-opened', overlay: { kind: 'permission', request: 'permission:1', top: 0 } });
  const run = (id: string): readonly CommandEffect[] =>
    commands.find((each) => each.id === id)?.run(store.getState()) ?? [];
  for (const effect of run('permission.why')) if (effect.kind === 'act') store.act(effect.action);
  store.act({ type: 'edited', edit: { type: 'insert', text: 'keep the build' } });
  const draft = store.getState().ui.overlays.at(-1);
  // Its reply does not go on for 30 s without the reason.
  expect(draft?.kind === 'compose' && selectFate(store.getState(), draft).text).toContain(
    'Refuses what the agent asks for. The agent on broken gets it with the refusal, which cuts off its reply.',
  );
  const message = 'keep the build';
  expect(run('write.send').flatMap((effect) => (effect.kind === 'perform' ? [effect.intent] : []))).toEqual([
    { type: 'publish', signal: { type: 'STEER', target: 'Executor', task: 'broken', message, iteration: 1 } },
    { type: 'permit', request: 'permission:1', decision: 'no', why: message },
  ]);
});

test('a request refused with a reason leaves the queue at once, and the next one is under the cursor', () => {
  const asked = (number: number) =>
    ({
      type: 'permission.asked',
      invocation: 'Executor-1',
      request: `permission:${number}`,
      agent: 'gemini',
      kind: 'command',
      title: 'rm',
      command: 'rm -r build',
      directory: '/work/greetings',
      paths: [],
      diffs: [],
    }) as const;
  const store = storeOf(replying('gemini').add(asked(1)).add(asked(2)));
  const run = (id: string): void => {
    for (const effect of commands.find((each) => each.id === id)?.run(store.getState()) ?? [])
      if (effect.kind === 'act') store.act(effect.action);
  };
  store.act({ type: 'overlay-opened', overlay: { kind: 'needs-you', cursor: 0, at: 'permission:1' } });
  store.act({ type: 'overlay-opened', overlay: { kind: 'permission', request: 'permission:1', top: 0 } });
  run('permission.why');
  store.act({ type: 'edited', edit: { type: 'insert', text: 'keep the build' } });
  run('write.send');
  expect(needUnderCursor(store.getState())).toMatchObject({ request: 'permission:2' });
});

describe('the question before a cancel', () => {
  const questionOf = (story: Story, id: string): string => {
    const view = choosing(id, storeOf(story)).getState();
    const [effect] = commands.find((each) => each.id === 'steer.cancel')?.run(view) ?? [];
    if (effect?.kind !== 'act' || effect.action.type !== 'overlay-opened') return '';
    const { overlay } = effect.action;
    const question = overlay.kind === 'confirm' ? selectConfirm(view, overlay.subject) : '';
    return typeof question === 'string' ? question : [question.title, ...question.lines].join('\n');
  };

  test('names what becomes unreachable by it, at any distance, and not what is so already', () => {
    expect(questionOf(failed(), 'broken')).toContain('Cancel broken?');
    expect(questionOf(failed(), 'broken')).not.toContain('unreachable');
    const fine = createStory()
      .begin()
      .tasks([task('first'), task('after', ['first']), task('last', ['after']), task('other')]);
    expect(questionOf(fine, 'first')).toContain('Becomes unreachable: after, last.');
    expect(questionOf(fine, 'other')).not.toContain('unreachable');
  });
});

test('a session that ended with failures is not called complete', () => {
  const store = storeOf(ended());
  expect(steerable(store.getState())).toBe('The session has ended');
});
