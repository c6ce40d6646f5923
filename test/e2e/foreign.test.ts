import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram } from '../helpers/program.ts';
import { root } from '../helpers/source-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen } from '../helpers/terminal.ts';
import { onlySession, workspaceWith } from '../helpers/workspace.ts';

/** Names and contents; a directory has none. */
const everyFile = (directory: string): readonly (readonly [string, string])[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const path = join(directory, name);
      return [name, statSync(path).isFile() ? readFileSync(path, 'utf8') : ''] as const;
    });

const layouts = [
  { fixture: 'v1', layout: 'Ralph v1', tasks: 2 },
  { fixture: 'v2.0', layout: 'Ralph v2 (2.0-2.1)', tasks: 2 },
  { fixture: 'v2.2', layout: 'Ralph v2 (2.2)', tasks: 3 },
  { fixture: 'v2.3', layout: 'Ralph v2 (2.3+)', tasks: 1 },
  { fixture: 'v2.6', layout: 'Ralph v2 (2.6+)', tasks: 1 },
];

test.each(layouts)(
  'a session laid out by $layout opens in sessions, status, tasks, signals and attach, and not a file of it changes',
  async ({ fixture, layout, tasks }) => {
    const workspace = tempDir();
    cpSync(join(root, 'test/fixtures/sessions', fixture), join(workspace, '.ralph-sessions'), {
      recursive: true,
    });
    const before = everyFile(workspace);
    expect(await ask(['sessions'], { cwd: workspace })).toMatchObject([{ layout }]);
    expect(await ask(['status'], { cwd: workspace })).toMatchObject({ tasks: { total: tasks } });
    expect(await ask(['tasks'], { cwd: workspace })).toHaveLength(tasks);
    await ask(['signals'], { cwd: workspace });
    expect((await runProgram(['attach'], { cwd: workspace })).code).toBe(0);
    expect(everyFile(workspace)).toEqual(before);
  },
);

test('a session of a layout we do not write cannot be steered, and is told by whom it can', async () => {
  const workspace = tempDir();
  cpSync(join(root, 'test/fixtures/sessions/v2.6'), join(workspace, '.ralph-sessions'), { recursive: true });
  const result = await runProgram(['signal', 'INFO', 'hello'], { cwd: workspace });
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('Ralph v2 (2.6+)') });
});

test('a signal into an older session leaves it what it is, and no sentence promises a resume', async () => {
  const workspace = tempDir();
  cpSync(join(root, 'test/fixtures/sessions/v2.2'), join(workspace, '.ralph-sessions'), { recursive: true });
  for (const message of ['first', 'second']) {
    const { code, stdout } = await runProgram(['signal', 'INFO', message], { cwd: workspace });
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('the program that runs this session will read it'),
    ]);
  }
  expect(await ask(['sessions'], { cwd: workspace })).toMatchObject([{ layout: 'Ralph v2 (2.2)' }]);
  const { stdout } = await runProgram(['status'], { cwd: workspace });
  expect(stdout).not.toContain('ralph-tui resume');
});

test('a session of ours whose journal is gone is called ours, and says what is missing', async () => {
  const workspace = workspaceWith({
    'plan.yaml': 'goal: x\ntasks: [{id: a, title: A, files: [a], run: [touch a]}]\n',
  });
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(0);
  rmSync(join(onlySession(workspace), 'journal.jsonl'));
  expect(await ask(['sessions'], { cwd: workspace })).toMatchObject([
    { layout: 'ralph-tui, journal missing', progress: '1/1' },
  ]);
  for (const args of [['resume'], ['signal', 'INFO', 'x']])
    expect(await runProgram(args, { cwd: workspace })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the journal of this session is missing'),
    });
  // One that is there and tells nothing is no reason to call the session new.
  const journal = join(onlySession(workspace), 'journal.jsonl');
  for (const [damaged, what] of [
    ['', 'contains no events'],
    ['\u0000garbage\n{"half', 'the journal does not begin with a usable event session.created'],
  ] as const) {
    writeFileSync(journal, damaged);
    expect(await ask(['status'], { cwd: workspace })).toMatchObject({
      status: 'completed',
      state: 'COMPLETE',
      tasks: { total: 1, completed: 1 },
      resumable: false,
    });
    const { stdout } = await runProgram(['status'], { cwd: workspace });
    expect(stdout).toContain(what);
    expect(stdout).toContain(': the state shown comes from metadata.yaml and progress.md');
    expect(await runProgram(['resume'], { cwd: workspace })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is read-only/),
    });
  }
});

test.each([
  ['lacks its first line', (lines: readonly string[]) => lines.slice(1)],
  [
    'begins with an event without what its type needs',
    (lines: readonly string[]) =>
      lines.with(0, '{"type":"session.created","seq":1,"at":"2026-02-08T14:30:00Z"}'),
  ],
  [
    'begins with an event of no time',
    (lines: readonly string[]) => lines.with(0, lines[0]?.replace(/"at":"[^"]*"/, '"at":"then"') ?? ''),
  ],
])('a session whose journal %s is shown from its other files and never resumed', async (_how, damage) => {
  const workspace = workspaceWith({
    'plan.yaml': 'goal: x\ntasks: [{id: a, title: A, files: [a], run: [touch a]}]\n',
  });
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(0);
  const journal = join(onlySession(workspace), 'journal.jsonl');
  writeFileSync(journal, damage(readFileSync(journal, 'utf8').split('\n')).join('\n'));
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    status: 'completed',
    tasks: { total: 1, completed: 1 },
    resumable: false,
    problems: [{ code: 'journal-unreadable', where: `${journal}:1` }],
  });
  expect((await runProgram(['attach'], { cwd: workspace })).stdout).not.toMatch(/undefined|Invalid/);
  expect(await runProgram(['resume', '--yes'], { cwd: workspace })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the journal of this session is missing or damaged'),
  });
});

test('reports are found where real agents put them, the newest attempt first', async () => {
  const workspace = tempDir();
  cpSync(join(root, 'test/fixtures/sessions/v2.2'), join(workspace, '.ralph-sessions'), { recursive: true });
  const report = await ask(['report', 'task-2'], { cwd: workspace });
  expect(report).toMatchObject({ file: expect.stringMatching(/iterations\/2\/task-2-report-r2\.md$/) });
  expect((await runProgram(['report', 'task-3'], { cwd: workspace })).code).toBe(2);
});

test('a foreign session on a screen shows its tasks, says that nobody runs it, and cannot be resumed', async () => {
  const workspace = tempDir();
  cpSync(join(root, 'test/fixtures/sessions/v2.2'), join(workspace, '.ralph-sessions'), { recursive: true });
  const terminal = openScreen(['attach'], { cwd: workspace });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/↻ task-2 [\s\S]*cut off, attempt 3 next/);
  expect(terminal.screen()).toMatch(/Stopped .*This session is read-only here/);
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
  expect(await runProgram(['resume'], { cwd: workspace })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no journal, so this session was run by another program'),
  });
});
