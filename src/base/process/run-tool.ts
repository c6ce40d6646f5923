import { decodeName } from '../file-names.io.ts';
import { childEnvironment } from './child-environment.ts';
import { outsidePath } from './find-program.ts';
import type { ChildExit, Spawn } from './spawn.ts';

export interface ToolPorts {
  readonly spawn: Spawn;
  /** This program's environment. Tools get a part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where a tool runs and for whom. */
interface ToolPlace {
  /** The project directory, absolute and with links resolved. */
  readonly projectDir: string;
  /** `RALPH_RUN` of every process that is started, so that it can be found and stopped. */
  readonly marker: string;
  /** Aborts at the caller's time limit: nothing is started after that. */
  readonly signal: AbortSignal;
}

/** A tool's output and exit. */
export interface ToolResult {
  readonly exit: ChildExit;
  /** The tool exited with 0. */
  readonly ok: boolean;
  /** Bytes that are not UTF-8 become lone surrogates, so that file names survive. */
  readonly out: string;
  readonly error: string;
}

interface ToolCall {
  /** A program with its arguments. None of them may be read as an option that somebody else chose. */
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  /** The working directory, by default the project directory. `/` for tools that read or even run files of their working directory. */
  readonly cwd?: string;
  /** Names of further variables of this program's environment that the tool needs. */
  readonly inherit?: readonly string[];
  /** Text for its stdin, which is closed otherwise. */
  readonly input?: string;
}

/**
 * Runs an installed tool in the project directory (src/discovery/README.md, Probes). Uses no shell and only PATH entries outside the workspace, so that a
 * checkout cannot replace `git` with its own. Drops output beyond 64 MiB.
 */
export const runTool = async (
  { spawn, env }: ToolPorts,
  { projectDir, marker, signal }: ToolPlace,
  { argv, timeoutMs, inherit = [], cwd, input }: ToolCall,
): Promise<ToolResult> => {
  if (signal.aborted) return tooLate;
  const chunks: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] };
  let size = 0;
  const child = spawn.start(
    {
      command: argv,
      cwd: cwd ?? projectDir,
      env: childEnvironment(env, {
        ...named(env, inherit),
        ...fixed,
        PATH: outsidePath(env['PATH'] ?? '', [projectDir], env['HOME']),
      }),
      marker,
      timeoutMs,
      ...(input === undefined ? {} : { input }),
    },
    {
      output: (bytes, stream) => {
        size += bytes.length;
        if (size <= mostBytes) chunks[stream].push(bytes);
      },
    },
  );
  const exit = await child.exit;
  return {
    exit,
    ok: exit.kind === 'exited' && exit.code === 0,
    out: textOf(chunks.stdout),
    error: exit.kind === 'not-started' ? exit.reason : textOf(chunks.stderr).trim(),
  };
};

const mostBytes = 64 * 1024 * 1024;

const tooLate: ToolResult = {
  exit: { kind: 'not-started', reason: 'it timed out' },
  ok: false,
  out: '',
  error: 'it timed out',
};

const fixed = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat' };

const named = (env: ToolPorts['env'], names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

/** Decodes each part between NULs alone, so that one odd name does not make a long list slow. */
const textOf = (chunks: readonly Uint8Array[]): string => {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  const parts: string[] = [];
  for (let from = 0; from <= all.length; ) {
    const end = all.indexOf(0, from);
    parts.push(decodeName(all.subarray(from, end < 0 ? all.length : end)));
    from = end < 0 ? all.length + 1 : end + 1;
  }
  return parts.join('\0');
};
