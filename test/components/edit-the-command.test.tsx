import { expect, test } from 'vitest';
import { noTerminalPort } from '../../components/ports/terminal-port.ts';
import type { Command } from '../../src/tasks/task.ts';
import { openScreen } from '../helpers/screen.tsx';
import { createStory, task } from '../helpers/story.ts';

const missing = 'exit 127: uv: not found';

/** `english` has failed; its commands are written anew by an editor that saves `saved`. */
const openRetry = (...saved: readonly string[]) => openRetryOf([{ cmd: 'uv sync' }], ...saved);

const openRetryOf = async (run: readonly Command[], ...saved: readonly string[]) => {
  const shown: string[] = [];
  const terminal = {
    ...noTerminalPort,
    edit: async (text: string) => saved[shown.push(text) - 1] ?? text,
  };
  const story = createStory()
    .begin()
    .tasks([task('english', [], { run })])
    .wave(1, ['english']);
  for (const attempt of [1, 2, 3]) story.starts('english', attempt).fails('english', missing);
  const screen = await openScreen({ columns: 100, rows: 30, story, terminal });
  await screen.press('e');
  return { screen, shown };
};

test('e on a failed task offers to edit its command: the editor has it, the composer shows what changes, Enter sends both', async () => {
  const { screen, shown } = await openRetry('run:\n  - npm test\n');
  expect(screen.frame()).toMatch(/Runs +uv sync/);
  expect(screen.frame()).toContain('ctrl-x edit the command');
  await screen.press('ctrl-x');
  expect(shown[0]).toContain('run:\n  - uv sync\n');
  expect(screen.frame()).toMatch(/- uv sync[\s\S]*\+ npm test/);
  await screen.press('enter');
  expect(screen.intents).toMatchObject([
    { type: 'publish', signal: { type: 'RETRY', task: 'english' }, commands: { run: [{ cmd: 'npm test' }] } },
  ]);
  screen.unmount();
});

test('a command with options stands in the composer as a person would type it; an edit shows each option it changes', async () => {
  const command = {
    cmd: ['npm', 'run', 'build'],
    env: { CI: 'true' },
    timeout_ms: 60_000,
    shows: ['the build exits 0'],
  };
  const { screen } = await openRetryOf([command], 'run:\n  - {cmd: npm run build, cwd: web, timeout: 2m}\n');
  expect(screen.frame()).toMatch(/Runs CI=true npm run build +│/);
  await screen.press('ctrl-x');
  expect(screen.frame()).toMatch(/- CI=true npm run build · timeout 1m · shows: the build exits 0 +│/);
  expect(screen.frame()).toMatch(/\+ npm run build \(in web\) · timeout 2m +│/);
  screen.unmount();
});

test('what cannot be a command is named with its line, stays in the editor, and is not sent', async () => {
  const { screen, shown } = await openRetry('run:\n  - {cmd: 7}\n');
  await screen.press('ctrl-x');
  expect(screen.rows().at(-1)).toContain('commands.yaml:2: run[1]');
  await screen.press('ctrl-x');
  expect(shown[1]).toBe('run:\n  - {cmd: 7}\n');
  await screen.press('enter');
  expect(screen.intents).toEqual([expect.not.objectContaining({ commands: expect.anything() })]);
  screen.unmount();
});

test('an editor that changes nothing leaves the retry as it was', async () => {
  const { screen } = await openRetry();
  await screen.press('ctrl-x');
  expect(screen.rows().at(-1)).toContain('No command was changed.');
  screen.unmount();
});
