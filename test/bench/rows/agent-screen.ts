import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScriptedAgent } from '../../helpers/scripted-agent/scripted-agent.ts';
import { openProgram } from '../bench-terminal.ts';
import { inWorkspace } from '../live-session.ts';
import { type Row, rowsOf } from '../measure.ts';
import { plainWriter, streamRows } from './screen.ts';

/** The screen of the real program while two agents stream over ACP: the same targets as with a command that prints. */
export const agentScreen = async (): Promise<readonly Row[]> => [
  ...(await rowsOf('two ACP agents, 80 words/s', () => streaming('words', 80, 15))),
  ...(await rowsOf('two ACP agents, 200 updates/s', () => streaming('updates', 200, 15))),
  ...(await rowsOf('two ACP agents, 2000 updates/s', () => streaming('updates', 2_000, 25))),
];

/** What an agent streams: always the same line, which changes few cells, or a text word by word. A large model writes about 40 words a second. */
const texts = {
  updates: 'Read components/create-store.ts and found the listener that is told twice\n',
  words: Array.from({ length: 997 }, (_, at) => {
    const word = ((at * 7_919) % 46_656).toString(36).padStart(1 + (at % 7), 'e');
    return at % 61 === 60 ? `${word}.\n\n` : `${word} `;
  }),
} as const;

/** Output of both arrives, and fills its part of the pane: its first line is out of sight. */
const bothStream = /^(?![\s\S]*attempt 1 · talker)[\s\S]*[⠁-⣿] t0\b[\s\S]*[⠁-⣿] t1\b/;

/** Two agents stream `rate` updates a second together. */
const streaming = async (
  what: keyof typeof texts,
  rate: number,
  percent: number,
): Promise<readonly Row[]> => {
  const bare = await plainWriter(rate);
  return inWorkspace(async (workspace) => {
    prepare(workspace, rate, texts[what]);
    const terminal = openProgram(
      ['run', '--plan', 'plan.yaml', '--permissions', 'workspace', '--yes', '--no-discovery'],
      workspace,
    );
    try {
      await terminal.waitFor(bothStream, 120_000);
      return await streamRows(terminal, {
        name: `two ACP agents, ${rate} ${what}/s`,
        ...{ rate, percent, bare, mostBytes: 16 },
      });
    } finally {
      await terminal.end();
    }
  });
};

/** A plan whose first two tasks are an agent's, each streaming its half, and whose others wait for them. */
const prepare = (workspace: string, rate: number, text: string | readonly string[]): void => {
  const perSecond = rate / 2;
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
