import { afterEach, expect, test } from 'vitest';
import type { Command } from '../../components/command.ts';
import { bindingsOf, standardBindings } from '../../components/keys/bindings.ts';
import { noTerminalPort, type TerminalPort } from '../../components/ports/terminal-port.ts';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { overlays, richStory } from '../helpers/contexts.ts';
import { board } from '../helpers/scenes/issues.ts';
import { readPlan } from '../helpers/scenes/plan-review.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { type Story, twoSideBySide } from '../helpers/story.ts';
import { isLongForm } from '../helpers/test-form.ts';

const screens: TestScreen[] = [];
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const manyLines = 'a lesson of many lines\n'.repeat(60);

/** The real screen where the command has the keys, and what was asked of the terminal. */
const openAt = async (command: Command) => {
  const asked: string[] = [];
  const terminal: TerminalPort = {
    ...noTerminalPort,
    copy: async (text) => {
      asked.push(text);
      return 'copied';
    },
    edit: async (text) => {
      asked.push(text);
      return 'from the editor';
    },
  };
  const replay = command.context === 'replay';
  const story = replay ? twoSideBySide() : storyOf(command);
  const screen = await openScreen({
    columns: 80,
    rows: 20,
    story,
    terminal,
    previews: { 'a.md': manyLines, 'b.md': manyLines },
    connection: replay ? 'replay' : 'live',
    prepare: (store) => {
      readPlan(store);
      store.act({ type: 'issues-read', reading: { ok: true, board } });
      if (command.id === 'here.take-back')
        store.act({
          type: 'answer-held',
          held: {
            index: 0,
            label: 'a',
            words: 'Which?',
            answer: { kind: 'answer', request: 'q9', option: 'a' },
          },
        });
      if (isOverlay(command.context))
        store.act({ type: 'overlay-opened', overlay: overlays[command.context] });
    },
  });
  screens.push(screen);
  return { screen, asked };
};

/** Everything a person or the run could notice, but for the time. */
const state = ({ screen, asked }: Awaited<ReturnType<typeof openAt>>): string => {
  const { ui, replay, notice } = screen.store.getState();
  return JSON.stringify([ui, replay, notice, screen.intents, asked]);
};

const isOverlay = (context: Command['context']): context is keyof typeof overlays => context in overlays;

const storyOf = (command: Command): Story => {
  if (command.context === 'here')
    return twoSideBySide().add({
      type: 'question.asked',
      ...{ kind: 'ask', request: 'q9', text: 'Which?', invocation: null },
      options: plainOptions(['a', 'b', 'c', 'd', 'e']),
    });
  if (command.context === 'end') return failedTwice();
  if (command.context !== 'permission' && command.id !== 'permission.revoke') return richStory();
  const asked = permissionOf('Executor-1');
  const remembered = { key: 'k', text: 'mine: npm test' };
  return richStory()
    .add({ ...asked, type: 'permission.asked', request: 'permission:Executor-1:0' })
    .add({
      type: 'permission.answered',
      request: 'permission:Executor-1:0',
      invocation: 'Executor-1',
      decision: 'session',
      by: 'kim',
      remembered,
    })
    .add({ ...asked, type: 'permission.asked', request: 'permission:Executor-1:1' });
};

/** A request whose difference is longer than the screen. */
const permissionOf = (invocation: string) => ({
  invocation,
  agent: 'mine',
  kind: 'edit' as const,
  title: 'Edit a.md',
  command: null,
  directory: '/work',
  paths: ['/work/a.md'],
  diffs: [{ path: '/work/a.md', before: '', after: manyLines }],
});

/** Two tasks failed for good: a list that can be walked. */
const failedTwice = (): Story => {
  const story = richStory();
  for (const task of ['english', 'vietnamese'])
    for (const attempt of [1, 2, 3]) {
      if (attempt > 1) story.starts(task, attempt);
      story.fails(task, 'no');
    }
  return story;
};

const back = ['k', 'up', 'pageup', 'g', 'home', 'ctrl-u'];

/** The first key of a command, in the long form all of them. */
const keysOf = ({ keys }: Command): readonly string[] => (isLongForm ? keys : keys.slice(0, 1));

/**
 * The command table, walked: each of these keys of each command is sent to the drawn screen as a terminal sends it. A command without any effect, or a
 * context that is not set up in `test/helpers/contexts.ts`, fails here.
 */
test.each(
  standardBindings().commands.flatMap((command) =>
    keysOf(command).map((key) => [command.id, key, command] as const),
  ),
)('%s: %s does something on the real screen, or says why not', async (_, key, command) => {
  const opened = await openAt(command);
  const { screen } = opened;
  // A list is left at its start: going up needs something above.
  if (back.includes(key) && command.group === 'Move') await screen.press('end', 'down', 'pagedown');
  if (command.id === 'look.back') await screen.press('z');
  const view = screen.store.getState();
  const able = command.available(view);
  const before = state(opened);
  await screen.press(key);
  if (able !== true) expect(screen.store.getState().notice?.text).toBe(able);
  else expect(state(opened)).not.toBe(before);
  expect(bindingsOf(view).byKey.get(`${command.context} ${key}`)?.id).toBe(command.id);
});
