import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { ask } from '../helpers/ask.ts';
import { runProgram, startProgram, startSession } from '../helpers/program.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { sized } from '../helpers/test-form.ts';
import { onlySession, release, waitFor, workspaceWith } from '../helpers/workspace.ts';

const boxes = '# Plan\n- [ ] one\n- [ ] two\n';

/** Ticks one box a turn. */
const tick = "sed -i '0,/- \\[ ]/s//- [x]/' plan.md";

const config = (run: string, more = ''): string => `loop:\n  run: [${JSON.stringify(run)}]\n${more}`;

const loop = ['run', '--mode', 'loop', '--focus', 'plan.md', '--headless'];

const startLoop = (workspace: string) => {
  const program = startProgram(loop, { cwd: workspace });
  onTestFinished(() => program.kill('SIGKILL'));
  return program;
};

/** A turn that waits for the test, and ticks the box then. */
const waiting = (more = '') =>
  workspaceWith({
    // `waitFor` ends when the workspace is gone, which it tells by this file.
    'plan.yaml': '',
    'plan.md': '- [ ] one\n',
    '.ralph/config.yaml': config(`echo waits; ${waitFor('turn')}; ${tick}`, more),
  });

test('a loop works through its focus file, passes DRAINING, and ends with 0', async () => {
  const workspace = workspaceWith({ 'plan.md': boxes, '.ralph/config.yaml': config(tick) });
  const result = await runProgram(loop, { cwd: workspace });
  expect(result.stdout).toMatch(
    /turn 1: turn 2 follows[\s\S]*turn 2: complete: every box is ticked[\s\S]*no further turn begins: [\s\S]*the loop is over/,
  );
  expect(result.code).toBe(0);
  expect(readFileSync(join(workspace, 'plan.md'), 'utf8')).not.toContain('[ ]');
  expect(readFileSync(join(onlySession(workspace), 'iterations/1/tasks/turn-2.md'), 'utf8')).toContain(
    'plan.md',
  );
});

test('without a focus file or a goal it is a usage error, and nothing is written', async () => {
  const workspace = workspaceWith({ 'plan.md': boxes });
  for (const args of [
    ['run', '--mode', 'loop', '--headless'],
    ['run', '--mode', 'loop', '--focus', 'nowhere.md', '--headless'],
    ['run', '--mode', 'loop', '--focus', '../plan.md', '--headless'],
    ['run', '--focus', 'plan.md', '--headless'],
    [...loop, '--focus', 'plan.md'],
    loop,
  ]) {
    const result = await runProgram(args, { cwd: workspace });
    expect(result.code, args.join(' ')).toBe(2);
    expect(result.stderr).not.toBe('');
  }
});

test('a second start over the same file exits 1 and names session, pid and state', async () => {
  const workspace = waiting();
  const first = startLoop(workspace);
  await first.waitFor('turn-1 | waits');
  const second = await runProgram(loop, { cwd: workspace });
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(
    /a loop over plan\.md is already running: session \d{6}-\d{6}, pid \d+, RUNNING/,
  );
  expect(second.stderr).toContain(String(first.pid));
  release(workspace, 'turn');
  expect((await first.done).code).toBe(0);
});

test('two starts in one moment are one loop', async () => {
  const workspace = waiting();
  const programs = Array.from({ length: sized({ short: 2, long: 3 }) }, () => startLoop(workspace));
  release(workspace, 'turn');
  const codes = (await Promise.all(programs.map(({ done }) => done))).map(({ code }) => code);
  // A start that came after the end finds every box ticked: it runs a turn of its own.
  expect(codes.filter((code) => code !== 0 && code !== 1)).toEqual([]);
  expect(codes).toContain(0);
  expect(readFileSync(join(workspace, 'plan.md'), 'utf8')).toBe('- [x] one\n');
});

test('a loop that was killed is resumed by the next start, in the same session', async () => {
  const workspace = waiting();
  const killed = startLoop(workspace);
  await killed.waitFor('turn-1 | waits');
  killed.kill('SIGKILL');
  await killed.done;
  release(workspace, 'turn');
  const again = await runProgram(loop, { cwd: workspace });
  expect(again.stdout).toContain('resumed by pid');
  expect(again.code).toBe(0);
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'turn-1', status: 'done', attempt: 2 },
  ]);
});

test('a loop in the background keeps its preset over a resume, and is one for its file', async () => {
  const workspace = waiting('  grace: 300ms\n');
  const background = [...loop.slice(0, -1), '--preset', 'poc', '--background'];
  const started = await runProgram(background, { cwd: workspace });
  expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining('continues in the background') });
  const second = await runProgram(background, { cwd: workspace });
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(
    /a loop over plan\.md is already running: session \d{6}-\d{6}, pid \d+, RUNNING/,
  );
  await ask(['stop'], { cwd: workspace });
  await expect
    .poll(() => ask(['status'], { cwd: workspace }))
    .toMatchObject({ status: 'paused', host: null });
  release(workspace, 'turn');
  const resumed = await runProgram(['resume', '--headless'], { cwd: workspace });
  expect(resumed.code).toBe(0);
  const { events } = readJournal(createDisk(), join(onlySession(workspace), 'journal.jsonl'));
  const limits = events.flatMap((event) => (event.type === 'session.started' ? [event.settings] : []));
  expect(limits).toMatchObject(Array(2).fill({ loop: { max_turns: 20, max_runtime: 600_000 } }));
});

test('`stop` during a turn that ignores TERM: DRAINING, then STOPPED after the grace, no child left; a start at once runs', async () => {
  const stubborn = "trap '' TERM; echo ready; while :; do sleep 0.1; done";
  const workspace = workspaceWith({
    'plan.md': '- [ ] one\n',
    '.ralph/config.yaml': config(stubborn, '  grace: 300ms\ntimeouts:\n  abort_grace: 300ms\n'),
  });
  const program = startSession(loop, { cwd: workspace });
  await program.waitFor('turn-1 | ready');
  await ask(['stop'], { cwd: workspace });
  await program.waitFor('no further turn begins: ');
  const end = await program.done;
  expect(end.code).toBe(4);
  expect(end.stdout).toMatch(/the loop is over: drain requested by/);
  const { events } = readJournal(createDisk(), join(onlySession(workspace), 'journal.jsonl'));
  const entered = (state: string): number =>
    Date.parse(events.find((event) => event.type === 'state.entered' && event.state === state)?.at ?? '');
  // Its own grace counts, not the default one.
  expect(entered('STOPPED') - entered('DRAINING')).toBeLessThan(defaultSettings.loop.grace);
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
  const again = startSession(loop, { cwd: workspace });
  await again.waitFor('turn-1 | ready');
  await ask(['stop', '--now'], { cwd: workspace });
  expect((await again.done).code).toBe(130);
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
});

test('`demo loop` needs no model and ends with 0, having shown DRAINING', async () => {
  const result = await runProgram(['demo', 'loop'], { cwd: workspaceWith({}) });
  expect(result.stdout).toContain('no further turn begins: complete: every box is ticked');
  expect(result.stdout).toMatch(/session \S+ completed$/m);
  expect(result.stdout).not.toContain('(exit 0)');
  expect(result.code).toBe(0);
});

test('after no progress the end and `status` name the command that continues, and it does', async () => {
  const workspace = workspaceWith({ 'plan.md': boxes, '.ralph/config.yaml': config('true') });
  const result = await runProgram(loop, { cwd: workspace });
  expect(result.code).toBe(1);
  const [, retry, session] =
    /again +cd \S+ && ralph-tui (retry turn-3 --session (\S+)) && ralph-tui resume \2/.exec(
      result.stdout,
    ) ?? ['', '', ''];
  const status = await runProgram(['status'], { cwd: workspace });
  expect(status.stdout).toContain(`again     ralph-tui ${retry} && ralph-tui resume ${session}`);
  expect(await runProgram(retry.split(' '), { cwd: workspace })).toMatchObject({ code: 0 });
  const again = await runProgram(['resume', session, '--headless'], { cwd: workspace });
  expect(again.code).toBe(1);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([{}, {}, { id: 'turn-3', attempt: 2 }]);
});

test('a script that deletes the focus file does not end the loop as complete', async () => {
  const workspace = workspaceWith({ 'plan.md': boxes, '.ralph/config.yaml': config('rm -f plan.md') });
  const result = await runProgram(loop, { cwd: workspace });
  expect(result.code).toBe(1);
  expect(result.stderr + result.stdout).toContain('the focus file no longer exists');
});

test.each([
  ['is not UTF-8', new Uint8Array([0x2d, 0x20, 0x5b, 0x20, 0x5d, 0x20, 0xe9])],
  ['is UTF-16', new Uint8Array(Buffer.from('- [ ] one\n', 'utf16le'))],
])('a focus file that %s is refused, and never counts as one without boxes', async (_name, bytes) => {
  const workspace = workspaceWith({ '.ralph/config.yaml': config('true') });
  writeFileSync(join(workspace, 'plan.md'), bytes);
  const result = await runProgram(loop, { cwd: workspace });
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('plan.md: the focus file is not UTF-8 text');
});

test('a turn that makes the focus file unreadable does not end the loop as complete', async () => {
  const spoil = "printf '\\376\\377' > plan.md; echo '<promise>COMPLETE</promise>'";
  const workspace = workspaceWith({ 'plan.md': boxes, '.ralph/config.yaml': config(spoil) });
  const result = await runProgram(loop, { cwd: workspace });
  expect(result.code).toBe(1);
  expect(result.stderr + result.stdout).toContain('the focus file is not UTF-8 text');
});

test.each([
  ['complete after one turn when loop.verify passes', 'true', 0],
  ['not complete when it fails', 'false', 1],
])('a focus file that is complete before turn 1 is %s', async (_name, verify, code) => {
  const workspace = workspaceWith({
    'plan.md': '- [x] one\n- [x] two\n',
    '.ralph/config.yaml': config('true', `  verify: [${JSON.stringify(verify)}]\n`),
  });
  const result = await runProgram(loop, { cwd: workspace });
  expect(result.code).toBe(code);
  expect(result.stdout.includes('turn 1: complete: every box is ticked')).toBe(code === 0);
});
