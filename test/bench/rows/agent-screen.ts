import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScriptedAgent } from '../../helpers/scripted-agent/scripted-agent.ts';
import { openProgram } from '../bench-terminal.ts';
import { inWorkspace } from '../live-session.ts';
import { type Row, rowsOf } from '../measure.ts';
import { plainWriter, streamRows } from './screen.ts';

/** The screen of the real program while two agents stream over ACP: the same targets as with a command that prints. */
export const agentScreen = async (): Promise<readonly Row[]> => [
  ...(await rowsOf('two ACP agents, 200 updates/s', () => streaming(200, 15))),
  ...(await rowsOf('two ACP agents, 2000 updates/s', () => streaming(2_000, 25))),
];

/** Two agents stream `rate` updates a second together. */
const streaming = async (rate: number, percent: number): Promise<readonly Row[]> => {
  const bare = await plainWriter(rate);
  return inWorkspace(async (workspace) => {
    prepare(workspace, rate);
    const terminal = openProgram(
      ['run', '--plan', 'plan.yaml', '--permissions', 'workspace', '--yes', '--no-discovery'],
      workspace,
    );
    try {
      await terminal.waitFor(/[▸⠁-⣿] t1\b/, 120_000);
      return await streamRows(terminal, {
        name: `two ACP agents, ${rate} updates/s`,
        ...{ rate, percent, bare, mostBytes: 16 },
      });
    } finally {
      await terminal.end();
    }
  });
};

/** A plan whose first two tasks are an agent's, each streaming its half, and whose others wait for them. */
const prepare = (workspace: string, rate: number): void => {
  const perSecond = rate / 2;
  const text = 'Read src/store/create-store.ts and found the listener that is told twice\n';
  const agent = createScriptedAgent(workspace, {
    turns: [{ actions: [{ do: 'stream', perSecond, updates: perSecond * 600, text }], again: true }],
  });
  mkdirSync(join(workspace, '.ralph'));
  writeFileSync(
    join(workspace, '.ralph', 'config.yaml'),
    JSON.stringify({
      agents: { talker: { type: 'acp', command: [agent.command, ...agent.args] } },
      roles: { executor: 'talker' },
    }),
  );
  const tasks = Array.from({ length: 12 }, (_, index) => ({
    id: `t${index}`,
    title: `Task ${index}`,
    objective: 'Talk.',
    files: [`f${index}`],
    run: [],
    verify: ['true'],
    ...(index < 2 ? {} : { blockedBy: ['t0', 't1'] }),
  }));
  const settings = { planning: { max_cycles: 0 }, gates: [], timeouts: { abort_grace: '300ms' } };
  writeFileSync(join(workspace, 'plan.yaml'), JSON.stringify({ goal: 'Measure', settings, tasks }));
};
