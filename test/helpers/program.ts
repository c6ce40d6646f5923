import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { compileCache, programFile, runInside } from './built-program.ts';

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
  for (const memory of memories.values()) rmSync(memory, { recursive: true, force: true });
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

export interface ProgramResult {
  /** The exit code, or the name of the signal that ended it. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProgram {
  readonly pid: number;
  readonly output: () => string;
  /** Resolves with the output so far once it matches; rejects with it when the program ends or `timeout` ms pass. */
  readonly waitFor: (wanted: string | RegExp, timeout?: number) => Promise<string>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Only with `input`. */
  readonly type: (text: string) => void;
  /** The end of what is typed. */
  readonly endInput: () => void;
  /** Nobody reads its stdout any more, as after `| head -1`. */
  readonly closeOutput: () => void;
  readonly done: Promise<ProgramResult>;
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
  ofProcess.every((name) => !(name in env)) &&
  (answering.has(command) || (hosting.has(command) && process.env['VITEST'] !== undefined));

/** Variables that Node itself reads, once or for the whole process, and programs that would get the terminal of the tests. */
export const ofProcess = ['HOME', 'TMPDIR', 'NODE_OPTIONS', 'EDITOR', 'VISUAL', 'PAGER'] as const;

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
  return follow(child);
};

const follow = (child: ChildProcess): RunningProgram => {
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    tell();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    tell();
  });
  let ended: ProgramResult | null = null;
  const done = new Promise<ProgramResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      ended = { code: code ?? signal ?? 'unknown', stdout, stderr };
      resolve(ended);
      tell();
    });
  });
  return {
    pid: child.pid ?? 0,
    output: () => stdout + stderr,
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
    done,
    waitFor: (wanted, timeout = 40_000) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void): void => {
          clearTimeout(timer);
          watchers.delete(look);
          settle();
        };
        const explain = (why: string): Error =>
          new Error(
            `${why} while waiting for ${String(wanted)}\n--- stdout\n${stdout}\n--- stderr\n${stderr}`,
          );
        const look = (): void => {
          const found = typeof wanted === 'string' ? stdout.includes(wanted) : wanted.test(stdout);
          if (found) finish(() => resolve(stdout));
          else if (ended) finish(() => reject(explain(`ended with ${ended?.code}`)));
        };
        const timer = setTimeout(() => finish(() => reject(explain(`${timeout} ms passed`))), timeout);
        watchers.add(look);
        look();
      }),
  };
};
