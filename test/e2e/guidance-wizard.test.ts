import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runJson } from '../helpers/program.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { openScreen } from '../helpers/terminal.ts';

/** The rule that the finding about this directory becomes. */
const avoided = 'Writing paths that exist on only one machine, such as /home/zed/, into files';

const open = (cwd: string) =>
  openScreen(['guidance', '--screen-reader'], {
    cwd,
    columns: 100,
    rows: 60,
    env: { PATH: '/usr/bin:/bin' },
  });

const answer = async (terminal: ReturnType<typeof open>, question: string, text: string): Promise<void> => {
  await terminal.waitFor(question);
  terminal.type(`${text}\r`);
};

test('in lines the wizard asks step by step, saves, and acknowledges what was chosen', async () => {
  const cwd = repositoryWith({ 'app.toml': 'root = "/home/zed/"\n' });
  const terminal = open(cwd);
  await terminal.waitFor('What should the agents avoid? (0 critical, 1 high detected)');
  await answer(terminal, '(numbers, empty skips)', '99');
  await answer(terminal, '"99" is not a number from 1 to 11.', '1 2');
  await answer(terminal, 'Anything else to avoid', 'Refactor DB, path:gen/**');
  await answer(terminal, 'What should the agents prefer?', '3');
  await answer(terminal, 'Anything else to prefer?', '');
  await terminal.waitFor('Save this guidance?');
  await answer(terminal, '[Y/n]', '');
  await terminal.waitFor('Saved. 1 finding acknowledged.');
  expect(await terminal.exit).toBe(0);
  expect(await runJson(['guidance', 'show'], { cwd })).toMatchObject({
    forbidden: [avoided, expect.any(String), 'Refactor DB', { path: 'gen/**' }],
    encouraged: ['Bug fixes'],
    trusted: true,
    acknowledged: [{ severity: 'high' }],
  });

  const again = open(cwd);
  await again.waitFor('Guidance already exists');
  await answer(again, '(a number, empty takes "Keep it")', '');
  await again.waitFor('The guidance is unchanged.');
  expect(await again.exit).toBe(0);
});

test('leaving in the middle of the lines saves nothing', async () => {
  const cwd = repositoryWith({ 'app.toml': 'root = "/home/zed/"\n' });
  const terminal = open(cwd);
  await answer(terminal, '(numbers, empty skips)', '1');
  await answer(terminal, 'Anything else to avoid', 'q');
  await terminal.waitFor('Nothing was changed.');
  await terminal.exit;
  expect(existsSync(join(cwd, '.ralph/guidance.yaml'))).toBe(false);
  expect(readFileSync(join(cwd, '.ralph/constraint-scan.jsonl'), 'utf8')).toContain('/home/zed/');
});

const onScreen = (cwd: string) =>
  openScreen(['guidance'], { cwd, columns: 80, rows: 24, env: { PATH: '/usr/bin:/bin' } });

/** Waits for a question of the wizard, then presses keys, each once the screen has answered the one before. */
const at = async (
  terminal: ReturnType<typeof onScreen>,
  question: string,
  ...keys: readonly (readonly [key: string, seen: string | RegExp])[]
): Promise<void> => {
  await terminal.waitFor(question);
  for (const [key, seen] of keys) {
    if (key.length > 1 && key.includes(' ')) terminal.type(key);
    else terminal.press(key);
    await terminal.waitFor(seen);
  }
};

test('on the screen the wizard passes every step; comments and unknown keys of a person stay, and a save that fails changes nothing', async () => {
  const file = '.ralph/guidance.yaml';
  const cwd = repositoryWith({
    'app.toml': 'root = "/home/zed/"\n',
    [file]: '# mine\nforbidden:\n  - Docs # why\nteam: blue\n',
  });
  const terminal = onScreen(cwd);
  await at(terminal, 'This guidance came with the repository', ['j', /▌Start/], ['enter', 'Step 2 of 6']);
  await at(terminal, 'What should the agents avoid? (0 critical, 1 high detected)', ['space', '1 chosen']);
  await at(terminal, '1 chosen', ['enter', 'Anything else to avoid?']);
  await at(terminal, 'Anything else', ['path:gen/**, Refactor DB', 'path:gen/**, Refactor DB']);
  await at(terminal, 'Refactor DB', ['enter', 'What should the agents prefer?']);
  await at(terminal, 'ROADMAP', ['space', '1 chosen'], ['enter', 'Anything else to prefer?']);
  await at(terminal, 'Anything else to prefer?', ['enter', 'Save this guidance?']);
  await at(terminal, '1 finding will be acknowledged', ['shift-tab', 'Anything else to prefer?']);
  terminal.press('enter');
  await terminal.waitFor('Save this guidance?');
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  expect(terminal.screen()).toContain('Saved. 1 finding acknowledged.');
  const saved = readFileSync(join(cwd, file), 'utf8');
  expect(saved).toMatch(/^# mine\n/);
  expect(saved).toContain('team: blue');
  expect(await runJson(['guidance', 'show'], { cwd })).toMatchObject({
    forbidden: expect.arrayContaining([avoided, { path: 'gen/**' }, 'Refactor DB']),
    encouraged: ['ROADMAP P0 items'],
    trusted: true,
    acknowledged: [{ severity: 'high' }],
  });

  // The backup has no room: a directory has its name.
  rmSync(join(cwd, `${file}.bak`));
  mkdirSync(join(cwd, `${file}.bak/x`), { recursive: true });
  const again = onScreen(cwd);
  await at(again, 'Guidance already exists', ['j', /▌Change/], ['enter', 'Step 2 of 6']);
  await at(
    again,
    '(0 critical, 0 high detected)',
    ['space', '1 chosen'],
    ['enter', 'Anything else to avoid?'],
  );
  await at(
    again,
    'Step 3 of 6',
    ['enter', 'Step 4 of 6'],
    ['enter', 'Step 5 of 6'],
    ['enter', 'Step 6 of 6'],
  );
  again.press('enter');
  await again.waitFor('nothing was saved');
  expect(readFileSync(join(cwd, file), 'utf8')).toBe(saved);
  again.press('escape');
  expect(await again.exit).toBe(0);
  expect(again.screen()).toContain('Nothing was changed.');
});

test('a loop started on the screen asks for its preset first; leaving starts nothing', async () => {
  const cwd = repositoryWith({
    'plan.md': '- [ ] one\n',
    '.ralph/config.yaml': 'loop:\n  run: ["true"]\n',
  });
  const args = ['run', '--mode', 'loop', '--focus', 'plan.md'];
  const env = { PATH: '/usr/bin:/bin' };
  const terminal = openScreen(args, { cwd, columns: 80, rows: 24, env, asked: true });
  await at(terminal, 'How long may the loop run?', ['j', 'Up to 10 minutes and 20 turns']);
  await at(terminal, 'Step 1 of 6', ['enter', 'What should the agents avoid?']);
  terminal.press('escape');
  expect(await terminal.exit).toBe(0);
  expect(terminal.screen()).toContain('Nothing was started.');
  expect(existsSync(join(cwd, '.ralph/guidance.yaml'))).toBe(false);
});
