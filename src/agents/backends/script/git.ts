import { onlyReads } from '../../../tasks/task-files.ts';
import { markerOf } from '../../marker.ts';
import type { ScriptContext } from './script-turn.ts';

export interface GitResult {
  readonly ok: boolean;
  readonly out: string;
  readonly error: string;
}

/** Runs git in the workspace without a shell. Takes paths literally and never prompts at a terminal. */
export const git = async (
  context: ScriptContext,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<GitResult> => {
  const chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const child = context.spawn.start(
    {
      command: ['git', '--literal-pathspecs', ...args],
      cwd: context.brief.workspace,
      env: { ...context.env, ...context.gitEnv, ...env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      marker: markerOf(context.brief),
      timeoutMs: 10 * 60_000,
    },
    { output: (bytes, stream) => chunks[stream].push(bytes) },
  );
  context.track(child);
  try {
    const exit = await child.exit;
    const why = exit.kind === 'not-started' ? exit.reason : textOf(chunks.stderr);
    return { ok: exit.kind === 'exited' && exit.code === 0, out: textOf(chunks.stdout), error: why.trim() };
  } finally {
    context.track(null);
  }
};

/** Paths that git reports as changed or new, relative to the workspace. `null` outside a repository. */
export const gitStatus = async (context: ScriptContext): Promise<ReadonlyMap<string, string> | null> => {
  const prefix = await git(context, ['rev-parse', '--show-prefix']);
  if (!prefix.ok) return null;
  const status = await git(context, [
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--no-renames',
  ]);
  if (!status.ok) return null;
  const within = prefix.out.trim();
  const entries = status.out.split('\0').filter((line) => line.length > 3);
  return new Map(
    entries
      .map((line) => [line.slice(3), line.slice(0, 2)] as const)
      .filter(([path]) => path.startsWith(within))
      .map(([path, state]) => [path.slice(within.length), state]),
  );
};

/** Whether no other task ran beside this one. Undeclared changes can then only be its own. A task that declares no files waits for all others. */
export const runsAlone = ({ brief: { task, settings } }: Pick<ScriptContext, 'brief'>): boolean =>
  settings.concurrency.max_parallel_executors === 1 ||
  (task !== undefined && (task.type === 'Sequential' || (task.files.length === 0 && !onlyReads(task))));

/** Changed and new files of the work tree, without the sessions' own files. */
export const dirtyFiles = (status: ReadonlyMap<string, string> | null): readonly string[] =>
  [...(status?.keys() ?? [])].filter((file) => !file.startsWith('.ralph-sessions/'));

const textOf = (chunks: readonly Uint8Array[]): string => {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
};
