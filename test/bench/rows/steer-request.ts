import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram, startProgram } from '../../helpers/program.ts';
import type { Action } from '../../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../../helpers/scripted-agent/scripted-agent.ts';
import { inWorkspace } from '../live-session.ts';
import { atMost, percentile, type Row, spreadOf } from '../measure.ts';

const steers = 12;
const callEveryMs = 40;

/**
 * How long a STEER takes from its file to the agent, which then asks its model: the agent calls `check_signals` again and again, and each call is a
 * boundary. Beside it the longest time between two of these calls, which no program could undercut.
 */
export const steerRequest = async (): Promise<readonly Row[]> => {
  const { samples, gaps } = await steered();
  return [
    {
      name: 'steer file → agent, which asks its model next, p95',
      value: percentile(samples, 0.95),
      unit: 'ms',
      base: { name: 'between two calls of our tools, p95', value: percentile(gaps, 0.95) },
      spread: spreadOf(samples),
      ...atMost(5, percentile(samples, 0.95), percentile(gaps, 0.95)),
    },
  ];
};

/** Milliseconds from the file of each STEER to the agent, and between two calls of the agent. `words` and `env`: where it works. */
export const steered = (
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly samples: readonly number[]; readonly gaps: readonly number[] }> =>
  inWorkspace(async (workspace) => {
    const round: readonly Action[] = [
      { do: 'mcp', tool: 'check_signals' },
      { do: 'stream', perSecond: 1_000 / callEveryMs, updates: 2, text: 'thinking\n' },
    ];
    const agent = createScriptedAgent(workspace, {
      turns: [{ actions: Array.from({ length: 2_000 }, () => round).flat(), again: true }],
    });
    prepare(workspace, [agent.command, ...agent.args]);
    const program = startProgram(
      ['run', '--plan', 'plan.yaml', '--permissions', 'workspace', '--headless', '--no-discovery', ...words],
      { cwd: workspace, env },
    );
    try {
      const calls = () => agent.log().filter(({ what }) => what === 'mcp result');
      await agent.until('mcp result', () => true, 60_000);
      const samples: number[] = [];
      for (let count = 0; count < steers; count += 1) {
        const word = `order number ${count}.`;
        const sent = await runProgram(['signal', 'STEER', word, '--target', 'Executor'], { cwd: workspace });
        if (sent.code !== 0) throw new Error(sent.stderr);
        const heard = await agent.until(
          'mcp result',
          (entry) => JSON.stringify(entry).includes(word),
          20_000,
        );
        samples.push(heard.at - writtenAt(sent.stdout));
        await pause(50 + count * 7);
      }
      const at = calls().map((entry) => entry.at);
      const gaps = at.slice(1).map((time, index) => time - (at[index] ?? time));
      return { samples, gaps };
    } finally {
      program.kill('SIGTERM');
      await program.done;
    }
  });

/** From the file's name, to the millisecond. */
const writtenAt = (printed: string): number => {
  const [, date, time, ms] = /signal\.(\d{6})-(\d{6})Z-(\d{3})/.exec(printed) ?? [];
  const [year, month, day] = date?.match(/../g) ?? [];
  return Date.parse(`20${year}-${month}-${day}T${time?.match(/../g)?.join(':')}.${ms}Z`);
};

const prepare = (workspace: string, command: readonly string[]): void => {
  mkdirSync(join(workspace, '.ralph'));
  writeFileSync(
    join(workspace, '.ralph', 'config.yaml'),
    JSON.stringify({ agents: { asker: { type: 'acp', command } }, roles: { executor: 'asker' } }),
  );
  const task = { id: 't0', title: 'Ask', objective: 'Ask.', files: ['f0'], run: [], verify: ['true'] };
  const settings = { planning: { max_cycles: 0 }, gates: [], timeouts: { abort_grace: '300ms' } };
  writeFileSync(join(workspace, 'plan.yaml'), JSON.stringify({ goal: 'Measure', settings, tasks: [task] }));
};
