import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram, startProgram, startSession } from '../helpers/program.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { sessionText } from '../helpers/session-files.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { onlySession, release, workspaceWith } from '../helpers/workspace.ts';

/** The first task cannot be stopped politely and leaves a child in a session of its own; the second is ready beside it. */
const plan = `goal: Lose the terminal
settings: {timeouts: {abort_grace: 300ms}, concurrency: {max_parallel_executors: 1}}
tasks:
  - id: first
    title: First
    files: [first.txt]
    run:
      - |
        if [ "$RALPH_ATTEMPT" = 1 ]; then
          trap '' TERM HUP INT
          echo $$ > pid-child
          setsid sh -c 'trap "" TERM HUP INT; echo $$ > pid-grandchild; while [ -e plan.yaml ]; do sleep 0.05; done' &
          while [ ! -s pid-grandchild ]; do sleep 0.02; done
        fi
        echo all are up
        while [ ! -e go-first ] && [ -e plan.yaml ]; do sleep 0.05; done
        echo first > first.txt
  - id: second
    title: Second
    files: [second.txt]
    run: [echo second > second.txt]
`;

/** Which of the processes that wrote down their numbers still run: asked of the system, not of the program's own search. */
const running = (workspace: string): readonly string[] =>
  ['pid-child', 'pid-grandchild'].filter((name) => {
    const status = `/proc/${readFileSync(join(workspace, name), 'utf8').trim()}/status`;
    // A zombie has ended; its parent has not looked yet.
    return existsSync(status) && !/^State:\s+[ZX]/m.test(readFileSync(status, 'utf8'));
  });

test.each([
  ['SIGHUP', 'quit: the terminal was closed'],
  ['SIGTERM', 'quit'],
  ['SIGINT twice', 'quit'],
  ['a closed window', 'quit: the terminal was closed'],
] as const)(
  'a screen that ends by %s leaves no agent, starts no other one, saves with the reason "%s", and can be resumed',
  async (way, reason) => {
    const workspace = workspaceWith({ 'plan.yaml': plan });
    const terminal = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
    onTestFinished(() => terminal.kill('SIGKILL'));
    await terminal.waitFor(/│ +all are up/);
    expect(markedProcesses(onlySession(workspace)).length).toBeGreaterThanOrEqual(2);
    expect(running(workspace)).toHaveLength(2);
    if (way === 'a closed window') terminal.close();
    else if (way === 'SIGINT twice') for (let time = 0; time < 2; time += 1) terminal.kill('SIGINT');
    else terminal.kill(way);
    expect(await terminal.exit).toBe(4);
    if (way !== 'a closed window') expect(terminal.isAlternate()).toBe(false);
    expect(markedProcesses(onlySession(workspace))).toEqual([]);
    expect(running(workspace)).toEqual([]);
    expect(existsSync(join(workspace, 'second.txt'))).toBe(false);
    expect(await ask(['status'], { cwd: workspace })).toMatchObject({
      status: 'paused',
      stop_reason: reason,
      host: null,
      tasks: { pending: 2, failed: 0 },
    });
    expect(sessionText(workspace, 'iterations/1/progress.md')).not.toMatch(/^- \[F\]/m);
    release(workspace, 'first');
    expect((await runProgram(['resume'], { cwd: workspace })).code).toBe(0);
    expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
      { id: 'first', status: 'done', attempt: 2 },
      { id: 'second', status: 'done', attempt: 1 },
    ]);
  },
);

test('a plain log whose reader goes away stops the agents and saves instead of running on unseen', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const shell = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => shell.kill('SIGKILL'));
  await shell.waitFor('all are up');
  shell.closeOutput();
  await ask(['signal', 'INFO', 'is anybody there', '--task', 'first'], { cwd: workspace });
  await shell.done;
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ status: 'paused', host: null });
});

test.each([
  ['pause', 4, 'paused', 'quit: the terminal was closed'],
  ['abort', 130, 'aborted', 'aborted'],
] as const)(
  'with on_disconnect: %s nothing is started any more once the window is closed, though another task was ready',
  async (choice, code, status, reason) => {
    const workspace = workspaceWith({
      'plan.yaml': plan,
      '.ralph/config.yaml': `on_disconnect: ${choice}\n`,
    });
    const terminal = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
    onTestFinished(() => terminal.kill('SIGKILL'));
    await terminal.waitFor(/│ +all are up/);
    const before = startsOf(workspace);
    terminal.close();
    // What the first task waits for is there now: an engine that went on would finish it and start the second.
    release(workspace, 'first');
    expect(await terminal.exit).toBe(code);
    expect(startsOf(workspace)).toEqual(before);
    expect(markedProcesses(onlySession(workspace))).toEqual([]);
    expect(existsSync(join(workspace, 'second.txt'))).toBe(false);
    expect(await ask(['status'], { cwd: workspace })).toMatchObject({
      status,
      stop_reason: reason,
      host: null,
    });
  },
);

test('with on_disconnect: background the engine goes on, and its agents with it, once the window is closed', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan, '.ralph/config.yaml': 'on_disconnect: background\n' });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/│ +all are up/);
  const { pid } = terminal;
  const before = startsOf(workspace);
  terminal.close();
  await terminal.exit;
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    status: 'in_progress',
    host: { alive: true, pid },
  });
  expect(running(workspace)).toHaveLength(2);
  expect(startsOf(workspace)).toEqual(before);
  release(workspace, 'first');
  const watching = startSession(['attach'], { cwd: workspace });
  await watching.waitFor(/lessons? to keep or drop/);
  await ask(['skip'], { cwd: workspace });
  expect((await watching.done).code).toBe(0);
  expect(existsSync(join(workspace, 'second.txt'))).toBe(true);
});

/** Everything that was begun: agents, commands, processes. */
const startsOf = (workspace: string): readonly string[] =>
  sessionText(workspace, 'journal.jsonl')
    .split('\n')
    .filter((line) => /"type":"(?:invocation|task|command|process)\.started"/.test(line));
