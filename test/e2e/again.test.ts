import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runJson, runProgram, startProgram, startSession } from '../helpers/program.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { processedSignal, sessionText } from '../helpers/session-files.ts';
import { openScreen } from '../helpers/terminal.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { diamondPlan, onlySession, release, waitFor, workspaceWith } from '../helpers/workspace.ts';

test('`retry` after the end opens the failed task and what it made unreachable; resume runs them with the message', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: Mend it
settings: {retries: {max_attempts: 1}}
tasks:
  - {id: bad, title: Bad, files: [bad.txt], run: ['test -e mended', 'echo "$RALPH_INFO$RALPH_STEER" > bad.txt']}
  - {id: after, title: After, files: [after.txt], blockedBy: [bad], run: [cp bad.txt after.txt]}
`,
  });
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(1);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'bad', status: 'failed', attempt: 1 },
    { id: 'after', status: 'open', attempt: 0, unreachable: expect.stringContaining('bad') },
  ]);
  writeFileSync(join(workspace, 'mended'), '');
  await ask(['retry', 'bad', 'it is mended now'], { cwd: workspace });
  expect((await runProgram(['resume'], { cwd: workspace })).code).toBe(0);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'bad', status: 'done', attempt: 2, unreachable: null },
    { id: 'after', status: 'done', attempt: 1, unreachable: null },
  ]);
  expect(readFileSync(join(workspace, 'after.txt'), 'utf8')).toContain('it is mended now');
  // The first attempt's record is still there beside the second's.
  expect(sessionText(workspace, 'iterations/1/reports/bad-report.md')).toMatch(/^attempt: 1$/m);
  expect(sessionText(workspace, 'iterations/1/reports/bad-report-r2.md')).toMatch(/^attempt: 2$/m);
});

const sideBySide = `goal: Two at once
settings: {timeouts: {abort_grace: 300ms}}
tasks:
  - id: left
    title: Left
    files: [left.txt]
    run: ['${waitFor('left')}', 'echo "$RALPH_STEER" > left.txt']
  - id: right
    title: Right
    files: [right.txt]
    run: ['${waitFor('right')}', 'echo "$RALPH_STEER" > right.txt']
  - {id: last, title: Last, files: [last.txt], blockedBy: [left], run: ['echo "$RALPH_STEER" > last.txt']}
`;

const startBoth = async (start: typeof startSession = startSession) => {
  const workspace = workspaceWith({ 'plan.yaml': sideBySide });
  const program = start(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await program.waitFor('left | waiting for left');
  await program.waitFor('right | waiting for right');
  return { workspace, program };
};

test('a STEER to all reaches both agents at work and those that come later, each once, and is archived once', async () => {
  const { workspace, program } = await startBoth();
  await ask(['signal', 'STEER', 'mind the gap', '--apply', 'adjust'], { cwd: workspace });
  await program.waitFor(/"mind the gap" (?:waits|will)/);
  for (const name of ['left', 'right']) release(workspace, name);
  expect((await program.done).code).toBe(0);
  for (const name of ['left', 'right', 'last'])
    expect([name, readFileSync(join(workspace, `${name}.txt`), 'utf8')]).toEqual([name, 'mind the gap\n']);
  const archive = processedSignal(workspace, 'STEER');
  expect(archive).toMatch(/acks:\n +- Orchestrator~\d+\n +- Executor~\S+\n +- Executor~\S+\n\.\.\./);
  expect(archive.match(/STEER applied in-place: mind the gap/g)).toHaveLength(2);
});

test('`cancel` stops one task and everything it started, and the other goes on', async () => {
  const { workspace, program } = await startBoth();
  const before = markedProcesses(onlySession(workspace)).length;
  await ask(['cancel', 'left'], { cwd: workspace });
  await program.waitFor(/left cancelled/);
  release(workspace, 'right');
  expect((await program.done).code).toBe(1);
  expect(before).toBeGreaterThan(markedProcesses(onlySession(workspace)).length);
  expect(existsSync(join(workspace, 'left.txt'))).toBe(false);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'left', status: 'cancelled' },
    { id: 'right', status: 'done' },
    { id: 'last', unreachable: expect.stringContaining('left') },
  ]);
});

test('ctrl-C twice still waits until the agents are gone and all is saved', async () => {
  const { workspace, program } = await startBoth(startProgram);
  onTestFinished(() => program.kill('SIGKILL'));
  program.kill('SIGINT');
  program.kill('SIGINT');
  expect((await program.done).code).toBe(4);
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ stop_reason: 'quit', host: null });
});

test('x in the Inbox withdraws what waits, and x on a task cancels it after asking', async () => {
  const workspace = workspaceWith({ 'plan.yaml': sideBySide });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/▸ left[\s\S]*▸ right/);
  await ask(['signal', 'INFO', 'not yet', '--task', 'last'], { cwd: workspace });
  await terminal.waitFor(/INFO .*not yet/);
  terminal.press('tab');
  terminal.press('tab');
  await terminal.waitFor('━ Inbox ━');
  await terminal.waitFor(/x withdraw/);
  terminal.press('x');
  await terminal.waitFor(/Withdraw INFO\?/);
  terminal.press('enter');
  await terminal.waitFor(/─ Processed ─[\s\S]*INFO +last not yet[\s\S]*│▌ +withdrawn by \S+/);
  terminal.press('shift-tab');
  terminal.press('shift-tab');
  await terminal.waitFor(/x cancel/);
  terminal.press('x');
  await terminal.waitFor(/Cancel left\?[\s\S]*Becomes unreachable: last/);
  terminal.press('enter');
  await terminal.waitFor(/left .*cancelled/);
  release(workspace, 'right');
  await terminal.waitFor(/Waiting for you|Ended:/);
});

// The short form has the same from kill-again-and-again.test.ts, with half as many kills.
test.runIf(isLongForm)(
  'killed with -9 again and again at other places, a session comes to the same end as one left alone',
  async () => {
    const tasks = ['a', 'b', 'c', 'd', 'e'].map(
      (id, at) =>
        `  - {id: ${id}, title: ${id}, files: [${id}.txt], blockedBy: [${at > 1 ? ['a', 'b', 'c', 'd'][at - 2] : ''}], run: ['echo ${id} >> ${id}.runs', 'sleep 0.05', 'echo ${id} > ${id}.txt'], verify: ['test -s ${id}.txt']}`,
    );
    const workspace = workspaceWith({ 'plan.yaml': `goal: Survive\ntasks:\n${tasks.join('\n')}\n` });
    let kills = 0;
    let code: number | string = -1;
    // The last one is left alone, however long a busy machine takes.
    for (const lines of [12, 17, 9, 23, 14, 19, 28, 11, null]) {
      const args = kills === 0 ? ['run', '--plan', 'plan.yaml', '--json'] : ['resume', '--json'];
      const program = startProgram(args, { cwd: workspace });
      onTestFinished(() => program.kill('SIGKILL'));
      if (lines !== null)
        await program.waitFor(new RegExp(`(.*\\n){${lines}}|"type":"session\\.stopped"`)).catch(() => '');
      if (lines === null || program.output().includes('"type":"session.stopped"')) {
        ({ code } = await program.done);
        break;
      }
      program.kill('SIGKILL');
      await program.done;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(2);
    expect(code).toBe(0);
    expect(await ask(['status'], { cwd: workspace })).toMatchObject({
      status: 'completed',
      tasks: { total: 5, completed: 5 },
    });
    const journal = sessionText(workspace, 'journal.jsonl');
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      expect(readFileSync(join(workspace, `${id}.txt`), 'utf8')).toBe(`${id}\n`);
      // A recorded result is never repeated.
      expect(journal.split(`"type":"task.qualified","task":"${id}"`)).toHaveLength(2);
    }
    expect(markedProcesses(onlySession(workspace))).toEqual([]);
  },
);

test('a second run leaves every byte of the first as it was, and each attempt has its own report and log', async () => {
  const workspace = workspaceWith({ 'plan.yaml': diamondPlan });
  await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  const session = onlySession(workspace);
  const files = (): ReadonlyMap<string, string> =>
    new Map(
      readdirSync(session, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(session, name)).isFile())
        .map((name) => [name, readFileSync(join(session, name), 'latin1')]),
    );
  const before = files();
  expect([...before.keys()]).toEqual(
    expect.arrayContaining([
      'iterations/1/reports/right-report.md',
      'iterations/1/reports/right-report-r2.md',
      'logs/right-r1.log',
      'logs/right-r2.log',
    ]),
  );
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(0);
  expect(files()).toEqual(before);
  expect(await runJson(['sessions'], { cwd: workspace })).toHaveLength(2);
});
