import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { personGit } from '../helpers/changes.ts';
import { runProgram } from '../helpers/program.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen } from '../helpers/terminal.ts';

const sampleIn = (output: string): string => {
  const workspace = /The sample project is in (\S+)/.exec(output)?.[1] ?? '';
  onTestFinished(() => {
    if (workspace !== '') removeTree(workspace);
  });
  return workspace;
};

const createPerson = () => {
  const home = tempDir();
  const env = { HOME: home, XDG_STATE_HOME: join(home, 'state'), USER: 'ada' };
  const open = (args: readonly string[], cwd: string, columns: number, rows: number) => {
    const terminal = openScreen(args, { cwd, columns, rows, env });
    onTestFinished(() => terminal.kill('SIGKILL'));
    /** Types an answer, and waits for what it leads to. */
    const answer = async (words: string, next: string | RegExp): Promise<string> => {
      if (words !== '') {
        terminal.type(words);
        await terminal.waitFor(`> ${words}`);
      }
      terminal.press('enter');
      return terminal.waitFor(next);
    };
    return { terminal, answer };
  };
  return { home, env, open };
};

test('without a terminal the demo works a plan out by itself, says that it answers, and keeps it', async () => {
  const { code, stdout, stderr } = await runProgram(['demo', 'skill'], { cwd: tempDir() });
  const workspace = sampleIn(stdout);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('Sample agent works with you'),
  });
  expect(stdout).toContain('> a table of greetings  (the demo answers)');
  expect(stdout).toContain('Issue 1 is now Plan in Review.');
  const [plan = ''] = readdirSync(join(workspace, 'thoughts/shared/plans'));
  expect(stdout).toContain(`Next: ralph-tui skill implement-plan thoughts/shared/plans/${plan}\n`);
});

test('on a screen: the plan grows beside the talk, is left in the middle, continued, and carried out phase by phase by the command that is printed', async () => {
  const { home, open } = createPerson();
  const first = open(['demo', 'skill'], home, 160, 45);
  const asked = await first.terminal.waitFor(/2 a file for each language/);
  expect(asked).toMatch(
    /create-plan {2}GH-1: Greet visitors in their own language .*\n━ Talk ━+┬─ Document ─/,
  );
  await first.answer('2', 'Shall I write the plan from this outline?');
  await first.terminal.waitFor(/1 yes, write it/);
  const grows = await first.answer('', /Overview[\s\S]*Sample agent works\./);
  expect(grows).not.toContain('Phase 2');
  first.terminal.press('escape');
  await first.terminal.exit;
  const workspace = sampleIn(first.terminal.text());
  const [, left = ''] = /ralph-tui (skill --continue \d{6}-\d{6})/.exec(first.terminal.text()) ?? [];

  const second = open(left.split(' '), workspace, 160, 45);
  await second.terminal.waitFor('What do you say?');
  await second.answer('write it, and no more than two pages', /1 keep the document/);
  expect(second.terminal.screen()).toContain('greetings/words/<language>.json');
  await second.answer('', /Link thoughts[\s\S]*1 yes/);
  await second.answer('1', /Which state should it be in\?/);
  await second.answer('2', /1 end the conversation/);
  await second.answer('', 'Next: ralph-tui skill implement-plan');
  await second.terminal.exit;

  const [, next = ''] = /Next: ralph-tui (skill implement-plan \S+)/.exec(second.terminal.text()) ?? [];
  const plan = next.split(' ').at(-1) ?? '';
  const read = (): string => readFileSync(join(workspace, plan), 'utf8');
  const third = open(next.split(' '), workspace, 80, 24);
  await third.terminal.waitFor('1 in a worktree');
  await third.answer('', 'Write greetings/words.mjs');
  for (const file of ['words/en.json', 'words/de.json', 'words/ja.json'])
    await third.answer('1', new RegExp(`Write greetings/${file}[\\s\\S]*1 yes, once`));
  await third.answer('1', /1 check Phase 1: Store/);
  await third.answer('', /May ralph-tui run this check\?[\s\S]*1 yes/);
  await third.answer('1', /1 I checked Phase 1: Store/);
  // Somebody rewords the plan and ticks a box meanwhile.
  writeFileSync(join(workspace, plan), read().replace('- [ ] The names', '- [x] All the names'));
  await third.answer('', /Numbers[\s\S]*1 The greetings/);
  expect(read()).toContain('- [ ] The greetings are what people actually say.');
  await third.answer('1', /edited in[\s\S]*1 the edited plan/);
  expect(third.terminal.screen()).toContain('+ - [x] All the names');
  await third.answer('1', 'Begin Phase 2: Greet?');
  expect(read()).toMatch(/\[x\] The greetings are[\s\S]*\[ \] All the names in the tests/);
  third.terminal.press('escape');
  await third.terminal.exit;

  const fourth = open(['skill', '--continue'], workspace, 80, 24);
  await fourth.terminal.waitFor(/Write greetings\/greet\.mjs[\s\S]*1 yes, once/);
  expect(fourth.terminal.screen()).not.toContain('Where should the plan');
  await fourth.answer('1', /greets in [\s\S]*1 yes, once/);
  await fourth.answer('1', /1 check Phase 2: Greet/);
  await fourth.answer('', /May ralph-tui run this check\?[\s\S]*1 yes/);
  await fourth.answer('1', /1 I checked Phase 2: Greet/);
  await fourth.answer('', /Numbers[\s\S]*1 All the names/);
  await fourth.answer('', /open boxes, so it is not done[\s\S]*1 I checked/);
  expect(read()).toMatch(/\[ \] All the names/);
  await fourth.answer('1', /Numbers[\s\S]*1 All the names/);
  await fourth.answer('1', /2 keep the branch/);
  await fourth.answer('2', /2 leave it in/);
  await fourth.answer('1', 'Every phase of');
  await fourth.terminal.exit;
  expect(read()).not.toContain('- [ ]');
  expect(
    personGit(workspace, 'diff', '--name-only', 'HEAD', 'ralph/greet-visitors-in-their-own-language'),
  ).toBe(`greetings/greet.mjs
greetings/words.mjs
greetings/words/de.json
greetings/words/en.json
greetings/words/ja.json
test/languages.test.mjs
`);
  expect(existsSync(join(workspace, 'greetings/words.mjs'))).toBe(false);
  expect(personGit(workspace, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
});
