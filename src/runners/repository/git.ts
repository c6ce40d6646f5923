import { FaultError } from '../../base/fault.ts';

/** git as this room needs it. `changes/git.ts` has the same port; its implementation is handed in. */
export interface RunnerGit {
  run(
    call: GitCall,
  ): Promise<{ readonly code: number | null; readonly out: Uint8Array; readonly error: string }>;
}

interface GitCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  readonly config?: readonly string[];
  readonly identity?: { readonly name: string; readonly email: string };
  readonly input?: string;
  readonly magicPaths?: true;
  readonly asIs?: true;
  readonly far?: true;
}

/** Author and committer of the commits that only carry files between machines. */
export const carrier = { name: 'ralph-tui', email: 'ralph-tui@localhost' };

/** What git printed, trimmed. Throws a `FaultError` that quotes git when it failed. */
export const gitText = async (git: RunnerGit, doing: string, call: GitCall): Promise<string> => {
  const { code, out, error } = await git.run(call);
  if (code === 0) return new TextDecoder().decode(out).trim();
  throw new FaultError({ code: 'runner-git', what: `git could not ${doing}: ${firstLine(error)}` });
};

/** Whether git ended with code 0. */
export const gitSays = async (git: RunnerGit, call: GitCall): Promise<boolean> =>
  (await git.run(call)).code === 0;

/** The line of git's complaint that says the most. */
export const firstLine = (error: string): string => {
  const lines = error.split('\n').filter((line) => line.trim() !== '');
  const said = lines.find((line) => /^(?:fatal|error): /u.test(line)) ?? lines[0] ?? 'it printed nothing';
  return said.replace(/^(?:fatal|error): /u, '');
};
