import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runJson } from '../helpers/program.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { openTerminal } from '../helpers/terminal.ts';

const open = (cwd: string) =>
  openTerminal(['guidance'], { cwd, columns: 100, rows: 60, env: { PATH: '/usr/bin:/bin' } });

const answer = async (terminal: ReturnType<typeof open>, question: string, text: string): Promise<void> => {
  await terminal.waitFor(question);
  terminal.type(`${text}\r`);
};

test('the wizard asks step by step, saves, and acknowledges what was chosen', async () => {
  const cwd = repositoryWith({ 'app.toml': 'root = "/home/zed/"\n' });
  const terminal = open(cwd);
  await terminal.waitFor('What should the agents avoid? (0 critical, 1 high detected)');
  await answer(terminal, 'Numbers (1 3-5), or an empty line to skip:', '99');
  await answer(terminal, '"99" is no list of numbers', '1 2');
  await answer(terminal, 'Anything else to avoid', 'Refactor DB, path:gen/**');
  await answer(terminal, 'What should the agents prefer?', '3');
  await answer(terminal, 'Anything else to prefer?', '');
  await answer(terminal, 'Save this? [Y/n]', '');
  await terminal.waitFor('Saved. 1 finding acknowledged.');
  expect(await terminal.exit).toBe(0);
  expect(await runJson(['guidance', 'show'], { cwd })).toMatchObject({
    forbidden: ['Hardcoded path: /home/zed/', expect.any(String), 'Refactor DB', { path: 'gen/**' }],
    encouraged: ['Bug fixes'],
    trusted: true,
    acknowledged: [{ severity: 'high' }],
  });

  const again = open(cwd);
  await answer(again, 'Keep it or change it? [K/c]', '');
  await again.waitFor('Nothing was changed.');
  expect(await again.exit).toBe(0);
});

test('leaving in the middle saves nothing', async () => {
  const cwd = repositoryWith({ 'app.toml': 'root = "/home/zed/"\n' });
  const terminal = open(cwd);
  await answer(terminal, 'Numbers (1 3-5), or an empty line to skip:', '1');
  await answer(terminal, 'Anything else to avoid', 'q');
  await terminal.waitFor('Nothing was changed.');
  await terminal.exit;
  expect(existsSync(join(cwd, '.ralph/guidance.yaml'))).toBe(false);
  expect(readFileSync(join(cwd, '.ralph/constraint-scan.jsonl'), 'utf8')).toContain('/home/zed/');
});
