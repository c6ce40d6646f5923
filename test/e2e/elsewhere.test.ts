import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cleanEnvironment, programFile, startProgram } from '../helpers/program.ts';
import { onlySession, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const apart = ['--user', '--map-root-user', '--pid', '--fork'];

/** Containers of CI may forbid user namespaces. */
const mayUnshare = spawnSync('unshare', [...apart, 'true']).status === 0;

/** Runs the program in a pid namespace of its own, where the pid of the host means nothing. */
const runApart = (cwd: string, ...args: readonly string[]) => {
  const { stdout, stderr, status } = spawnSync(
    'unshare',
    [...apart, process.execPath, programFile, ...args],
    {
      cwd,
      env: cleanEnvironment(),
      encoding: 'utf8',
    },
  );
  return { said: stdout + stderr, status };
};

// Skipped where the kernel refuses `unshare --user --pid`: test/session/heartbeat.test.ts covers the deciding.
test.runIf(mayUnshare)(
  'a host in another pid namespace runs elsewhere: status, sessions, signal and resume agree',
  async () => {
    const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
    const program = startProgram(['run', '--plan', 'plan.yaml', '--headless'], { cwd: workspace });
    onTestFinished(() => program.kill('SIGKILL'));
    await program.waitFor('waiting for first');
    const session = basename(onlySession(workspace));
    const sign = /elsewhere, last sign of life \d+ s ago/;
    const status = runApart(workspace, 'status');
    expect(status.said).toMatch(/host +pid \d+, running elsewhere, last sign of life \d+ s ago/);
    expect(status.said).not.toContain('gone');
    const sessions = runApart(workspace, 'sessions');
    expect(sessions.said).toMatch(sign);
    expect(sessions.said).not.toContain('crashed');
    expect(runApart(workspace, 'resume', session, '--headless', '--yes')).toMatchObject({
      status: 1,
      said: expect.stringMatching(
        /process \d+ is running this session elsewhere \(last sign of life \d+ s ago\)/,
      ),
    });
    const signal = runApart(workspace, 'signal', 'ABORT');
    expect(signal.said).toMatch(sign);
    expect(signal.said).not.toContain('no process is running');
    expect(await program.done).toMatchObject({ code: 130 });
  },
);
