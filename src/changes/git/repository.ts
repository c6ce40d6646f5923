import { resolve } from 'node:path';
import type { Fault } from '../../base/fault.ts';
import { list } from '../../base/sentence.ts';
import type { Repository } from '../examined.ts';
import type { Git, GitAnswer } from '../git.ts';
import { knownPrograms } from './config-text.ts';
import { linesOf, partsOf, textOf } from './git-text.ts';

/** What git knows of a workspace: a repository with a work tree, or why there is none. */
export type Found =
  | { readonly kind: 'repository'; readonly repository: Located }
  | { readonly kind: 'bare' }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly why: string };

/** Where a repository is, and what two processes tell of it. */
export type Located = Omit<Repository, 'dirty'> & {
  readonly shallow: boolean;
  readonly version: string;
  /** Keys and values of `.git/config`, lower-case keys as git prints them. */
  readonly config: readonly ConfigEntry[];
  /** The person signs commits (`commit.gpgSign`), wherever they said so. */
  readonly signs: boolean;
};

export interface ConfigEntry {
  readonly scope: string;
  /** The file that says it; `null` for the command line. */
  readonly file: string | null;
  readonly key: string;
  readonly value: string;
}

/** Finds the repository that holds a workspace. */
export const findRepository = async (git: Git, workspace: string): Promise<Found> => {
  const asked = ['--is-inside-work-tree', '--is-bare-repository', '--is-shallow-repository'];
  const paths = [
    '--path-format=absolute',
    '--git-dir',
    '--git-common-dir',
    '--show-prefix',
    '--show-toplevel',
  ];
  // The head comes last: before the first commit git prints all else and then fails.
  const head = ['HEAD^{commit}', '--symbolic-full-name', 'HEAD'];
  const args = ['rev-parse', ...asked, ...paths, ...head];
  const answer = await git.run({ args, cwd: workspace, asIs: true });
  const lines = textOf(answer.out).split('\n');
  const [inside, bare, shallow, gitDir, commonDir, prefix, root, commit, ref] = lines;
  if (bare === 'true' || (answer.code !== 0 && inside === 'false' && gitDir)) return { kind: 'bare' };
  const isUnborn = answer.code !== 0 && commit === 'HEAD^{commit}';
  if (answer.code !== 0 && !isUnborn) return whyNone(answer);
  if (inside !== 'true' || !gitDir || !commonDir || prefix === undefined || !root) return { kind: 'none' };
  const [all, version, unborn] = await Promise.all([
    readAllConfig(git, gitDir),
    git.run({ args: ['version'], cwd: workspace }),
    isUnborn ? git.run({ args: ['symbolic-ref', '--quiet', 'HEAD'], cwd: workspace, gitDir }) : null,
  ]);
  const config = all.filter(isOfRepository);
  const branch = unborn === null ? ref : textOf(unborn.out).trim();
  return {
    kind: 'repository',
    repository: {
      root,
      prefix,
      gitDir,
      commonDir,
      head: isUnborn ? null : (commit ?? null),
      branch: branch?.startsWith('refs/heads/') ? branch.slice('refs/heads/'.length) : null,
      ignoresCase: config.some(({ key, value }) => key === 'core.ignorecase' && value === 'true'),
      filters: programsOf(config),
      shallow: shallow === 'true',
      version: linesOf(version.out)[0]?.replace(/^git version /, '') ?? '',
      config,
      signs: isSigning(all),
    },
  };
};

/** Our own calls switch signing off, as the last word. */
const isSigning = (config: readonly ConfigEntry[]): boolean => {
  const said = config.filter(({ key, scope }) => key === 'commit.gpgsign' && scope !== 'command');
  return /^(?:true|yes|on|[1-9]\d*)$/i.test(said.at(-1)?.value ?? '');
};

/** Configuration that belongs to the repository or one of its work trees. */
export const isOfRepository = ({ scope }: ConfigEntry): boolean => scope === 'local' || scope === 'worktree';

/** The configuration as git finds it here, the person's own too, includes followed. */
export const readAllConfig = async (git: Git, gitDir: string): Promise<readonly ConfigEntry[]> => {
  const answer = await git.run({
    args: ['config', '--list', '--includes', '--show-scope', '--show-origin', '-z'],
    cwd: gitDir,
    gitDir,
    asIs: true,
  });
  const parts = partsOf(answer.out);
  return parts.flatMap((scope, index) => {
    const [origin = '', entry] = parts.slice(index + 1, index + 3);
    if (index % 3 !== 0 || entry === undefined) return [];
    const at = entry.indexOf('\n');
    const file = origin.startsWith('file:') ? resolve(gitDir, origin.slice('file:'.length)) : null;
    return [
      at < 0
        ? { scope, file, key: entry, value: 'true' }
        : { scope, file, key: entry.slice(0, at), value: entry.slice(at + 1) },
    ];
  });
};

const programKey = /^(?:filter\..*\.(?:clean|smudge|process)|merge\..*\.driver)$/;

/** Entries of a configuration that name a program git would run on file contents, but for the known ones. */
const programsOf = (config: readonly ConfigEntry[]): readonly string[] => [
  ...new Set(
    config
      .filter(({ key, value }) => programKey.test(key) && value !== '')
      .map(({ key, value }) => `${key}=${value}`)
      .filter((entry) => !knownPrograms.has(entry)),
  ),
];

const whyNone = ({ code, error }: GitAnswer): Found => {
  if (code === null) return { kind: 'failed', why: error };
  const said = error.split('\n')[0]?.replace(/^fatal: /, '') ?? '';
  if (said.startsWith('not a git repository')) return { kind: 'none' };
  if (said.includes('dubious ownership'))
    return { kind: 'failed', why: 'the repository belongs to another user; see git config safe.directory' };
  return { kind: 'failed', why: `git says: ${said}` };
};

/** The fault of a git call that should have worked. */
export const gitFault = (doing: string, { error, failure }: GitAnswer): Fault => {
  if (failure === 'answer-too-long' || failure === 'took-too-long')
    return { code: failure, what: `git could not ${doing}: ${error}` };
  const lines = error.split('\n').filter((line) => line.trim() !== '');
  // A program that did not start is reported before the end of the pipe to it.
  if (lines.some((line) => /\bgit-lfs\b.*\bnot found\b|'lfs' is not a git command/.test(line)))
    return {
      code: 'no-lfs',
      what: `git could not ${doing}: git-lfs is not installed, and this repository keeps files in LFS`,
      hint: 'install git-lfs',
    };
  const at = Math.max(
    lines.findIndex((line) => /^(fatal|error): /.test(line)),
    0,
  );
  const said = (lines[at] ?? 'it gave no reason').replace(/^(fatal|error): /, '');
  return {
    code: 'git-failed',
    what: `git could not ${doing}: ${said}${namedBelow(said, lines.slice(at + 1))}`,
  };
};

/** The names that git lists below a line that ends in a colon. */
const namedBelow = (said: string, lines: readonly string[]): string => {
  if (!said.endsWith(':')) return '';
  const end = lines.findIndex((line) => !line.startsWith('\t'));
  return ` ${list(
    (end < 0 ? lines : lines.slice(0, end)).map((line) => line.trim()),
    3,
  )}`;
};
