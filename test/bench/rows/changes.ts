import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { paneKey } from '../../helpers/pane-key.ts';
import { git } from '../../helpers/repository.ts';
import { type BenchTerminal, openProgram } from '../bench-terminal.ts';
import { inWorkspace, runToEnd } from '../live-session.ts';
import { atMost, median, percentile, type Row, spreadOf } from '../measure.ts';

const lines = 50_000;
const times = 9;
const keys = 40;

/** A diff of 50,000 lines in the Changes tab, and how fast it scrolls, beside a diff of ten lines. */
export const changes = async (): Promise<readonly Row[]> => {
  const small = await measured(10);
  const big = await measured(lines);
  return [
    {
      name: `diff of ${lines} lines, opened: to its first frame`,
      value: median(big.opened),
      unit: 'ms',
      base: { name: 'of 10 lines', value: median(small.opened) },
      ...atMost(2.5, median(big.opened), median(small.opened)),
      spread: spreadOf(big.opened),
    },
    {
      name: `diff of ${lines} lines, scrolled: key to screen, p95`,
      value: percentile(big.scrolled, 0.95),
      unit: 'ms',
      base: { name: 'of 10 lines', value: percentile(small.scrolled, 0.95) },
      ...atMost(2, percentile(big.scrolled, 0.95), percentile(small.scrolled, 0.95)),
      spread: spreadOf(big.scrolled),
    },
  ];
};

interface Measured {
  readonly opened: readonly number[];
  readonly scrolled: readonly number[];
}

/** A task that rewrote half as many lines of a file in a repository: each counts as removed and as added. */
const measured = (count: number): Promise<Measured> =>
  inWorkspace(async (workspace) => {
    const half = count / 2;
    const line = (what: string): string =>
      `seq -f 'Line %07.0f of the ${what} file, as long as lines of code are' ${half} > big.txt`;
    execFileSync('sh', ['-c', line('old')], { cwd: workspace });
    git(workspace, 'add', 'big.txt');
    git(workspace, 'commit', '-q', '-m', 'old');
    await runToEnd(
      workspace,
      `goal: measure\ntasks:\n  - {id: big, title: Rewrite, files: [big.txt], run: ["${line('new')}"]}\n`,
    );
    const terminal = openProgram([], workspace);
    try {
      await terminal.waitFor(/Complete/);
      terminal.press('\u001b');
      await pause(500);
      const opened: number[] = [];
      for (let time = 0; time < times; time += 1) opened.push(await open(terminal, half));
      const scrolled: number[] = [];
      // Ten lines fit on the screen: there the cursor goes to and fro.
      const [one, other] = count < 100 ? ['j', 'k'] : ['\u001b[6~', 'j'];
      for (let time = 0; time < keys; time += 1) {
        scrolled.push(await terminal.pressAndHear(time % 2 === 0 ? one : other));
        await pause(50);
      }
      return { opened, scrolled };
    } finally {
      await terminal.end();
    }
  });

/** Milliseconds from the key to the sum of the files, which stands above the diff; git is asked each time. */
const open = async (terminal: BenchTerminal, half: number): Promise<number> => {
  await terminal.pressAndHear(paneKey('details'));
  await pause(200);
  const began = performance.now();
  terminal.press(paneKey('changes'));
  await terminal.waitFor(new RegExp(`1 file, \\+${half} −${half}[\\s\\S]*@@`));
  const took = performance.now() - began;
  await pause(100);
  return took;
};
