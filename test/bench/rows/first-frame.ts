import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../helpers/program.ts';
import { openTerminal } from '../../helpers/terminal.ts';
import { median, type Row, sampleAsync } from '../measure.ts';

/** From the call to the first full frame of a finished session, on a pty. */
export const firstFrame = async (): Promise<readonly Row[]> => {
  const workspace = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    const plan = join(workspace, 'plan.yaml');
    writeFileSync(plan, 'goal: measure\ntasks:\n  - {id: only, title: Only task, run: [echo done]}\n');
    const made = await runProgram(['run', '--plan', plan, '--json'], { cwd: workspace });
    if (made.code !== 0) throw new Error(`the session ended with ${made.code}\n${made.stderr}`);
    const ours = median(
      await sampleAsync(9, async () => {
        const terminal = openTerminal([], { cwd: workspace });
        await terminal.waitFor(/COMPLETE[\s\S]*Only task/);
        terminal.press('q');
        terminal.kill('SIGTERM');
        await terminal.exit;
      }),
    );
    return [
      {
        name: 'start to first full frame, and out again',
        value: ours,
        unit: 'ms',
        base: null,
        target: '< 300 ms',
        ok: ours < 300,
      },
    ];
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
};
