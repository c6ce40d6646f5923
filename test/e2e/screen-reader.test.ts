import { onTestFinished, test } from 'vitest';
import { expectGolden } from '../helpers/screen.tsx';
import { openTerminal } from '../helpers/terminal.ts';
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
    .replace(/ {2,}/g, '  ')
    .replace(/ +$/gm, '');

test('a session in lines: every word is answered, nothing is drawn over', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml', '--screen-reader'], {
    cwd: workspace,
    columns: 200,
    rows: 200,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  const said: string[] = [];
  /** The line that answers; the echo of what was typed and the log around it are none. */
  const say = async (line: string, answer: RegExp): Promise<void> => {
    const from = terminal.raw().length + line.length;
    const found = (): string | undefined =>
      terminal
        .raw()
        .slice(from)
        .split(/\r?\n/)
        .slice(1)
        .find((text) => answer.test(text));
    terminal.type(`${line}\r`);
    await terminal.waitFor(() => found() !== undefined);
    said.push(`> ${line}`, found() ?? '');
  };
  await say('help', /^quit +pause, save/);
  await say('status', /^ +state +EXEC/);
  await say('tasks', /^open +second/);
  await say('tasks why second', /waits for first, which/);
  await say('info the tide is out', /sent INFO/);
  await say('steer use bar', /sent STEER/);
  await say('signals', /^pending +STEER/);
  await say('logs', /first-r1.log$/);
  await say('abort', /type abort ABORT/);
  await say('nonsense', /there is no word "nonsense"/);
  await say('retry nothing', /no task "nothing"/);
  await say('approve', /ralph-tui: /);
  await say('pause', /sent PAUSE/);
  release(workspace, 'first');
  await terminal.waitFor('Executor-5 paused');
  await say('resume', /sent RESUME/);
  release(workspace, 'second');
  await terminal.waitFor('state KNOWLEDGE_APPROVAL');
  await say('skip', /sent SKIP/);
  await terminal.exit;
  if (terminal.raw().includes('\u001b[?1049h')) throw new Error('the screen was drawn');
  expectGolden('screen-reader', settled(said.join('\n'), workspace));
});

test('quit in lines saves and says how to go on', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml', '--screen-reader'], {
    cwd: workspace,
    columns: 200,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  terminal.type('quit\r');
  await terminal.waitFor('ralph-tui resume');
  await terminal.exit;
});
