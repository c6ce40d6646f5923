import { openTerminal } from '../../helpers/terminal.ts';
import { inWorkspace, runToEnd } from '../live-session.ts';
import { median, type Row, sampleAsync, spreadOf } from '../measure.ts';
import { startBareNode } from '../start-node.ts';

const times = 9;

/** From the call to the first full frame of a finished session, on a pty. */
export const firstFrame = (): Promise<readonly Row[]> =>
  inWorkspace(async (workspace) => {
    await runToEnd(workspace, 'goal: measure\ntasks:\n  - {id: only, title: Only task, run: [echo done]}\n');
    const bare = median(await sampleAsync(times, startBareNode));
    const samples: number[] = [];
    for (let run = 0; run < times; run += 1) {
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
        base: { name: 'bare node', value: bare },
        target: '< 300 ms',
        ok: ours < 300,
        spread: spreadOf(samples),
      },
    ];
  });
