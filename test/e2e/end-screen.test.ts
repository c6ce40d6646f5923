import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { openScreen, type TestTerminal } from '../helpers/terminal.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { onlySession, workspaceWith, writeIn } from '../helpers/workspace.ts';

/** Fails until the file `mended` is there. */
const failingPlan = `goal: Fail until mended
settings: {retries: {max_attempts: 1}, knowledge: {approval_timeout: 0}}
tasks:
  - id: good
    title: Good
    run: [echo good]
  - id: broken
    title: Broken
    run: ['echo looking for mended; test -e mended']
  - id: behind
    title: Behind it
    blockedBy: [broken]
    run: [echo behind]
`;

test('a session that ends with a failure shows it first; r retries the task in the same screen', async () => {
  const workspace = workspaceWith({ 'plan.yaml': failingPlan });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Ended with failures[\s\S]*1 of 3 done · 1 failed · 1 unreachable/);
  await terminal.waitFor('looking for mended');
  writeIn(workspace, 'mended', '');
  terminal.press('r');
  await terminal.waitFor(/─ Complete ─[\s\S]*│ 3 of 3 done/);
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});

test('a session that ended is shown with its end when one comes back, and R without a retry says what there would have to be', async () => {
  const workspace = workspaceWith({ 'plan.yaml': failingPlan });
  const first = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => first.kill('SIGKILL'));
  await first.waitFor('prints the report');
  first.press('q');
  expect(await first.exit).toBe(1);
  const again = openScreen([], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => again.kill('SIGKILL'));
  await again.waitFor('Ended with failures');
  expect(again.screen()).not.toMatch(/R resume /);
  again.press('R');
  await again.waitFor('Nothing to resume yet: r retries a failed task');
  expect(again.screen()).not.toContain('feedback add');
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    status: 'awaiting_feedback',
    stop_reason: 'failed tasks',
  });
});

test('feedback that is added while the end is on the screen is told there, and R starts the next iteration with it', async () => {
  const workspace = workspaceWith({ 'plan.yaml': failingPlan });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Ended with failures[\s\S]*`ralph-tui report --session \d{6}-\d{6}` prints/);
  expect(terminal.screen()).toContain('retries the chosen task and resumes the session');
  // Nothing could be resumed yet, so the key is not among those at the bottom.
  expect(terminal.screen()).not.toMatch(/R resume /);
  writeIn(workspace, 'mended', '');
  await ask(['feedback', 'add', 'The task `broken` looks for a file nobody wrote'], { cwd: workspace });
  await terminal.waitFor(
    /1 failed, 1 unreachable.*Feedback is waiting: R starts iteration 2[\s\S]*starts iteration 2 with it[\s\S]*R resume/,
  );
  terminal.press('R');
  await terminal.waitFor(/iteration 2[\s\S]*─ Complete ─[\s\S]*│ \d of \d done/);
  expect(terminal.screen()).not.toContain('Feedback waits');
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ iteration: 2, state: 'COMPLETE' });
});

test('lessons that are left for later stay, are asked for again by the next screen, and are kept once', async () => {
  const workspace = workspaceWith({
    'plan.yaml': 'goal: Learn\ntasks: [{id: one, title: One, files: [a.txt], run: [echo a > a.txt]}]\n',
  });
  const env = { XDG_STATE_HOME: join(workspace, 'state') };
  const open = (args: readonly string[]): TestTerminal => {
    const terminal = openScreen(args, { cwd: workspace, columns: 120, rows: 36, env });
    onTestFinished(() => terminal.kill('SIGKILL'));
    return terminal;
  };
  const first = open(['run', '--plan', 'plan.yaml']);
  await first.waitFor(/Waiting for you: keep \d+ lesson/);
  const staged = stagedIn(workspace);
  expect(staged.length).toBeGreaterThan(0);
  first.press('E');
  await first.waitFor(/The work is done[\s\S]*to keep\? u review · l later/);
  first.press('l');
  await first.waitFor('u shows them, even after a restart');
  first.press('q');
  await first.waitFor('▌Pause and leave');
  first.press('enter');
  expect(await first.exit).toBe(4);
  const second = open([]);
  await second.waitFor(/Stopped[\s\S]*R resume/);
  second.press('E');
  await second.waitFor(/to keep\? R resumes, then u reviews · l later/);
  second.press('l');
  await second.waitFor('resume with R to be asked again');
  expect(stagedIn(workspace)).toEqual(staged);
  expect(existsSync(join(workspace, '.docs'))).toBe(false);
  second.press('R');
  await second.waitFor(/Waiting for you: keep \d+ lesson/);
  second.press('u');
  await second.waitFor('Keep these lessons?');
  second.press('a');
  await second.waitFor('Comment (optional)');
  second.press('enter');
  await second.waitFor(/─ Complete ─[\s\S]*│ 1 of 1 done[\s\S]*lessons? kept in \.docs/);
  second.press('q');
  expect(await second.exit).toBe(0);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ status: 'completed' });
  const journal = readFileSync(join(onlySession(workspace), 'journal.jsonl'), 'utf8');
  expect(journal.match(/"type":"knowledge\.promoted"/g)).toHaveLength(1);
});

/** What the Librarian wrote, without its index. */
const stagedIn = (workspace: string): readonly string[] =>
  readdirSync(join(onlySession(workspace), 'iterations/1/knowledge'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();

const script = (file: string, ...lines: readonly string[]): string => {
  writeFileSync(file, `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(file, 0o755);
  return file;
};

test.runIf(isLongForm)(
  'the reason of a failure is what the program said was wrong, and a lower-case abort of a hand-written file stops a commit hook, too',
  async () => {
    const workspace = repositoryWith({
      'plan.yaml': `goal: Fail and commit
settings: {commit: true, retries: {max_attempts: 1}}
tasks:
  - {id: broken, title: Broken, run: ["node -e 'const a = {}; a.greet()'"]}
  - {id: good, title: Good, blockedBy: [], files: [good.txt], run: [echo good > good.txt]}
`,
    });
    mkdirSync(join(workspace, '.git/hooks'), { recursive: true });
    script(join(workspace, '.git/hooks/pre-commit'), 'touch .git/busy', 'sleep 7000');
    const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
    onTestFinished(() => terminal.kill('SIGKILL'));
    await terminal.waitFor('failed: TypeError: a.greet is not a function');
    await expect.poll(() => existsSync(join(workspace, '.git/busy'))).toBe(true);
    writeIn(onlySession(workspace), 'signals/inputs/signal.260215-101500.yaml', 'type: abort\ntarget: ALL\n');
    await terminal.waitFor(/Aborted[\s\S]*ABORT\b[\s\S]*aborted[:;]/);
    expect(markedProcesses(onlySession(workspace))).toEqual([]);
    expect(readFileSync(join(onlySession(workspace), 'journal.jsonl'), 'utf8')).toMatch(
      /"type":"processes\.stopped".*"stopped":\[\d/,
    );
    terminal.press('q');
    expect(await terminal.exit).toBe(130);
  },
);
