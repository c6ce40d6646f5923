import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/keymap/command.ts';
import { commands } from '../../src/keymap/commands/index.ts';
import { editKeys, isField } from '../../src/keymap/edit-keys.ts';
import { commandFor } from '../../src/keymap/press.ts';
import { footerHints, helpRows, keyTable } from '../../src/keymap/table.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createStore, type Store } from '../../src/store/create-store.ts';
import { createEditor } from '../../src/store/line-editor.ts';
import type { Overlay } from '../../src/store/overlay.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { type Story, twoSideBySide } from '../helpers/story.ts';

const storeOf = (story: Story): Store => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(story.events);
  return store;
};

/** A session in which everything can be done: two agents at work, a failed task, a pending signal, an open gate and a question. */
const rich = (): Store => {
  const steer = { type: 'STEER', target: 'ALL', message: 'x' } as const;
  const story = twoSideBySide()
    .pending('s1', steer)
    .add({ type: 'gate.opened', gate: 'knowledge', iteration: 1, deadline_ms: null, files: ['a.md', 'b.md'] })
    .add({ type: 'question.asked', request: 'q1', text: 'Which?', options: ['a', 'b'], invocation: null });
  const store = storeOf(story);
  store.act({ type: 'focused', pane: 'inbox' });
  store.act({ type: 'moved', by: 'first' });
  store.act({ type: 'focused', pane: 'tasks' });
  return store;
};

const overlays: { readonly [context in Exclude<Context, 'main' | 'replay'>]: Overlay } = {
  compose: {
    kind: 'compose',
    type: 'STEER',
    recipient: { target: 'ALL', task: null },
    apply: null,
    editor: createEditor('use bar'),
  },
  confirm: {
    kind: 'confirm',
    title: 'Abort?',
    lines: [],
    verb: 'abort',
    word: 'ABORT',
    editor: createEditor('ABORT'),
    intent: { type: 'publish', signal: { type: 'ABORT', target: 'ALL' } },
  },
  knowledge: { kind: 'knowledge', cursor: 0, chosen: [], top: 0, asking: null, editor: createEditor() },
  'knowledge-asking': {
    kind: 'knowledge',
    cursor: 0,
    chosen: [],
    top: 0,
    asking: 'approve',
    editor: createEditor(),
  },
  prompt: { kind: 'prompt', what: 'search', editor: createEditor('x') },
  answer: { kind: 'answer', request: 'q1', cursor: 0, editor: createEditor() },
  'needs-you': { kind: 'needs-you', cursor: 0 },
  signal: { kind: 'signal', id: 's1', top: 0 },
  help: { kind: 'help', top: 0 },
  palette: { kind: 'palette', cursor: 0, editor: createEditor() },
  end: { kind: 'end', cursor: 0 },
  quit: { kind: 'quit', cursor: 0 },
};

const replayed = (): Store => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'replay' });
  store.load(twoSideBySide().events);
  return store;
};

const inContext = (context: Context): Store => {
  const store = rich();
  if (context === 'replay') return replayed();
  if (context !== 'main') store.act({ type: 'overlay-opened', overlay: overlays[context] });
  return store;
};

describe('the command table', () => {
  test('has no key with two commands in one context', () => {
    const claims = commands.flatMap((command) => command.keys.map((key) => `${command.context} ${key}`));
    expect(claims.filter((claim, index) => claims.indexOf(claim) !== index)).toEqual([]);
  });

  test('has no two commands of one id', () => {
    const ids = commands.map((command) => command.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('takes no plain character away from a text field, and no editing key by accident', () => {
    const taken = commands
      .filter((command) => isField(command.context))
      .flatMap((command) => command.keys.map((key) => `${command.context} ${key}`))
      .filter((claim) => /^\S+ (.|space)$/u.test(claim) || editKeys[claim.split(' ')[1] ?? ''] !== undefined);
    expect(taken).toEqual([]);
  });

  test.each(commands.map((command) => [command.id, command] as const))(
    '%s does something, or says why not',
    (_, command) => {
      const view = inContext(command.context).getState();
      const available = command.available(view);
      if (available === true) expect(command.run(view).length).toBeGreaterThan(0);
      else expect(available).toMatch(/^\S.{5,}$/);
    },
  );

  /** What cannot be done in a session where work runs and nothing is held or failed. */
  const unavailableThere = [
    'steer.now',
    'steer.retry',
    'steer.edit',
    'arrive.resume',
    'end.resume',
    'end.show',
    'end.retry',
    'end.open',
    'write.send-and-resume',
    'read.next-match',
    'read.previous-match',
    'read.previous-failure',
    'read.next-failure',
    'read.earlier-attempt',
    'read.later-attempt',
  ];

  test('nearly every command can act in a session with work under way', () => {
    const without = commands
      .filter((command) => command.available(inContext(command.context).getState()) !== true)
      .map((command) => command.id);
    expect(without).toEqual(unavailableThere);
  });

  test('running a command only ever gives what the reducers take', () => {
    for (const command of commands) {
      const store = inContext(command.context);
      if (command.available(store.getState()) !== true) continue;
      for (const doing of command.run(store.getState())) if (doing.kind === 'act') store.act(doing.action);
      expect(store.getState().ui.overlays.length).toBeLessThanOrEqual(2);
    }
  });

  test('footer and help advertise only keys that are in the table', () => {
    const view = rich().getState();
    const inMain = commands.filter((command) => command.context === 'main');
    expect(footerHints(view).map((hint) => hint.key)).toEqual([
      'u',
      'p',
      's',
      'i',
      'x',
      'A',
      'Tab',
      ':',
      '?',
      'q',
    ]);
    const keys = helpRows(view).filter((row) => row.kind === 'key');
    expect(keys.length).toBeGreaterThanOrEqual(inMain.length);
    expect(keyTable().length).toBeGreaterThanOrEqual(inMain.length);
    expect(keyTable().every((row) => row.keys !== '' && row.what !== '')).toBe(true);
  });

  test('help gives the reason where a key can do nothing', () => {
    const view = storeOf(twoSideBySide()).getState();
    const row = helpRows(view).find((help) => help.kind === 'key' && help.keys === 'u');
    expect(row).toMatchObject({ why: 'Nothing waits for you' });
  });

  test('in every overlay Esc and ctrl-c close it', () => {
    for (const [context, overlay] of Object.entries(overlays)) {
      for (const key of ['escape', 'ctrl-c']) {
        const store = inContext(
          overlay.kind === 'knowledge' && context !== 'knowledge' ? 'knowledge-asking' : overlay.kind,
        );
        const name = overlay.kind === 'knowledge' && overlay.asking ? 'knowledge-asking' : overlay.kind;
        expect(commandFor(name, key)?.run(store.getState()), `${name} ${key}`).toBeDefined();
      }
    }
  });
});
