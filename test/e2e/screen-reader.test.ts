import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram, startProgram } from '../helpers/program.ts';
import { expectGolden } from '../helpers/screen.tsx';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

/** What differs from run to run. */
const settled = (text: string, workspace: string): string =>
  text
    .replaceAll(workspace, '<workspace>')
    .replace(/\r/g, '')
    .replace(/\d{6}-\d{6}Z-[0-9a-z]+/g, '<name>')
    .replace(/\d{6}-\d{6}/g, '<session>')
    .replace(/\b[0-9a-f]{8,64}\b/g, '<id>')
    .replace(/\b\S+@\S+/g, '<you>')
    .replace(/\d+\.\d+ ?s\b|\b\d+ ms\b|\b\d+:\d\d\b/g, '<time>')
    .replace(/; warning: .*/g, '')
    .replace(/ {2,}/g, '  ')
    .replace(/ +$/gm, '');

/** Says lines and keeps what was answered: the lines that answer; the echo of what was typed and the log around it are none. */
const dialogue = (terminal: TestTerminal) => {
  const said: string[] = [];
  const after = (from: number): readonly string[] => terminal.raw().slice(from).split(/\r?\n/).slice(1);
  /** The one line of the answer that says this. */
  const say = async (line: string, answer: RegExp): Promise<void> => {
    const from = terminal.raw().length + line.length;
    const found = (): string | undefined => after(from).find((text) => answer.test(text));
    terminal.type(`${line}\r`);
    await terminal.waitFor(() => found() !== undefined);
    said.push(`> ${line}`, found() ?? '');
  };
  /** All of the answer, up to the line that says this. */
  const sayAll = async (line: string, last: RegExp): Promise<void> => {
    const from = terminal.raw().length + line.length;
    terminal.type(`${line}\r`);
    await terminal.waitFor(() =>
      after(from)
        .slice(0, -1)
        .some((text) => last.test(text)),
    );
    const lines = after(from);
    said.push(`> ${line}`, ...lines.slice(0, lines.findIndex((text) => last.test(text)) + 1));
  };
  return { said, say, sayAll };
};

/** After `resume` the session runs in this program, and its prompt takes words. */
const goesOn = async (terminal: TestTerminal): Promise<void> => {
  const from = terminal.raw().length;
  terminal.type('resume\r');
  await terminal.waitFor(() => /Type help[\s\S]*resumed by pid/.test(terminal.raw().slice(from)));
};

test('a session in lines: every word is answered, nothing is drawn over', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml', '--screen-reader'], {
    cwd: workspace,
    columns: 200,
    rows: 200,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  const { said, say } = dialogue(terminal);
  await say('help', /^quit +pause, save/);
  await say('status', /^ +state +Work/);
  await say('tasks', /^open +second/);
  await say('tasks why second', /waits for first, which/);
  await say('info the tide is out', /sent INFO/);
  await say('steer use bar', /sent STEER/);
  // Where a signal will be read is told once whoever runs the session has seen it.
  await terminal.waitFor(/STEER.* (?:waits|will be read) /);
  await say('signals', /^pending +STEER/);
  await say('logs', /first-r1.log$/);
  await say('abort', /type abort ABORT/);
  await say('nonsense', /unknown command "nonsense"/);
  await say('retry nothing', /no task "nothing"/);
  await say('approve', /ralph-tui: /);
  await say('pause', /sent PAUSE/);
  release(workspace, 'first');
  await terminal.waitFor('first paused');
  await say('resume', /sent RESUME/);
  release(workspace, 'second');
  await terminal.waitFor(/lessons to keep or drop: .*\s+to answer, type: approve, or skip/);
  await say('skip', /sent SKIP/);
  await terminal.exit;
  if (terminal.raw().includes('\u001b[?1049h')) throw new Error('the screen was drawn');
  expectGolden('screen-reader', settled(said.join('\n'), workspace));
});

test('quit in lines saves and says how to go on; then the session says how it stands, answers every word, and goes on with resume', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const first = openTerminal(['run', '--plan', 'plan.yaml', '--screen-reader'], {
    cwd: workspace,
    columns: 200,
  });
  onTestFinished(() => first.kill('SIGKILL'));
  await first.waitFor('waiting for first');
  // It may stand in its log a moment later than on the terminal.
  while (!(await runProgram(['logs', 'first'], { cwd: workspace })).stdout.includes('waiting for first'));
  first.type('quit\r');
  await first.waitFor('ralph-tui resume');
  await first.exit;
  const terminal = openTerminal(['attach', '--screen-reader'], { cwd: workspace, columns: 240, rows: 300 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Stopped just now: quit[\s\S]*Type help/);
  const { said, say, sayAll } = dialogue(terminal);
  await sayAll('help', /^quit +pause, save/);
  await sayAll('keys', /closing|^quit +quit$/);
  await say('status', /^ +state +Work/);
  await say('tasks', /second/);
  await say('tasks why second', /waits for first/);
  await say('logs', /first-r1.log/);
  await say('diff', /./);
  await say('report', /./);
  await say('sessions', /paused/);
  await say('pause', /sent PAUSE.*no process is running this session now/);
  await say('signals', /^pending +PAUSE/);
  await say('signals withdraw signal.', /./);
  await say('info the tide is out', /sent INFO.*no process is running/);
  await say('steer use bar', /sent STEER.*no process is running/);
  await say('signal SET --set concurrency.max_parallel_executors=2', /sent SET|ralph-tui: /);
  await say('retry second', /./);
  await say('cancel nothing', /no task "nothing"/);
  await say('approve', /ralph-tui: no lesson is waiting/);
  await say('skip', /ralph-tui: no lesson is waiting/);
  await say('answer plan yes', /ralph-tui: |sent ANSWER/);
  await say('abort', /type abort ABORT/);
  await say('nonsense', /unknown command "nonsense"/);
  expectGolden('screen-reader-stopped', settled(said.join('\n'), workspace));
  const waiting = await ask(['signals', 'list'], { cwd: workspace });
  expect(JSON.stringify(waiting)).toContain('the tide is out');
  await goesOn(terminal);
  terminal.type('quit\r');
  await terminal.exit;
  expect(terminal.raw()).not.toContain('\u001b[?1049h');
});

test('a finished session and one that crashed say so at the prompt; quit and the end of the input leave', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  release(workspace, 'first');
  release(workspace, 'second');
  await runProgram(['run', '--plan', 'plan.yaml', '--headless'], { cwd: workspace });
  const done = openTerminal(['attach', '--screen-reader'], { cwd: workspace, columns: 200 });
  onTestFinished(() => done.kill('SIGKILL'));
  await done.waitFor(/Complete: 2 of 2 tasks done.* Next: `quit` leaves[\s\S]*Type help/);
  done.type('quit\r');
  expect(await done.exit).toBe(0);
  const { code, stdout } = await runProgram(['attach', '--screen-reader'], { cwd: workspace });
  expect(code).toBe(0);
  expect(stdout).toContain('is not running');
  await ask(['feedback', 'add', 'second is too quiet'], { cwd: workspace });
  const fed = await runProgram(['attach', '--screen-reader'], { cwd: workspace });
  expect(fed.stdout).toMatch(
    /Complete: 2 of 2 tasks done.* Feedback is waiting: `resume` starts iteration 2/,
  );
});

test('who listens to a session that stops is told, and can have it go on', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const host = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => host.kill('SIGKILL'));
  await host.waitFor('waiting for first');
  const terminal = openTerminal(['attach', '--screen-reader'], { cwd: workspace, columns: 200 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  host.kill('SIGKILL');
  await terminal.waitFor(/Stopped .*: crashed\. `resume`/);
  await goesOn(terminal);
  terminal.type('quit\r');
  await terminal.exit;
});

test('a terminal that cannot draw shows lines with a prompt: the trust question, the work, and answers to what is typed', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    env: { TERM: 'dumb' },
    asked: true,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('Trust and run this? [y/N]');
  terminal.type('y\r');
  await terminal.waitFor('first | waiting for first');
  terminal.type('status\r');
  await terminal.waitFor('0 of 2 done');
  terminal.type('quit\r');
  expect(await terminal.exit).toBe(4);
  expect(terminal.raw()).not.toMatch(/\u001b\[/);
});

test('on a terminal that cannot draw, resume and the demo are lines too', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  for (const [args, said] of [
    [['demo'], 'Type help'],
    [[], 'ralph-tui demo'],
  ] as const) {
    const terminal = openTerminal(args, { cwd: workspace, columns: 120, env: { TERM: 'dumb' } });
    onTestFinished(() => terminal.kill('SIGKILL'));
    await terminal.waitFor(said);
    expect(terminal.isAlternate()).toBe(false);
    await terminal.kill('SIGKILL');
  }
});
