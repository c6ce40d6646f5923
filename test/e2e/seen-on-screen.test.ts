import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { onlySession, workspaceWith, writeIn } from '../helpers/workspace.ts';

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
    const terminal = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
    onTestFinished(() => terminal.kill('SIGKILL'));
    await terminal.waitFor('failed: TypeError: a.greet is not a function');
    await expect.poll(() => existsSync(join(workspace, '.git/busy'))).toBe(true);
    writeIn(onlySession(workspace), 'signals/inputs/signal.260215-101500.yaml', 'type: abort\ntarget: ALL\n');
    await terminal.waitFor(
      /How it ended[\s\S]*Aborted[\s\S]*ABORT\b[\s\S]*handled: aborted: \d+ processes? stopped, verified gone/,
    );
    terminal.press('q');
    expect(await terminal.exit).toBe(130);
  },
);

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
    const terminal = openTerminal(
      ['run', '--plan', 'plan.yaml', '--permissions', 'edits', '--no-discovery'],
      { cwd: workspace, columns: 120, rows: 36, env: { XDG_CONFIG_HOME: user } },
    );
    onTestFinished(() => terminal.kill('SIGKILL'));
    await expect.poll(() => existsSync(join(workspace, 'calls')), { timeout: 10_000 }).toBe(true);
    terminal.press('p');
    await terminal.waitFor(/Pausing, asked by/);
    writeIn(workspace, 'go', '');
    await terminal.waitFor(/Paused by/);
    terminal.press('p');
    await terminal.waitFor(/Complete · 1 of 1 done/);
    expect(readFileSync(join(workspace, 'calls'), 'utf8')).toBe('call\n');
    terminal.press('q');
    expect(await terminal.exit).toBe(0);
  },
);
