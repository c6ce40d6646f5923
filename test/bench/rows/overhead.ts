import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDisk } from '../../../src/base/disk.io.ts';
import { createRandom } from '../../../src/base/random.io.ts';
import { replaceFile } from '../../../src/base/replace-file.ts';
import { runProgram } from '../../helpers/program.ts';
import { usualFiles } from '../bench-repository.ts';
import { inWorkspace } from '../live-session.ts';
import { atMost, median, type Row, sample, spreadOf } from '../measure.ts';

const tasks = 200;
const rounds = 5;

type Isolation = 'shared' | 'worktree';

/** Where tasks that do nothing are measured. Worktrees are made, merged and removed: fewer tasks tell as much. */
const places: readonly {
  readonly name: string;
  readonly files: number;
  readonly isolation: Isolation;
  readonly tasks: number;
  /** Of the same tasks without git; `null`: only shown. */
  readonly most: number | null;
}[] = [
  { name: 'in a repository of 10 files', files: 10, isolation: 'shared', tasks, most: 2.5 },
  { name: `in a repository of ${usualFiles} files`, files: usualFiles, isolation: 'shared', tasks, most: 4 },
  { name: 'in worktrees of 10 files', files: 10, isolation: 'worktree', tasks: 40, most: null },
  {
    name: `in worktrees of ${usualFiles} files`,
    files: usualFiles,
    isolation: 'worktree',
    tasks: 40,
    most: null,
  },
];

/** What the engine adds to a task that does nothing, beside one `replaceFile` on the same disk; and what git adds to that. */
export const overhead = async (): Promise<readonly Row[]> => {
  const bares: number[] = [];
  const runs: number[] = [];
  const inPlaces = places.map((): number[] => []);
  // A disk that others use is fast in one second and slow in the next: all are measured in turns.
  for (let round = 0; round < rounds; round += 1) {
    bares.push(bareReplace());
    runs.push(await perTask(null, 'shared', tasks));
    for (const [at, place] of places.entries())
      inPlaces[at]?.push(await perTask(place.files, place.isolation, place.tasks));
  }
  const [bare, ours] = [median(bares), median(runs)];
  return [
    {
      name: `engine overhead per no-op task, ${tasks} tasks without git`,
      value: ours,
      unit: 'ms',
      base: { name: 'one replaceFile', value: bare },
      spread: spreadOf(runs),
      ...atMost(25, ours, bare),
    },
    ...places.map(({ name, most }, at): Row => {
      const samples = inPlaces[at] ?? [];
      return {
        name: `a no-op task ${name}`,
        value: median(samples),
        unit: 'ms',
        base: { name: 'without git', value: ours },
        spread: spreadOf(samples),
        target: most === null ? '–' : `≤ ${most}×`,
        ok: most === null || median(samples) <= most * ours,
      };
    }),
  ];
};

const bareReplace = (): number => {
  const directory = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    const disk = createDisk();
    const random = createRandom();
    const content = 'version: 7\n'.repeat(40);
    return median(sample(100, () => replaceFile(disk, random, join(directory, 'metadata.yaml'), content)));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** Milliseconds that one more task costs. */
const perTask = (files: number | null, isolation: Isolation, count: number): Promise<number> =>
  inWorkspace(async (workspace) => {
    const few = await session(workspace, isolation, 2);
    return ((await session(workspace, isolation, count + 2)) - few) / count;
  }, files);

/** Milliseconds of a whole headless session of `count` tasks, each one `touch`, three at a time. */
const session = async (workspace: string, isolation: Isolation, count: number): Promise<number> => {
  const plan = join(workspace, `plan-${count}.yaml`);
  const list = Array.from({ length: count }, (_, at) => {
    const file = `f${count}-${at}`;
    return `  - {id: t${at}, title: Task ${at}, files: [${file}], run: [[touch, ${file}]]}`;
  });
  writeFileSync(
    plan,
    `goal: measure\nsettings: {planning: {max_cycles: 0}, isolation: ${isolation}}\ntasks:\n${list.join('\n')}\n`,
  );
  const start = performance.now();
  const result = await runProgram(['run', '--plan', plan, '--yes', '--json'], { cwd: workspace });
  if (result.code !== 0)
    throw new Error(
      `the session ended with ${result.code}\n${result.stderr}\n${result.stdout.slice(-2_000)}`,
    );
  return performance.now() - start;
};
