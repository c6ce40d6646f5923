import { setTimeout as pause } from 'node:timers/promises';
import { openProgram } from '../bench-terminal.ts';
import { inWorkspace, runToEnd } from '../live-session.ts';
import { atMost, percentile, type Row } from '../measure.ts';
import { watchLoad } from '../process-load.ts';

const tasks = 5;
const megabytes = 100;
/** Each task printed more than a screen holds, so every key has something to do. */
const few = 1;

/** A session whose agents printed 100 MB, opened: beside one that printed 1 MB, with the same keys. */
export const bigLogs = async (): Promise<readonly Row[]> => {
  const small = await opened(few);
  const big = await opened(megabytes);
  const more = big.rss - small.rss;
  return [
    {
      name: `${megabytes} MB of logs, opened: more RSS`,
      value: more,
      unit: 'MB',
      base: { name: `${few} MB of logs`, value: small.rss },
      target: '< 30 MB more',
      ok: more < 30,
    },
    {
      name: `${megabytes} MB of logs: longest stall at a key`,
      value: big.stall,
      unit: 'ms',
      base: { name: `${few} MB of logs`, value: small.stall },
      ...atMost(3, big.stall, small.stall),
    },
  ];
};

/** Opens it and goes through its tasks and one of its log files. */
const opened = (printed: number): Promise<{ readonly rss: number; readonly stall: number }> =>
  inWorkspace(async (workspace) => {
    const lines = Math.round((printed / tasks) * 10_000);
    const command = `seq -f 'Line %07.0f, one hundred bytes as an agent prints them: edited src/engine/loop.ts, 14 lines added.....' ${lines}`;
    const list = Array.from(
      { length: tasks },
      (_, index) =>
        `  - {id: t${index}, title: Task ${index}, files: [f${index}], run: [${JSON.stringify(`${command}; touch f${index}`)}]}\n`,
    );
    await runToEnd(workspace, `goal: measure\ntasks:\n${list.join('')}`);
    const terminal = openProgram([], workspace);
    try {
      await terminal.waitFor(/Complete/);
      terminal.press('\u001b');
      await pause(500);
      const samples: number[] = [];
      const press = async (key: string, times: number): Promise<void> => {
        for (let turn = 0; turn < times; turn += 1) {
          samples.push(await terminal.pressAndHear(key));
          await pause(40);
        }
      };
      await press('j', tasks - 2);
      await press('k', tasks - 2);
      // Into the output, up and down; then the log file itself, its start and its end.
      await press('\t', 1);
      await press('k', 15);
      await press('G', 1);
      await press('t', 1);
      await press('k', 15);
      await press('g', 1);
      await press('j', 15);
      await press('G', 1);
      const { rssMost } = await watchLoad(terminal.pid, 1);
      return { rss: rssMost, stall: percentile(samples, 1) };
    } finally {
      await terminal.end();
    }
  });
