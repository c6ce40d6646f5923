import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { startProgram, startSession } from '../helpers/program.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { processedSignal, sessionText } from '../helpers/session-files.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen, openTerminal } from '../helpers/terminal.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { onlySession, release, waitingPlan, workspaceWith, writeIn } from '../helpers/workspace.ts';

const open = async (plan: string, shows: string | RegExp, start = openScreen) => {
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const terminal = start(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(shows);
  return { workspace, terminal };
};

test('messages written while paused are queued, and the resume delivers them to the attempt that was paused', async () => {
  const { workspace, terminal } = await open(waitingPlan, 'waiting for first');
  terminal.press('p');
  await terminal.waitFor(/Pausing.*waiting for .*`n=first; echo waiting/);
  release(workspace, 'first');
  await terminal.waitFor(/Paused by .* p resumes/);
  // The command under way was not cut off, and the one after it has not begun.
  await terminal.waitFor('went first');
  expect(existsSync(join(workspace, 'first.txt'))).toBe(false);
  for (const [key, title, type, text] of [
    ['i', 'Inform', 'INFO', 'the tide is out'],
    ['s', 'Steer', 'STEER', 'mind the gap'],
  ] as const) {
    terminal.press(key);
    await terminal.waitFor(new RegExp(`─ ${title} ─[\\s\\S]*Queued: read when the session resumes`));
    terminal.type(text);
    await terminal.waitFor(text);
    terminal.press('enter');
    await terminal.waitFor(new RegExp(`${type} .*${text}.*\n.*queued until you resume`));
  }
  await terminal.waitFor('2 signals queued until you resume');
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ held: true, status: 'paused' });
  terminal.press('p');
  release(workspace, 'second');
  await terminal.waitFor(/Waiting for you/);
  expect(readFileSync(join(workspace, 'first.txt'), 'utf8')).toBe(
    'steer=[mind the gap] info=[the tide is out]\n',
  );
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([{ attempt: 1 }, { attempt: 1 }]);
  for (const [type, who] of [
    ['PAUSE', 'Orchestrator'],
    ['INFO', 'Executor'],
    ['STEER', 'Executor'],
    ['RESUME', 'Orchestrator'],
  ] as const) {
    const text = processedSignal(workspace, type);
    expect(text).toMatch(new RegExp(`handled_by: Ralph-v2-${who}\n`));
    expect(text).toMatch(/handled_at: "?\d{4}-\d\d-\d\dT/);
    expect(text).toMatch(new RegExp(`checkpoint: ${who}\\.\\S+\n`));
    expect(text).toMatch(/action_taken: "?\w+/);
  }
});

const stubborn = `goal: Leave nothing
settings: {timeouts: {abort_grace: 300ms}}
tasks:
  - id: stubborn
    title: Ignores TERM, leaves its group, forks twice
    files: [kept.txt]
    run:
      - |
        trap '' TERM
        setsid sh -c 'trap "" TERM; while [ -e plan.yaml ]; do sleep 0.1; done' &
        (setsid sh -c '(trap "" TERM; while [ -e plan.yaml ]; do sleep 0.1; done) &' &)
        echo half > kept.txt
        echo all are up
        while [ -e plan.yaml ]; do sleep 0.1; done
`;

test('ABORT takes the typed word, leaves no process, and writes the cleanup list', async () => {
  const { workspace, terminal } = await open(stubborn, /^.*│ +all are up/m, openTerminal);
  const session = onlySession(workspace);
  expect(markedProcesses(session).length).toBeGreaterThanOrEqual(3);
  terminal.press('A');
  await terminal.waitFor(/Type ABORT and press Enter/);
  terminal.press('enter');
  terminal.type('ABORT');
  await terminal.waitFor('Enter abort');
  terminal.press('enter');
  await terminal.waitFor(/Aborted by .*Nothing was reverted/);
  expect(markedProcesses(session)).toEqual([]);
  terminal.press('q');
  expect(await terminal.exit).toBe(130);
  expect(sessionText(workspace, 'iterations/1/progress.md')).toMatch(
    /^- \[F\] stubborn \(.*Aborted by signal/m,
  );
  expect(sessionText(workspace, 'metadata.yaml')).toMatch(/^status: aborted$[\s\S]*^ {2}state: COMPLETE$/m);
  expect(sessionText(workspace, 'iterations/1/metadata.yaml')).toMatch(/completed_at: "?\d{4}-/);
  expect(readFileSync(join(workspace, 'kept.txt'), 'utf8')).toBe('half\n');
  expect(processedSignal(workspace, 'ABORT')).toMatch(/action_taken: .*verified gone/);
});

test('a selection approved in the gate is promoted with its index, and nothing else is', async () => {
  const { workspace, terminal } = await open(waitingPlan, 'waiting for first');
  release(workspace, 'first');
  release(workspace, 'second');
  await terminal.waitFor(/Waiting for you/);
  terminal.press('u');
  const gate = await terminal.waitFor(/Keep these lessons\? 0 of \d/);
  expect(Number(/0 of (\d+) chosen/.exec(gate)?.[1])).toBeGreaterThan(1);
  terminal.press('space');
  await terminal.waitFor(/1 of \d+ chosen/);
  terminal.press('a');
  await terminal.waitFor(/Keep 1 of \d+\?/);
  terminal.type('this one only');
  await terminal.waitFor('this one only');
  terminal.press('enter');
  await terminal.waitFor(/Complete: .*1 of 2 lessons kept/);
  const promoted = /promote:\n\s+- (\S+)/.exec(processedSignal(workspace, 'APPROVE'))?.[1] ?? '';
  const documents = readdirSync(join(workspace, '.docs'), { recursive: true, encoding: 'utf8' });
  expect(documents.filter((name) => name.endsWith('.md')).toSorted()).toEqual(
    ['index.md', promoted].toSorted(),
  );
  expect(readFileSync(join(workspace, '.docs/index.md'), 'utf8')).toContain(promoted);
  for (const text of [
    readFileSync(join(workspace, '.docs', promoted), 'utf8'),
    sessionText(workspace, 'iterations/1/knowledge', promoted),
  ])
    expect(text).toMatch(/^promoted_at: "?\d{4}-/m);
  expect(processedSignal(workspace, 'APPROVE')).toContain('this one only');
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});

test('pause and leave stops the agents and saves; resume starts that attempt under a new number', async () => {
  const { workspace, terminal } = await open(waitingPlan, 'waiting for first');
  const session = onlySession(workspace);
  terminal.press('q');
  await terminal.waitFor(/Pause and leave/);
  terminal.press('enter');
  expect(await terminal.exit).toBe(4);
  expect(markedProcesses(session)).toEqual([]);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ stop_reason: 'quit', host: null });
  const again = openScreen(['resume'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => again.kill('SIGKILL'));
  await again.waitFor(/first, attempt 2/);
  release(workspace, 'first');
  release(workspace, 'second');
  await again.waitFor(/Waiting for you/);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'first', status: 'done', attempt: 2 },
    { id: 'second', status: 'done', attempt: 1 },
  ]);
});

test('an attached screen says so when the program that ran the session is killed', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => program.kill('SIGKILL'));
  await program.waitFor('first | waiting for first');
  const lines = startSession(['attach'], { cwd: workspace });
  await lines.waitFor('first | waiting for first');
  const terminal = openScreen(['attach'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  program.kill('SIGKILL');
  await terminal.waitFor(/Stopped just now: crashed\. R resume/);
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
  expect(await lines.done).toMatchObject({ code: 1, stderr: expect.stringContaining('ralph-tui resume') });
});

test('pause and leave on an attached screen pauses the session that another process is running', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => program.kill('SIGKILL'));
  await program.waitFor('first | waiting for first');
  const terminal = openScreen(['attach'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  terminal.press('q');
  await terminal.waitFor(/Leave it running/);
  terminal.press('j');
  await terminal.waitFor(/▌Pause and leave/);
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  await program.waitFor(/pausing, requested by/);
});

const script = (file: string, ...lines: readonly string[]): string => {
  writeFileSync(file, `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(file, 0o755);
  return file;
};

test.runIf(isLongForm)(
  'a reply that arrives while pausing is kept: after the pause the same prompt is not sent again',
  async () => {
    const workspace = workspaceWith({
      'plan.yaml': `goal: Greet
settings: {knowledge: {approval_timeout: 0s}, retries: {max_attempts: 1}, gates: []}
tasks:
  - {id: one, title: One, verify: ["true"]}
`,
    });
    const agent = script(
      join(tempDir(), 'agent.sh'),
      'cat > /dev/null',
      'echo call >> calls',
      'while [ ! -e go ] && [ -e plan.yaml ]; do sleep 0.05; done',
      'echo \'{"status": "completed"}\'',
    );
    const user = tempDir();
    writeIn(
      user,
      'ralph-tui/config.yaml',
      `agents: {mine: {type: command, command: [${agent}]}}\nroles: {executor: mine}\n`,
    );
    const terminal = openScreen(['run', '--plan', 'plan.yaml', '--permissions', 'edits', '--no-discovery'], {
      cwd: workspace,
      columns: 120,
      rows: 36,
      env: { XDG_CONFIG_HOME: user },
    });
    onTestFinished(() => terminal.kill('SIGKILL'));
    await expect.poll(() => existsSync(join(workspace, 'calls'))).toBe(true);
    terminal.press('p');
    await terminal.waitFor(/Pausing, requested by/);
    writeIn(workspace, 'go', '');
    await terminal.waitFor(/Paused by/);
    terminal.press('p');
    await terminal.waitFor(/─ Complete ─[\s\S]*│ 1 of 1 done/);
    expect(readFileSync(join(workspace, 'calls'), 'utf8')).toBe('call\n');
    terminal.press('q');
    expect(await terminal.exit).toBe(0);
  },
);
