import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { runJson } from '../../helpers/program.ts';
import { git } from '../../helpers/repository.ts';
import { openProgram } from '../bench-terminal.ts';
import { writeFlow } from '../flow-workspace.ts';
import { below } from '../limits.ts';
import { inWorkspace } from '../live-session.ts';
import type { Row } from '../measure.ts';
import { watchLoad } from '../process-load.ts';
import { plainWriter } from './screen.ts';

/** Their research and plans take a whole team: 3 analysts, 3 builders, a validator, an integrator. */
const issues = ['1', '2', '3', '4', '5', '6'];
const workers = 8;

const statusSchema = z.object({ team: z.array(z.object({ state: z.string() })) });

/** A team on the screen in which everybody waits for a person to read the plans. */
export const idleTeam = async (): Promise<readonly Row[]> => {
  const bare = await plainWriter(0);
  return inWorkspace(async (workspace) => {
    writeFlow(workspace, { configuration: 'flow: {plan_review: human, phases: all}\n', issues });
    git(workspace, 'add', 'tools');
    git(workspace, 'commit', '-q', '-m', 'agent');
    const terminal = openProgram(
      ['run', '--issue', '100', '--mode', 'team', '--yes', '--permissions', 'edits', '--no-discovery'],
      workspace,
    );
    try {
      await terminal.waitFor(/Needs you \(6\)/, 300_000);
      await pause(3_000);
      const { team } = statusSchema.parse(await runJson(['status'], { cwd: workspace }));
      const idle = team.filter(({ state }) => state === 'idle').length;
      if (idle !== workers) throw new Error(`${idle} workers are idle, not ${workers}`);
      const { cpu, cpuSpread } = await watchLoad(terminal.pid, 10, 3);
      return [
        {
          name: `a team of ${workers} that waits for a person: CPU`,
          value: cpu,
          unit: '%',
          base: { name: 'plain writer', value: bare.load.cpu },
          ...below(cpu, 0.5, '% of a core'),
          spread: cpuSpread,
        },
      ];
    } finally {
      await terminal.end();
    }
  });
};
