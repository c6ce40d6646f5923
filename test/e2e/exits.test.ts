import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { ask } from '../helpers/ask.ts';
import { runProgram, startProgram, startSession } from '../helpers/program.ts';
import { processedSignal, sessionText } from '../helpers/session-files.ts';
import { openScreen, openTerminal } from '../helpers/terminal.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const plan = (settings: string): string => `goal: Wait at a gate
settings: ${settings}
tasks:
  - {id: one, title: One, files: [one.txt], run: ['echo one > one.txt'], verify: ['test -s one.txt']}
`;

const last = (stdout: string): unknown => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
const sentShape = z.strictObject({
  id: z.string().min(1),
  file: z.string().min(1),
  written: z.literal(true),
});

test('the gate of the plan without a terminal: exit 3 with what waits, until `answer` settles it', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan('{gates: [plan]}') });
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  expect(result.code).toBe(3);
  expect(last(result.stdout)).toMatchObject({ status: 'in_progress', exit_code: 3 });
  expect(existsSync(join(workspace, 'one.txt'))).toBe(false);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    stop_reason: expect.stringMatching(/^gate: /),
    host: null,
    requests: [
      {
        request: 'plan',
        kind: 'plan',
        options: ['approve', 'revise', 'replace', 'abort'].map((id) => ({ id })),
      },
    ],
  });
  expect((await runProgram(['resume'], { cwd: workspace })).code).toBe(3);
  expect(await runProgram(['approve'], { cwd: workspace })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('ralph-tui answer plan approve'),
  });
  sentShape.parse(await ask(['answer', 'plan', 'approve'], { cwd: workspace }));
  expect((await runProgram(['resume'], { cwd: workspace })).code).toBe(0);
  expect(existsSync(join(workspace, 'one.txt'))).toBe(true);
});

test('the gate of the plan on a screen is opened by u and settled by a choice', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan('{gates: [plan]}') });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Waiting for you: approve the plan · 1 opens it/);
  terminal.press('u');
  await terminal.waitFor(
    /Approve this plan\? 1 task [\s\S]*▌└ ○ one[\s\S]*Commands[\s\S]*echo one > one\.txt/,
  );
  terminal.press('enter');
  await terminal.waitFor(/▌1 approve +the work begins/);
  expect(existsSync(join(workspace, 'one.txt'))).toBe(false);
  terminal.press('enter');
  await terminal.waitFor(/Waiting for you: keep \d+ lesson/);
  expect(existsSync(join(workspace, 'one.txt'))).toBe(true);
});

test('the gate of the plan: e edits it, a mistake is told with its line, the difference is shown and approved', async () => {
  const workspace = workspaceWith({
    'plan.yaml': plan('{gates: [plan]}'),
    'editor.sh': 'case "$1" in */plan.yaml) cp "$NEXT" "$1";; esac\n',
    'next.yaml': 'goal: x\ntasks:\n  - {id: one, title: One, blocked: [two]}\n',
  });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    env: { EDITOR: `sh ${join(workspace, 'editor.sh')}`, NEXT: join(workspace, 'next.yaml') },
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Waiting for you: approve the plan/);
  terminal.press('e');
  await terminal.waitFor(/plan\.yaml.*blocked/);
  await terminal.waitFor(/ctrl-g edit the plan/);
  writeFileSync(
    join(workspace, 'next.yaml'),
    'goal: x\ntasks:\n  - {id: two, title: Two, files: [two.txt], run: [echo two > two.txt]}\n',
  );
  terminal.press('ctrl-g');
  await terminal.waitFor(/Approve the plan as edited\?[\s\S]*- one: One[\s\S]*\+ two: Two/);
  terminal.press('enter');
  await terminal.waitFor(/Waiting for you: keep \d+ lesson|Complete/);
  expect(existsSync(join(workspace, 'one.txt'))).toBe(false);
  expect(existsSync(join(workspace, 'two.txt'))).toBe(true);
});

const atGate = async (start: typeof startSession = startSession) => {
  const workspace = workspaceWith({ 'plan.yaml': plan('{knowledge: {gate: always, approval_timeout: 1h}}') });
  const program = start(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await program.waitFor(/lessons? to keep or drop/);
  return { workspace, program };
};

test('a gate with a deadline waits without a terminal, says until when, survives kill -9, and takes `approve`', async () => {
  const { workspace, program } = await atGate(startProgram);
  onTestFinished(() => program.kill('SIGKILL'));
  const status = z.object({ next_deadline: z.string() }).parse(await ask(['status'], { cwd: workspace }));
  program.kill('SIGKILL');
  await program.done;
  const again = startSession(['resume'], { cwd: workspace });
  await again.waitFor(/resumed by pid/);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    state: 'KNOWLEDGE_APPROVAL',
    next_deadline: status.next_deadline,
  });
  sentShape.parse(await ask(['approve'], { cwd: workspace }));
  expect((await again.done).code).toBe(0);
  expect(readdirSync(join(workspace, '.docs'))).toContain('index.md');
  expect(processedSignal(workspace, 'APPROVE')).toMatch(/handled_by: Ralph-v2-Orchestrator/);
});

test('`skip` at the gate completes without promoting, and the reason stands in the progress', async () => {
  const { workspace, program } = await atGate();
  sentShape.parse(await ask(['skip', 'too specific'], { cwd: workspace }));
  expect((await program.done).code).toBe(0);
  expect(existsSync(join(workspace, '.docs'))).toBe(false);
  expect(sessionText(workspace, 'iterations/1/progress.md')).toMatch(
    /^- \[C\] plan-knowledge-approval .*too specific/m,
  );
  expect(readdirSync(join(workspace, '.ralph-sessions')).length).toBeGreaterThan(0);
});

test('ABORT at the gate leaves tasks and staged files, cancels the approval, exits 130, and its hook lets no tool of an outsider through', async () => {
  const { workspace, program } = await atGate();
  await ask(['signal', 'ABORT'], { cwd: workspace });
  expect((await program.done).code).toBe(130);
  const progress = sessionText(workspace, 'iterations/1/progress.md');
  expect(progress).toMatch(/^- \[x\] one /m);
  expect(progress).toMatch(/^- \[C\] plan-knowledge-approval .*Aborted by signal/m);
  expect(sessionText(workspace, 'iterations/1/knowledge/index.md')).toContain('.md');
  const event = { session_id: 's', cwd: workspace, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
  const hook = startProgram(['hook', 'PreToolUse'], {
    cwd: workspace,
    input: JSON.stringify({ ...event, tool_input: { command: 'ls' } }),
  });
  hook.endInput();
  expect(JSON.parse((await hook.done).stdout)).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'deny' },
  });
});
