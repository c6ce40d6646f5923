import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../helpers/program.ts';
import { makeRepository, usualFiles } from './bench-repository.ts';
import { type BenchTerminal, openProgram, type Size } from './bench-terminal.ts';

/** A workspace that is gone when the work is done: a repository of so many files, or no repository. */
export const inWorkspace = async <T>(
  work: (workspace: string) => Promise<T>,
  files: number | null = usualFiles,
): Promise<T> => {
  const workspace = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    if (files !== null) makeRepository(workspace, files);
    return await work(workspace);
  } finally {
    rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
  }
};

/** Runs a plan to its end in this workspace, without a screen. */
export const runToEnd = async (workspace: string, plan: string): Promise<void> => {
  writeFileSync(join(workspace, 'plan.yaml'), plan);
  const made = await runProgram(['run', '--plan', 'plan.yaml', '--yes', '--json'], { cwd: workspace });
  if (made.code !== 0) throw new Error(`the session ended with ${made.code}: ${made.stderr}`);
};

/** A plan whose first task runs `command` and whose others, `tasks` with it, wait for that. */
export const waitingPlan = (command: string, tasks: number): string => {
  const others = Array.from(
    { length: tasks - 1 },
    (_, index) =>
      `  - {id: t${index + 1}, title: Task ${index + 1}, files: [f${index + 1}], blockedBy: [t0], run: [touch f${index + 1}]}\n`,
  );
  return `goal: Measure the screen\nsettings: {planning: {max_cycles: 0}, timeouts: {abort_grace: 300ms}}\ntasks:\n  - {id: t0, title: Task 0, files: [f0], run: [${JSON.stringify(command)}]}\n${others.join('')}`;
};

/** The real program hosting a session whose first task is at work, until `work` is done. */
export const inLiveSession = <T>(
  command: string,
  tasks: number,
  work: (terminal: BenchTerminal) => Promise<T>,
  size?: Size,
): Promise<T> =>
  inWorkspace(async (workspace) => {
    writeFileSync(join(workspace, 'plan.yaml'), waitingPlan(command, tasks));
    const terminal = openProgram(['run', '--plan', 'plan.yaml', '--yes'], workspace, size);
    try {
      await terminal.waitFor(/▌[^▌\r\n]{0,12}?[▸⠁-⣿] t0\b/, 120_000);
      return await work(terminal);
    } finally {
      await terminal.end();
    }
  });

/** An agent that says `rate` messages a second. */
export const printerCommand = (rate: number): string =>
  `${process.execPath} ${join(import.meta.dirname, 'programs/message-printer.ts')} ${rate}`;
