import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { paneKey, paneKeys } from '../helpers/pane-key.ts';
import { runJson, runProgram } from '../helpers/program.ts';
import { sessionText } from '../helpers/session-files.ts';
import { openScreen, openTerminal } from '../helpers/terminal.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const plan = `goal: Something to read
settings: {retries: {max_attempts: 2}}
tasks:
  - id: writer
    title: Writes and prints
    objective: Leave a trace.
    criteria: [a trace is left]
    files: [kept.txt, new.txt]
    run:
      - echo first words; echo and more
      - printf '\\033[31mred words\\033[0m\\n'; echo new > kept.txt; echo a > new.txt
      - (yes "a lot of hay" | head -n 400000; echo the Needle; seq 1 9000)
    verify: [echo verified]
  - id: loser
    title: Fails whatever one does
    blockedBy: [writer]
    files: [lost.txt]
    run: [echo no luck; false]
`;

const git = (cwd: string, ...args: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd });
};

test('what a session printed, changed and found is read on the screen with its keys', async () => {
  const workspace = workspaceWith({
    'plan.yaml': plan,
    'kept.txt': 'old\n',
    'bin/vi': '#!/bin/sh\necho "$@" > opened.txt\n',
  });
  chmodSync(join(workspace, 'bin/vi'), 0o755);
  const opened = (): string => {
    try {
      return readFileSync(join(workspace, 'opened.txt'), 'utf8');
    } catch {
      return '';
    }
  };
  git(workspace, 'init', '-q');
  git(workspace, 'add', '.');
  git(workspace, 'commit', '-qm', 'before');
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
    env: { EDITOR: 'bin/vi' },
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/✗ loser /);
  terminal.press('w');
  await terminal.waitFor(/✗ loser .*failed: exit 1: no luck/);
  const press = (...keys: readonly string[]): void => {
    for (const key of keys) terminal.press(key);
  };

  // A digit alone would open the gate that waits.
  press('g', `alt-${paneKey('output')}`);
  await terminal.waitFor(/echo verified/);
  press('[');
  await terminal.waitFor('No failures above');
  // The needle is far above what is held in memory: it is found in the file.
  press('/');
  await terminal.waitFor('Search the log:');
  terminal.type('needle');
  await terminal.waitFor('Search the log: needle');
  press('enter');
  await terminal.waitFor('"needle" 1 match');
  press('n');
  await terminal.waitFor('the Needle');
  expect(terminal.screen()).toMatch(/at \d+% of the log \(5\.\d MB\)/);
  press('g');
  await terminal.waitFor('first words');
  press('escape');
  await terminal.waitFor((screen) => !screen.includes('"needle"'));
  press('t');
  await terminal.waitFor(/verify echo verified/);

  press(paneKey('changes'));
  await terminal.waitFor('+ new');
  expect(terminal.screen()).toMatch(/kept\.txt +\+1 −1/);
  expect(terminal.screen()).toContain('- old');
  press('J');
  await terminal.waitFor(/▌kept\.txt/);
  press('pagedown');
  await terminal.waitFor((screen) => !/▌kept\.txt/.test(screen));
  press('[');
  await terminal.waitFor(/▌@@ /);
  press('o');
  await terminal.waitFor(() => opened().endsWith('/new.txt\n'));
  expect(opened()).toMatch(/^\+1 /);
  await terminal.waitFor(/▌@@ /);
  press('d');
  await terminal.waitFor('the whole session');

  press(paneKey('details'));
  await terminal.waitFor('– not checked: a trace is left');
  press('G');
  await terminal.waitFor('PART 2: REVIEW REPORT');

  // Several different keys in one read would be a paste.
  press('tab');
  await terminal.waitFor('━ Inbox ━');
  press('tab');
  await terminal.waitFor('━ Processed ━');
  press('tab');
  await terminal.waitFor('━ Tasks ━');
  press('f');
  await terminal.waitFor('Show tasks with:');
  terminal.type('quit!');
  await terminal.waitFor('No task matches this filter');
  press('ctrl-u');
  await terminal.waitFor((screen) => !screen.includes('quit!'));
  terminal.type('fail');
  await terminal.waitFor(/1 of 2 +Enter keep/);
  press('enter');
  await terminal.waitFor((screen) => !screen.includes('Enter keep'));
  press('G', '<');
  await terminal.waitFor('Report of attempt 1');
  press(...paneKeys('output').map((key) => `alt-${key}`));
  await terminal.waitFor('#1/2 l');
  press('o');
  await terminal.waitFor(() => opened().endsWith('logs/loser-r1.log\n'));
});

test('Changes names the commit that holds an attempt, and shows what it holds whatever was committed after', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: Commit what was done
settings: {commit: true}
tasks:
  - id: writer
    title: Writes
    files: [kept.txt]
    run: [echo new > kept.txt]
    verify: [test -s kept.txt]
`,
    'kept.txt': 'old\n',
  });
  git(workspace, 'init', '-q');
  git(workspace, 'config', 'user.name', 't');
  git(workspace, 'config', 'user.email', 't@t');
  git(workspace, 'add', '.');
  git(workspace, 'commit', '-qm', 'before');
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Waiting for you: keep \d+ lesson/);
  const hash = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: workspace, encoding: 'utf8' }).slice(0, 7);
  expect(hash).not.toBe(
    execFileSync('git', ['rev-parse', 'HEAD~1'], { cwd: workspace, encoding: 'utf8' }).slice(0, 7),
  );
  writeFileSync(join(workspace, 'kept.txt'), 'somebody else\n');
  git(workspace, 'commit', '-qam', 'after');
  terminal.press('g');
  await terminal.waitFor(/▌└ ✓ writer/);
  terminal.press(paneKey('changes'));
  await terminal.waitFor(`writer · commit ${hash}`);
  await terminal.waitFor('+ new');
  expect(terminal.screen()).toContain('- old');
  expect(terminal.screen()).not.toContain('someone else');
});

test('a session with 30 MB of old logs opens and scrolls at once, and prints only the end of a log', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: Print much
tasks:
  - id: much
    title: Much
    files: [much.txt]
    run:
      - head -c 30000000 /dev/zero | tr '\\0' x | fold -w 120
      - echo the end; touch much.txt
`,
  });
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  expect(result.code).toBe(0);
  expect(await runJson(['logs'], { cwd: workspace })).toMatchObject([{ task: 'much' }]);
  expect(sessionText(workspace, 'logs/much-r1.log').length).toBeGreaterThan(30_000_000);
  const log = await runProgram(['logs', 'much'], { cwd: workspace });
  expect(log.stdout.length).toBeLessThan(300_000);
  expect(log.stdout).toMatch(/the end\n$/);
  const terminal = openScreen(['attach'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('prints the report');
  terminal.press('escape');
  await terminal.waitFor(/^(?![\s\S]*prints the report)[\s\S]*Complete:/);
  terminal.press('j');
  await terminal.waitFor('the end');
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});
