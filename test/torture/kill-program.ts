import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningProgram, runProgram, startProgram } from '../helpers/program.ts';
import { removeTree } from '../helpers/remove-tree.ts';

/** A real session of the built program that is killed with SIGKILL again and again, beside one that nobody disturbs (test/README.md, Torture). */
export interface KillResult {
  readonly kills: number;
  readonly seconds: number;
  /** Broken promises, one sentence each: has to be empty. */
  readonly problems: readonly string[];
}

export const killProgram = async (kills: number): Promise<KillResult> => {
  const directory = mkdtempSync(join(tmpdir(), 'ralph-tui-kill-'));
  const started = performance.now();
  try {
    const calm = workspace(directory, 'calm', kills + 1);
    allow(calm, kills);
    const first = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: calm });
    const problems = first.code === 0 ? [] : [`undisturbed it ended with ${first.code}`];
    const stormy = workspace(directory, 'stormy', kills + 1);
    const done = await disturb(stormy, kills);
    const last = await runProgram(['resume'], { cwd: stormy });
    if (last.code !== 0)
      problems.push(`resumed for the last time it ended with ${last.code}: ${last.stderr}`);
    const [wanted, got] = [await resultOf(calm), await resultOf(stormy)];
    if (wanted !== got) problems.push(`the result is ${got}, undisturbed it is ${wanted}`);
    return {
      kills: done,
      seconds: Math.round((performance.now() - started) / 100) / 10,
      problems: [...problems, ...journalProblems(stormy)],
    };
  } finally {
    removeTree(directory);
  }
};

/**
 * Each life of the program may do one task more than the one before: there is one left to do until the killing is over, and none is killed so often
 * without progress that it is stopped, as it should be.
 */
const workspace = (directory: string, name: string, tasks: number): string => {
  const at = join(directory, name);
  mkdirSync(at);
  const lines = Array.from({ length: tasks }, (_, index) => {
    const blockedBy = index === 0 ? '' : `, blockedBy: [t${index - 1}]`;
    const wait = `while [ -e life ] && [ "$(cat life)" -lt ${index} ]; do sleep 0.05; done`;
    return `  - {id: t${index}, title: T${index}, files: [t${index}.txt]${blockedBy}, run: ['${wait}', sleep 0.1, 'echo t${index} > t${index}.txt'], verify: [test -s t${index}.txt]}`;
  });
  writeFileSync(join(at, 'plan.yaml'), `goal: Survive\ntasks:\n${lines.join('\n')}\n`);
  return at;
};

/** Tasks up to this one may be done; whole at once, for they look at it all the time. */
const allow = (at: string, task: number): void => {
  writeFileSync(join(at, 'next-life'), String(task));
  renameSync(join(at, 'next-life'), join(at, 'life'));
};

const progress = /^\S+ t\d+ done/m;

const disturb = async (at: string, kills: number): Promise<number> => {
  let done = 0;
  for (; done < kills; done += 1) {
    allow(at, done);
    const program = startProgram(done === 0 ? ['run', '--plan', 'plan.yaml'] : ['resume'], { cwd: at });
    // Once something is recorded, at a moment nobody chose: from the first line to deep in the work.
    await seen(program, /\n/);
    // A line is told a moment before it is written: a program killed between leaves no session to resume.
    while (done === 0 && !journalText(at).includes('\n')) await pause(5);
    // Ten crashes in a row without progress would stop the task, as they should: every third life gets something done.
    if (done % 3 === 2) await seen(program, progress);
    await pause(Math.random() * 700);
    program.kill('SIGKILL');
    await program.done;
  }
  allow(at, kills);
  return done;
};

/** It said so, or it has ended. */
const seen = (program: RunningProgram, wanted: RegExp): Promise<unknown> =>
  program.waitFor(wanted).catch(() => null);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What was reached: each task with its status, and the files; attempts differ, and may. */
const resultOf = async (at: string): Promise<string> => {
  const { stdout } = await runProgram(['tasks', '--json'], { cwd: at });
  const rows: readonly { readonly id: string; readonly status: string }[] = JSON.parse(stdout);
  const files = readdirSync(at)
    .filter((name) => name.endsWith('.txt'))
    .sort();
  return JSON.stringify({
    tasks: rows.map(({ id, status }) => `${id} ${status}`),
    files: files.map((name) => `${name}: ${readFileSync(join(at, name), 'utf8').trim()}`),
  });
};

/** What the journal of the only session holds; empty as long as there is none. */
const journalText = (at: string): string => {
  const root = join(at, '.ralph-sessions');
  const names = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  const name = names.find((file) => file.endsWith('journal.jsonl'));
  return name === undefined ? '' : readFileSync(join(root, name), 'utf8');
};

/** Its lines are numbered without a gap, and no result stands twice. */
const journalProblems = (at: string): readonly string[] => {
  const lines = journalText(at).trim().split('\n');
  const qualified = new Set<string>();
  return lines.flatMap((line, index) => {
    if (!line.endsWith('}')) return [`line ${index + 1} of the journal is not whole: ${line}`];
    const event: { readonly seq: number; readonly type: string; readonly task?: string } = JSON.parse(line);
    const key = `${event.type} ${event.task}`;
    const twice = event.type === 'task.qualified' && qualified.has(key);
    if (event.type === 'task.qualified') qualified.add(key);
    return [
      ...(event.seq === index + 1 ? [] : [`line ${index + 1} of the journal has number ${event.seq}`]),
      ...(twice ? [`${key} appears twice`] : []),
    ];
  });
};
