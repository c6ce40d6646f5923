import { afterEach, expect, test } from 'vitest';
import { bindingsOf, standardBindings } from '../../src/keymap/bindings.ts';
import type { Command } from '../../src/keymap/command.ts';
import { type Desk, noDesk } from '../../src/store/desk.ts';
import { overlays, richStory } from '../helpers/contexts.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { type Story, twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const manyLines = 'a lesson of many lines\n'.repeat(60);

/** The real screen where the command has the keys, and what was asked of the desk. */
const openAt = async (command: Command) => {
  const asked: string[] = [];
  const desk: Desk = {
    ...noDesk,
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
  const story = replay ? twoSideBySide() : command.context === 'end' ? failedTwice() : richStory();
  const screen = await openScreen({
    columns: 80,
    rows: 20,
    story,
    desk,
    previews: { 'a.md': manyLines, 'b.md': manyLines },
    connection: replay ? 'replay' : 'live',
  });
  screens.push(screen);
  if (command.context !== 'main' && command.context !== 'replay')
    screen.store.act({ type: 'overlay-opened', overlay: overlays[command.context] });
  await screen.settle();
  return { screen, asked };
};

/** Everything a person or the run could notice, but for the time. */
const state = ({ screen, asked }: Awaited<ReturnType<typeof openAt>>): string => {
  const { ui, replay, notice } = screen.store.getState();
  return JSON.stringify([ui, replay, notice, screen.intents, asked]);
};

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

/**
 * The command table, walked: each key of each command is sent to the drawn screen as a terminal sends it. A command without any effect, or a
 * context that is not set up in `test/helpers/contexts.ts`, fails here.
 */
test.each(
  standardBindings().commands.flatMap((command) =>
    command.keys.map((key) => [command.id, key, command] as const),
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
