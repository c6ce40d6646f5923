import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SessionChanges } from '../../../src/changes/port.ts';
import { gitEnvironment, makeTemplate, value, worldAt } from '../../helpers/changes.ts';
import { median, type Row, spreadOf } from '../measure.ts';

const runs = 6;
const many = 100;

const run = promisify(execFile);

/** What isolation costs beside the same git commands typed by hand, in turns on one repository. */
export const worktrees = async (): Promise<readonly Row[]> => [
  await oneTask(3_000),
  await manyWorktrees(300),
];

const inRepository = async (
  files: number,
  work: (
    session: SessionChanges,
    git: (...args: readonly string[]) => Promise<unknown>,
    top: string,
  ) => Promise<Row>,
): Promise<Row> => {
  const names = Array.from({ length: files }, (_, index) => `d${index % 50}/file-${index}.txt`);
  const template = makeTemplate(Object.fromEntries(names.map((name) => [name, `${name}\n`.repeat(40)])));
  const { top } = template;
  try {
    const env = gitEnvironment(top);
    const git = (...args: readonly string[]) => run('git', args, { cwd: join(top, 'repo'), env });
    return await work(await worldAt(top).open(), git, top);
  } finally {
    template.remove();
  }
};

/** Worktree, one changed file, commit, merge, removal. */
const oneTask = (files: number): Promise<Row> =>
  inRepository(files, async (session, git, top) => {
    await git('worktree', 'add', '-q', '-b', 'hand', join(top, 'hand'));
    let count = 0;
    const byHand = async (): Promise<void> => {
      count += 1;
      const path = join(top, `task-${count}`);
      await git('worktree', 'add', '-q', '-b', `task-${count}`, path, 'hand');
      writeFileSync(join(path, 'new.txt'), `${count}\n`);
      await git('-C', path, 'add', '--all');
      await git('-C', path, 'commit', '-qm', 'task');
      await git('-C', join(top, 'hand'), 'merge', '-q', '--no-ff', '-m', 'merge', `task-${count}`);
      await git('worktree', 'remove', '--force', path);
      await git('branch', '-q', '-D', `task-${count}`);
    };
    const ours = async (): Promise<void> => {
      count += 1;
      const attempt = { task: 'task', attempt: count };
      const { directory } = value(await session.prepare(attempt));
      value(await session.snapshot(attempt, 'before'));
      writeFileSync(join(directory, 'new.txt'), `${count}\n`);
      value(await session.snapshot(attempt, 'after'));
      value(await session.commit(attempt, 'task'));
      const merged = await session.merge(attempt);
      if (merged.kind !== 'merged') throw new Error(merged.kind);
      value(await session.clean(attempt));
    };
    return compare(
      `a task in a worktree of ${files} files: made, recorded, merged, cleaned`,
      runs,
      byHand,
      ours,
    );
  });

const manyWorktrees = (files: number): Promise<Row> =>
  inRepository(files, (session, git, top) => {
    const byHand = async (): Promise<void> => {
      for (let at = 0; at < many; at += 1)
        await git('worktree', 'add', '-q', '-b', `task-${at}`, join(top, `task-${at}`));
      for (let at = 0; at < many; at += 1) {
        await git('worktree', 'remove', '--force', join(top, `task-${at}`));
        await git('branch', '-q', '-D', `task-${at}`);
      }
    };
    let attempt = 0;
    const ours = async (): Promise<void> => {
      attempt += 1;
      for (let at = 0; at < many; at += 1) value(await session.prepare({ task: `task-${at}`, attempt }));
      for (let at = 0; at < many; at += 1) value(await session.clean({ task: `task-${at}`, attempt }));
    };
    return compare(`${many} worktrees of ${files} files made and cleaned`, 4, byHand, ours);
  });

/**
 * In turns, because a machine that others use is fast in one second and slow in the next, and each begins every other turn: after the removal of 30,000 files
 * ext4 makes new ones at half the speed, whoever makes them.
 */
const compare = async (
  name: string,
  times: number,
  byHand: () => Promise<void>,
  ours: () => Promise<void>,
): Promise<Row> => {
  const base: number[] = [];
  const measured: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const isHandFirst = turn % 2 === 0;
    if (isHandFirst) base.push(await timeOf(byHand));
    measured.push(await timeOf(ours));
    if (!isHandFirst) base.push(await timeOf(byHand));
  }
  const [hand, ms] = [median(base), median(measured)];
  return {
    name,
    value: ms,
    unit: 'ms',
    base: { name: 'git by hand', value: hand },
    spread: spreadOf(measured),
    target: '≤ 1.5×',
    ok: ms <= 1.5 * hand,
  };
};

const timeOf = async (work: () => Promise<void>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
