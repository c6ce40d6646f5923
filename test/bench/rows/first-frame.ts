import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../helpers/program.ts';
import { openTerminal } from '../../helpers/terminal.ts';
import { median, type Row, spreadOf } from '../measure.ts';

/** From the call to the first full frame of a finished session, on a pty. */
export const firstFrame = async (): Promise<readonly Row[]> => {
  const workspace = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    const plan = join(workspace, 'plan.yaml');
    writeFileSync(plan, 'goal: measure\ntasks:\n  - {id: only, title: Only task, run: [echo done]}\n');
    const made = await runProgram(['run', '--plan', plan, '--yes', '--json'], { cwd: workspace });
    if (made.code !== 0) throw new Error(`the session ended with ${made.code}\n${made.stderr}`);
    const samples: number[] = [];
    for (let run = 0; run < 9; run += 1) {
      const start = performance.now();
      const terminal = openTerminal([], { cwd: workspace });
      await terminal.waitFor(/Complete:[\s\S]*Only task[\s\S]*quit/);
      samples.push(performance.now() - start);
      terminal.kill('SIGTERM');
      await terminal.exit;
    }
    const ours = median(samples);
    return [
      {
        name: 'start to first full frame',
        value: ours,
        unit: 'ms',
        base: null,
        target: '< 300 ms',
        ok: ours < 300,
        spread: spreadOf(samples),
      },
    ];
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
};
