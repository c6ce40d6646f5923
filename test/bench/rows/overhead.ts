import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDisk } from '../../../src/base/disk.io.ts';
import { createRandom } from '../../../src/base/random.io.ts';
import { replaceFile } from '../../../src/base/replace-file.ts';
import { runProgram } from '../../helpers/program.ts';
import { median, type Row, sample, spreadOf } from '../measure.ts';

const tasks = 200;
const rounds = 5;

/** What the engine adds to a task that does nothing, beside one `replaceFile` on the same disk. */
export const overhead = async (): Promise<readonly Row[]> => {
  const workspace = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    const disk = createDisk();
    const random = createRandom();
    const file = join(workspace, 'metadata.yaml');
    const content = 'version: 7\n'.repeat(40);
    const bares: number[] = [];
    const runs: number[] = [];
    // A disk that others use is fast in one second and slow in the next: the base is measured beside each run.
    for (let round = 0; round < rounds; round += 1) {
      bares.push(median(sample(100, () => replaceFile(disk, random, file, content))));
      const few = await session(workspace, 2);
      runs.push(((await session(workspace, tasks + 2)) - few) / tasks);
    }
    const [bare, ours] = [median(bares), median(runs)];
    return [
      {
        name: `engine overhead per no-op task, ${tasks} tasks`,
        value: ours,
        unit: 'ms',
        base: { name: 'one replaceFile', value: bare },
        spread: spreadOf(runs),
        target: '≤ 25×, and < 15 ms where that takes ≤ 0.6 ms',
        ok: ours <= 25 * bare && (bare > 0.6 || ours < 15),
      },
    ];
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
};

/** Milliseconds of a whole headless session of `count` tasks, each one `touch`, three at a time. */
const session = async (workspace: string, count: number): Promise<number> => {
  const plan = join(workspace, `plan-${count}.yaml`);
  const list = Array.from(
    { length: count },
    (_, index) => `  - {id: t${index}, title: Task ${index}, files: [f${index}], run: [[touch, f${index}]]}`,
  );
  writeFileSync(plan, `goal: measure\nsettings: {planning: {max_cycles: 0}}\ntasks:\n${list.join('\n')}\n`);
  const start = performance.now();
  const result = await runProgram(['run', '--plan', plan, '--yes', '--json'], { cwd: workspace });
  if (result.code !== 0)
    throw new Error(
      `the session ended with ${result.code}\n${result.stderr}\n${result.stdout.slice(-2_000)}`,
    );
  return performance.now() - start;
};
