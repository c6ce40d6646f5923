import { type Fault, FaultError } from '../../base/fault.ts';
import { firstLine, gitSays, gitText } from './git.ts';
import type { RepositoryPorts, WorkTree } from './tree-commit.ts';

interface Result {
  /** The bundle. */
  readonly file: string;
  /** The commit that the runner started from. */
  readonly base: string;
  /** The ref under which it is taken over. */
  readonly ref: string;
}

/** The branch of a result, as our runner names it. */
export const resultBranch = 'refs/heads/ralph-result';

/**
 * Takes over a runner's result, which is trusted no more than an agent: one branch that grew from the base, objects that git checks, no change of a
 * submodule, and no path that git or a file system would take for `.git`. Throws a `FaultError` and leaves the ref alone otherwise.
 */
export const checkResult = async (
  ports: RepositoryPorts,
  { root, gitDir }: WorkTree,
  { file, base, ref }: Result,
): Promise<string> => {
  const { git } = ports;
  const here = { cwd: root, gitDir };
  const heads = await git.run({ ...here, args: ['bundle', 'list-heads', file] });
  if (heads.code !== 0) throw refused(`it is not a bundle: ${firstLine(heads.error)}`);
  const lines = new TextDecoder().decode(heads.out).trim().split('\n');
  const [commit = '', branch = ''] = lines[0]?.split(' ') ?? [];
  if (lines.length !== 1 || (branch !== resultBranch && !branch.startsWith('refs/late/')))
    throw refused(
      `it contains ${lines.length === 1 ? 'a different branch than expected' : `${lines.length} branches, but only one was expected`}`,
    );
  const fetched = await git.run({
    ...here,
    args: [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-recurse-submodules',
      file,
      `+${branch}:${ref}`,
    ],
    config: ['fetch.fsckObjects=true', 'transfer.fsckObjects=true'],
    far: true,
  });
  if (fetched.code !== 0) throw refused(`git rejected it: ${firstLine(fetched.error)}`);
  const wrong = await wrongIn(ports, here, base, commit);
  if (wrong === null) return commit;
  await gitSays(git, { ...here, args: ['update-ref', '-d', ref] });
  throw refused(wrong);
};

const wrongIn = async (
  { git }: RepositoryPorts,
  here: { readonly cwd: string; readonly gitDir: string },
  base: string,
  commit: string,
): Promise<string | null> => {
  const args = ['diff-tree', '-r', '-z', '--no-renames', base, commit];
  const [descends, listed] = await Promise.all([
    gitSays(git, { ...here, args: ['merge-base', '--is-ancestor', base, commit] }),
    gitText(git, 'compare the result', { ...here, args }),
  ]);
  if (!descends) return 'it does not descend from the commit that was sent';
  const parts = listed.split('\0');
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [before = '', after = ''] = (parts[at] ?? '').slice(1).split(' ');
    const path = parts[at + 1] ?? '';
    if (before === gitlink || after === gitlink) return `it changes the submodule ${path}`;
    if (path.split('/').some(looksLikeGit)) return `it writes ${path}, which git would treat as its own`;
  }
  return null;
};

const gitlink = '160000';

/** `.git` as some file system spells it: in other letters, with dots or blanks at its end, in the short form of Windows, with invisible characters. */
const looksLikeGit = (name: string): boolean =>
  /^(?:\.git|git~\d)$/iu.test(
    name.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu, '').replace(/[. ]+$|:.*$/u, ''),
  );

const refused = (why: string): FaultError => {
  const fault: Fault = { code: 'runner-result', what: `the runner's result was refused: ${why}` };
  return new FaultError(fault);
};
