import type { ChangedFile, Changes, ChangesRef } from '../../../components/ports/viewer-port.ts';
import { asSentence } from '../../base/sentence.ts';
import { createGit } from '../../changes/git/git.io.ts';
import { textOf } from '../../changes/git/git-text.ts';
import { openedRef } from '../../changes/git/ref-names.ts';
import type { GitAnswer, Git as Runner } from '../../changes/git.ts';
import { fixedPart, isDeclared, isPattern, plainPath } from '../../tasks/task-files.ts';

/** git processes at a time. */
const together = 20;
/** Bytes of one answer of git. A longer answer is reported as too large. */
export const mostBytes = 64 * 1024 * 1024;

/**
 * Reads git's changes in these files, new files included. Shows at most `mostNew` new files and sets `cut`
 * beyond that. File names are never patterns. Hooks, external diff programs and filters are not run: the
 * repository may be foreign. Sets `missing` when git fails, so that a failure never looks like no changes.
 */
export const readChanges = async (
  workspace: string,
  wanted: ChangesRef,
  {
    mostNew = Number.POSITIVE_INFINITY,
    exact = false,
  }: { readonly mostNew?: number; readonly exact?: boolean } = {},
): Promise<Changes> => {
  const { seen, commit } = wanted;
  if (wanted.files.length === 0 && commit === null) return { files: [], diff: '', cut: false, missing: null };
  const runner = createGit(process.env, mostBytes);
  const git: Git = (...args) => runGit(runner, workspace, args);
  const base = await baseOf(git);
  if (base.text === null) return without(seen, base);
  const what =
    commit === null
      ? ['diff', base.text.trim()]
      : ['show', '--format=', '--diff-merges=first-parent', commit];
  const files = await pathsOf(git, what, wanted);
  if (files.length === 0 && (commit === null || wanted.files.length > 0))
    return { files: named(commit === null ? seen : []), diff: '', cut: false, missing: null };
  const whole = exact ? ['--binary', '--full-index'] : [];
  const others = ['ls-files', '--others', '--exclude-standard', '-z', '--', ...files];
  const [counts, diff, untracked] = await Promise.all([
    git(...what, ...safely, '--numstat', '-z', '--', ...files),
    git(...what, ...safely, ...whole, '--', ...files),
    commit === null ? git(...others) : nothing,
  ]);
  const fresh = (untracked.text ?? '').split('\0').filter((file) => file !== '');
  const added = await eachOf(fresh.slice(0, mostNew), (file) =>
    git('diff', ...safely, ...whole, '--no-index', '--', '/dev/null', file),
  );
  const failed = [counts, diff, untracked, ...added].find(({ text }) => text === null);
  if (failed) return without(seen, failed);
  const known = [
    ...numbersOf(counts.text ?? ''),
    ...fresh.map((path, index) => newFile(path, added[index]?.text ?? undefined)),
  ];
  const rest = seen.filter((file) => !known.some(({ path }) => path === file));
  return {
    files: [...known, ...named(commit === null ? rest : [])],
    diff: [diff, ...added].map(({ text }) => text ?? '').join(''),
    cut: fresh.length > mostNew,
    missing: null,
  };
};

/**
 * The session and the streams of its flow, as far as they recorded changes. A stream has a branch of its own. One git process, so that asking costs next
 * to nothing.
 */
export const recordedSessions = async (workspace: string, session: string): Promise<readonly string[]> => {
  const { text } = await runGit(createGit(process.env, mostBytes), workspace, [
    'for-each-ref',
    '--format=%(refname)',
    ...[session, `${session}+*`].map(openedRef),
  ]);
  return (text ?? '').split('\n').flatMap((ref) => ref.split('/')[2] ?? []);
};

/** One form of diff, whatever the person's configuration says. No program of the repository runs. */
const safely = [
  '--no-ext-diff',
  '--no-textconv',
  '--find-renames',
  '--relative',
  '--no-color',
  '-U3',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
  // git would look into each submodule, by a call of its own that reads the configuration there.
  '--ignore-submodules=dirty',
];

/** The paths to ask git about: patterns become the changed and new files that they match. */
const pathsOf = async (
  git: Git,
  what: readonly string[],
  { files, commit }: ChangesRef,
): Promise<readonly string[]> => {
  const patterns = files.filter(isPattern);
  if (patterns.length === 0) return files;
  const roots = patterns.map((file) => fixedPart(file) || '.');
  const answers = await Promise.all([
    git(...what, ...safely, '--name-only', '-z', '--', ...roots),
    commit === null ? git('ls-files', '--others', '--exclude-standard', '-z', '--', ...roots) : nothing,
  ]);
  const found = answers.flatMap(({ text }) => (text ?? '').split('\0'));
  const names = new Set(found.filter((path) => path !== ''));
  // A file may have the name of a pattern.
  const own = files.filter((file) => !isPattern(file) || names.has(plainPath(file)));
  const meant = { files: patterns.filter((file) => !own.includes(file)) };
  return [...new Set([...own, ...[...names].filter((path) => isDeclared(meant, path))])];
};

type Git = (...args: readonly string[]) => Promise<Answer>;

interface Answer {
  /** Output of git; `null` when it failed. */
  readonly text: string | null;
  /** Why it failed, as a clause; empty on success. */
  readonly reason: string;
}

/** What the files are compared with: the last commit, or the empty tree in a repository without one. */
const baseOf = async (git: Git): Promise<Answer> => {
  const head = await git('rev-parse', '--verify', '--quiet', 'HEAD');
  if (head.text !== null || head.reason !== noCommit) return head;
  return await git('hash-object', '-t', 'tree', '/dev/null');
};

const nothing: Answer = { text: '', reason: '' };

const without = (seen: readonly string[], { reason }: Answer): Changes => ({
  files: named(seen),
  diff: '',
  cut: false,
  missing: sentenceOf(reason),
});

/** In order, a few at a time: there may be thousands of files. */
const eachOf = async (
  files: readonly string[],
  ask: (file: string) => Promise<Answer>,
): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  for (let from = 0; from < files.length; from += together)
    answers.push(...(await Promise.all(files.slice(from, from + together).map(ask))));
  return answers;
};

const runGit = async (git: Runner, cwd: string, args: readonly string[]): Promise<Answer> => {
  const answer = await git.run({ args, cwd });
  // With --no-index, exit code 1 means a difference.
  const isFine = answer.code === 0 || (answer.code === 1 && args.includes('--no-index'));
  return isFine ? { text: textOf(answer.out), reason: '' } : { text: null, reason: reasonOf(answer) };
};

const sentenceOf = (reason: string): string => asSentence(`No differences: ${reason}`);

const noCommit = 'the repository has no commits yet';
const noRepository = 'this is not a git repository';
/** The message when git knows nothing of the workspace. */
export const notInGit = sentenceOf(noRepository);

const tooManyFiles = 'there are too many files for one git command; ask for one task';

/** Why there is no diff when git's answer is longer than `mostBytes`. */
export const tooLong = `there are more than ${mostBytes / 1024 / 1024} MB of them; \`git diff\` shows them`;

const reasonOf = ({ failure, error }: GitAnswer): string => {
  switch (failure) {
    case 'not-installed':
      return 'git is not installed';
    case 'arguments-too-long':
      return tooManyFiles;
    case 'answer-too-long':
      return tooLong;
    case 'took-too-long':
    case 'other':
      return error;
    case null: {
      const said = error.split('\n')[0]?.replace(/^(fatal|error): /, '') ?? '';
      if (said.startsWith('not a git repository')) return noRepository;
      return said === '' ? noCommit : `git says: ${said}`;
    }
  }
};

/** `12\t1\tpath`, or for a renamed file `12\t1\t`, its old path and its new one, each ended by a NUL. */
const numbersOf = (numstat: string): readonly ChangedFile[] => {
  const parts = numstat.split('\0');
  const files: ChangedFile[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const match = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(parts[at] ?? '');
    if (match === null) continue;
    if (match[3] === '') at += 2;
    const path = match[3] === '' ? parts[at] : match[3];
    if (path !== undefined) files.push({ path, added: number(match[1]), removed: number(match[2]) });
  }
  return files;
};

const number = (text: string | undefined): number | null =>
  text === undefined || text === '-' ? null : Number(text);

const newFile = (path: string, diff: string | undefined): ChangedFile => ({
  path,
  added: diff === undefined ? null : diff.split('\n').filter((line) => /^\+(?!\+\+ )/.test(line)).length,
  removed: 0,
});

/** Files without counted lines. */
export const named = (files: readonly string[]): readonly ChangedFile[] =>
  files.map((path) => ({ path, added: null, removed: null }));
