import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { beginInside, compileCache, programFile } from './built-program.ts';
import { type FollowedOutput, followed, type ProgramResult } from './followed-output.ts';
import { removeTree } from './remove-tree.ts';
import { runInside } from './run-inside.ts';
import { signalsOfNext } from './signals-inside.ts';

export { programFile };

/**
 * What the programs of one test file remember, sessions they began above all, and the settings of the tests' own user: plans of commands
 * alone would not be asked about their lessons. A worker runs many files, and a picker shows what is remembered.
 */
const memoryOf = (file: string): string => {
  const known = memories.get(file);
  if (known !== undefined) return known;
  const memory = mkdtempSync(join(tmpdir(), 'ralph-tui-test-state-'));
  memories.set(file, memory);
  mkdirSync(join(memory, 'config/ralph-tui'), { recursive: true });
  writeFileSync(join(memory, 'config/ralph-tui/config.yaml'), 'knowledge: {gate: always}\n');
  return memory;
};
const memories = new Map<string, string>();
process.on('exit', () => {
  for (const memory of memories.values()) removeTree(memory);
});

/** Nothing of the machine's own settings reaches a test; `CI` is left out because it changes what programs draw. */
export const cleanEnvironment = (extra: Readonly<Record<string, string>> = {}): Record<string, string> => {
  // Scripts that measure and draw use this too.
  const memory = memoryOf(process.env['VITEST'] === undefined ? '' : (expect.getState().testPath ?? ''));
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: '/nonexistent',
    XDG_STATE_HOME: memory,
    XDG_CONFIG_HOME: join(memory, 'config'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NODE_COMPILE_CACHE: compileCache,
    ...extra,
  };
};

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The test answers whether its plan is trusted; else `run` is told `--yes`, as by somebody who wrote the plan. */
  readonly asked?: boolean;
  /** Another user to run as; only root may ask for it. */
  readonly uid?: number;
  /** What is written to its stdin in one piece; `type` writes more. Without it stdin is closed. */
  readonly input?: string;
}

/** The arguments of somebody who trusts the plan. A resume of a session that was begun here needs no such word. */
export const trusting = (args: readonly string[], { asked }: Pick<ProgramOptions, 'asked'>): string[] =>
  args[0] === 'run' && asked !== true && !args.includes('--yes') ? [...args, '--yes'] : [...args];

export type { ProgramResult } from './followed-output.ts';

/** The program as it runs, in this process or in one of its own. */
export interface RunningSession extends FollowedOutput {
  readonly kill: (signal: NodeJS.Signals) => void;
}

export interface RunningProgram extends RunningSession {
  readonly pid: number;
  /** Only with `input`. */
  readonly type: (text: string) => void;
  /** The end of what is typed. */
  readonly endInput: () => void;
  /** Nobody reads its stdout any more, as after `| head -1`. */
  readonly closeOutput: () => void;
}

/** Runs the program to its end, stdin closed: in this process where nothing else is asked for, else in one of its own. */
export const runProgram = (args: readonly string[], options: ProgramOptions): Promise<ProgramResult> =>
  runsInside(args, options)
    ? runInside(trusting(args, options), { cwd: options.cwd, env: cleanEnvironment(options.env) })
    : startProgram(args, options).done;

/** Commands that answer and end: they take all they need through the program's `Host`, so that nothing differs but the processor time. */
const answering: ReadonlySet<string> = new Set([
  ...[
    'status',
    'tasks',
    'diff',
    'signals',
    'sessions',
    'logs',
    'report',
    'statistics',
    'debug',
    'config',
    'help',
  ],
  ...['signal', 'pause', 'steer', 'cancel', 'skip', 'retry', 'approve', 'answer', 'feedback', 'completion'],
  ...['guidance', 'doctor', 'scan', 'review', 'undo', 'export'],
]);

/** Commands that begin, host or show a session until it ends: a test gets them in its own process, a measurement does not. */
const hosting: ReadonlySet<string> = new Set(['run', 'resume', 'demo', 'attach', 'replay']);

const runsInside = ([command = '']: readonly string[], { uid, env = {}, input }: ProgramOptions): boolean =>
  uid === undefined &&
  input === undefined &&
  // Tests of fences give a home. What a fence keeps there goes when its process ends.
  [...ofProcess, 'HOME'].every((name) => !(name in env)) &&
  (answering.has(command) || (hosting.has(command) && process.env['VITEST'] !== undefined));

/** Variables that Node itself reads, once or for the whole process, and programs that would get the terminal of the tests. */
export const ofProcess = ['TMPDIR', 'NODE_OPTIONS', 'EDITOR', 'VISUAL', 'PAGER'] as const;

/** Runs it with `--json` and gives the one JSON value it prints; a surprising exit code is an error with all output. */
export const runJson = async (
  args: readonly string[],
  options: ProgramOptions,
  expected = 0,
): Promise<unknown> => {
  const result = await runProgram([...args, '--json'], options);
  if (result.code !== expected)
    throw new Error(`exit ${result.code}, expected ${expected}\n${result.stdout}\n${result.stderr}`);
  return JSON.parse(result.stdout);
};

export const startProgram = (args: readonly string[], options: ProgramOptions): RunningProgram => {
  const child = spawn(process.execPath, [programFile, ...trusting(args, options)], {
    cwd: options.cwd,
    env: cleanEnvironment(options.env),
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  child.stdin?.write(options.input ?? '');
  const ended = new Promise<number | string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return {
    ...followed(child, ended),
    pid: child.pid ?? 0,
    kill: (signal) => {
      child.kill(signal);
    },
    type: (text) => {
      child.stdin?.write(text);
    },
    endInput: () => {
      child.stdin?.end();
    },
    closeOutput: () => {
      child.stdout?.destroy();
    },
  };
};

/**
 * A session without a screen in this process, as `openScreen` is one with: for tests of what it says and what signal files do. SIGINT and SIGTERM reach
 * it alone; a test that does more to a process uses `startProgram`. The session is stopped when the test has ended.
 */
export const startSession = (
  args: readonly string[],
  options: Pick<ProgramOptions, 'cwd' | 'env' | 'asked'>,
): RunningSession => {
  for (const name of ofProcess)
    if (name in (options.env ?? {})) throw new Error(`${name} needs a process: use startProgram`);
  const kill = signalsOfNext('startProgram');
  const { ended, ...streams } = beginInside(trusting(args, options), {
    cwd: options.cwd,
    env: cleanEnvironment(options.env),
  });
  onTestFinished(async () => {
    kill('SIGTERM');
    await ended;
  });
  return { ...followed(streams, ended), kill };
};
