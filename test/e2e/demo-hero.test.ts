import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { personGit } from '../helpers/changes.ts';
import { runProgram } from '../helpers/program.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen } from '../helpers/terminal.ts';
import { isLongForm } from '../helpers/test-form.ts';

const sampleIn = (output: string): string => {
  const workspace = /The sample project is in (\S+)/.exec(output)?.[1] ?? '';
  onTestFinished(() => {
    if (workspace !== '') removeTree(workspace);
  });
  return workspace;
};

test('three issues go from the backlog to a merge without a terminal, and the gate answers itself and says so', async () => {
  const { code, stdout, stderr } = await runProgram(['demo', 'hero'], { cwd: tempDir() });
  const workspace = sampleIn(stdout);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // The whole list stands before anything starts.
  expect(stdout.indexOf('9 tasks are left')).toBeLessThan(stdout.indexOf('session '));
  expect(stdout).toMatch(/review-3_stream: the plan was sent back by the validator/);
  expect(stdout).toMatch(/the demo will approve it in 3 s/);
  expect(stdout).toMatch(/the demo answered review-3_stream_r2: approve/);
  expect(stdout).toMatch(/merge-3_stream recorded: 3 In Review → Done, 1 In Review → Done/);
  const issue = (id: string): string => readFileSync(join(workspace, `.ralph/issues/${id}.md`), 'utf8');
  for (const id of ['1', '2', '3']) {
    expect(issue(id)).toMatch(/state: done/);
    expect(issue(id)).not.toMatch(/^lock:/m);
  }
  const comments = readFileSync(join(workspace, '.ralph/issues/3.comments.jsonl'), 'utf8').trim().split('\n');
  expect(comments.map((line) => /## ([A-Za-z ]+)/.exec(line)?.[1])).toEqual([
    'Research Document',
    'Group Implementation Plan',
    'Plan Review',
    'Group Implementation Plan',
    'Plan Review',
    'Implementation Complete',
  ]);
  // Both streams are merged, with their documents, and no worktree is left.
  expect(personGit(workspace, 'ls-files')).toMatch(/greetings\/part\.mjs[\s\S]*thoughts\/shared\/plans\//);
  expect(readFileSync(join(workspace, 'greetings/greet.mjs'), 'utf8')).toContain('Good evening');
  expect(personGit(workspace, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(stdout).not.toMatch(/somebody rewrote/);
  const feedback = await runProgram(['feedback', 'add', 'greet in Latin, too'], { cwd: workspace });
  expect({ code: feedback.code, said: feedback.stderr }).toEqual({
    code: 2,
    said: expect.stringContaining('create an issue for it: `ralph-tui issues new "what to fix"`'),
  });
});

// In the short form demo-team.test.ts shows a flow's plan that waits on a screen, and exits.test.ts how a plan is approved there.
test.runIf(isLongForm)('the same on a screen, where a person answers for the plans', async () => {
  const terminal = openScreen(['demo', 'hero'], { cwd: tempDir(), columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/research-2/);
  for (const issue of ['2', '3']) {
    await terminal.waitFor(new RegExp(`Approve the plan for issue ${issue} "`));
    terminal.press('u');
    await terminal.waitFor(/─ Approve the plan for issue \d[\s\S]*VERDICT: APPROVED[\s\S]* 1 approve /);
    terminal.press('a');
    await terminal.waitFor(/▌1 approve /);
    terminal.press('enter');
    await terminal.waitFor(new RegExp(`implement-${issue}_stream .*(running|done)`));
  }
  await terminal.waitFor(/Complete: \d+ of \d+ tasks done/);
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});
