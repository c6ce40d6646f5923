import { execFile } from 'node:child_process';
import type { ChangedFile, Changes, ChangesRef } from '../store/viewer-port.ts';

/** New files that are shown whole. */
const mostNew = 20;

/**
 * What git sees changed in these files, new ones included. Names are names: nothing in them is a pattern. Hooks, external diff programs and filters
 * of the repository are not run: it may be a stranger's.
 */
export const readChanges = async (workspace: string, wanted: ChangesRef): Promise<Changes> => {
  const { files, seen, commit } = wanted;
  if (files.length === 0 && commit === null) return { files: [], diff: '', missing: null };
  const git = (...args: readonly string[]): Promise<Answer> => runGit(workspace, args);
  const inside = await git('rev-parse', '--verify', '--quiet', 'HEAD');
  if (inside.text === null) return { files: named(seen), diff: '', missing: missingWords(inside) };
  const what = commit === null ? ['diff', 'HEAD'] : ['show', '--format=', commit];
  const safely = ['--no-ext-diff', '--no-textconv', '--no-renames', '--relative'];
  const counts = await git(...what, ...safely, '--numstat', '-z', '--', ...files);
  const diff = await git(...what, ...safely, '--', ...files);
  const fresh = commit === null ? await untracked(git, files) : [];
  const added = await Promise.all(
    fresh.slice(0, mostNew).map((file) => git('diff', ...safely, '--no-index', '--', '/dev/null', file)),
  );
  const addedText = added.map(({ text }) => text ?? '');
  const known = [
    ...numbersOf(counts.text ?? ''),
    ...fresh.map((path, index) => newFile(path, addedText[index])),
  ];
  const rest = seen.filter((file) => !known.some(({ path }) => path === file));
  return {
    files: [...known, ...named(commit === null ? rest : [])],
    diff: `${diff.text ?? ''}${addedText.join('')}`,
    missing: null,
  };
};

interface Answer {
  /** What git printed, `null` when it failed. */
  readonly text: string | null;
  readonly installed: boolean;
}

const runGit = (cwd: string, args: readonly string[]): Promise<Answer> =>
  new Promise((resolve) => {
    const options = { cwd, maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' } as const;
    const quietly = ['--literal-pathspecs', '--no-pager', '-c', 'core.hooksPath=/dev/null'];
    const all = [...quietly, '-c', 'core.quotePath=false', ...args];
    execFile('git', all, options, (error, stdout) => {
      // With --no-index 1 says that there is a difference.
      const fine = error === null || (error.code === 1 && args.includes('--no-index'));
      resolve({ text: fine ? stdout : null, installed: error?.code !== 'ENOENT' });
    });
  });

const missingWords = (answer: Answer): string =>
  answer.installed ? 'No differences: there is no git commit yet.' : 'No differences: git is not installed.';

const untracked = async (
  git: (...args: readonly string[]) => Promise<Answer>,
  files: readonly string[],
): Promise<readonly string[]> => {
  const answer = await git('ls-files', '--others', '--exclude-standard', '-z', '--', ...files);
  return (answer.text ?? '').split('\0').filter((file) => file !== '');
};

const numbersOf = (numstat: string): readonly ChangedFile[] =>
  numstat
    .split('\0')
    .map((entry) => /^(\d+|-)\t(\d+|-)\t([\s\S]+)$/.exec(entry))
    .flatMap((match) =>
      match?.[3] === undefined
        ? []
        : [{ path: match[3], added: number(match[1]), removed: number(match[2]) }],
    );

const number = (text: string | undefined): number | null =>
  text === undefined || text === '-' ? null : Number(text);

const newFile = (path: string, diff: string | undefined): ChangedFile => ({
  path,
  added: diff === undefined ? null : diff.split('\n').filter((line) => /^\+(?!\+\+ )/.test(line)).length,
  removed: 0,
});

const named = (files: readonly string[]): readonly ChangedFile[] =>
  files.map((path) => ({ path, added: null, removed: null }));
