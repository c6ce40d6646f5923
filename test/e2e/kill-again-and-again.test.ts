import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram, startProgram } from '../helpers/program.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { sessionText } from '../helpers/session-files.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { onlySession, workspaceWith } from '../helpers/workspace.ts';
import { killProgram } from '../torture/kill-program.ts';

test('a session whose program is killed again and again ends as an undisturbed one', async () => {
  expect(await killProgram(4)).toMatchObject({ kills: 4, problems: [] });
});

const endless = `goal: Never get on
settings: {timeouts: {abort_grace: 300ms}}
tasks:
  - {id: stuck, title: Stuck, run: ['echo at work in attempt $RALPH_ATTEMPT; while [ -e plan.yaml ]; do sleep 0.05; done']}
  - {id: after, title: After, blockedBy: [stuck], run: [echo after]}
  - {id: beside, title: Beside, files: [beside.txt], run: [echo beside > beside.txt], verify: [test -s beside.txt]}
`;

// The short form has it on a simulated disk (test/engine/crash.test.ts); what a killed program leaves at work is looked for in recover.test.ts.
test.runIf(isLongForm)(
  'a task during which the program dies ten times in a row is stopped for good, and the rest goes on',
  async () => {
    const workspace = workspaceWith({ 'plan.yaml': endless });
    for (let death = 1; death <= 10; death += 1) {
      const program = startProgram(death === 1 ? ['run', '--plan', 'plan.yaml'] : ['resume'], {
        cwd: workspace,
      });
      onTestFinished(() => program.kill('SIGKILL'));
      await program.waitFor(`at work in attempt ${death}\n`);
      program.kill('SIGKILL');
      await program.done;
    }
    const last = await runProgram(['resume'], { cwd: workspace });
    expect(last.code).toBe(1);
    expect(last.stdout).toMatch(/stuck .*ten crashes in a row without progress/);
    expect(sessionText(workspace, 'iterations/1/progress.md')).toMatch(
      /^- \[F\] stuck .*ten crashes in a row without progress/m,
    );
    expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
      { id: 'stuck', status: 'failed', attempt: 10 },
      { id: 'after', status: expect.not.stringMatching(/done|running/) },
      { id: 'beside', status: 'done' },
    ]);
    expect(markedProcesses(onlySession(workspace))).toEqual([]);
  },
);
