import { plainName } from '../base/git-name.ts';
import { createRedact } from '../base/redact.ts';
import { readAttempts } from './attempts.ts';
import type { FileChange, FoundSecret, Range } from './changed-file.ts';
import { asResult, type Context, runGit, tryGit } from './context.ts';
import { climb, repositoryPath, workspacePath } from './files/workspace-path.ts';
import { sessionsDirectory } from './git/changed-paths.ts';
import { asThemselves, compare } from './git/compare.ts';
import { filesOfDiff } from './git/diff-tree.ts';
import { partsOf, textOf } from './git/git-text.ts';
import { readRanges } from './ranges.ts';
import type { ChangesReader } from './reader.ts';

/** Reads what a session changed. */
export const createReader = (context: Context): ChangesReader => ({
  isolation: context.opening.isolation,
  ignored: (paths) => asResult(() => readIgnored(context, paths)),
  attempts: () => asResult(() => readAttempts(context)),
  ranges: (scope) => asResult(() => readRanges(context, scope)),
  changedFiles: (range) => asResult(() => readFiles(context, range)),
  patch: (range, options = {}) => asResult(() => readPatch(context, range, options)),
  findSecrets: (range) => asResult(() => readSecrets(context, range)),
  readBlob: (blob) => asResult(() => runGit(context, 'read a file', ['cat-file', 'blob', blob])),
});

/** Exit code 1 of `check-ignore` means: none of them. */
const readIgnored = async (context: Context, paths: readonly string[]): Promise<readonly string[]> => {
  if (paths.length === 0) return [];
  const { prefix } = context.repository;
  // The command refuses literal paths, so a name that would be magic is left out.
  const plain = paths.map((path) => repositoryPath(prefix, path)).filter((path) => !path.startsWith(':'));
  const input = plain.map((path) => `${path}\0`).join('');
  const answer = await tryGit(context, ['check-ignore', '-z', '--stdin'], { input, magicPaths: true });
  return partsOf(answer.out).map((path) => workspacePath(prefix, path));
};

const readFiles = async (context: Context, { from, to }: Range): Promise<readonly FileChange[]> => {
  const { prefix } = context.repository;
  return filesOfDiff(await compare(context, 'files', from, to))
    .filter(({ path }) => !path.startsWith(`${prefix}${sessionsDirectory}/`))
    .map((file) => ({
      ...file,
      path: workspacePath(prefix, file.path),
      from: file.from === null ? null : workspacePath(prefix, file.from),
    }));
};

/** Paths in it are those of `changedFiles`: files inside the workspace first, then the others. */
const readPatch = async (
  context: Context,
  range: Range,
  { files = [], exact = false }: { readonly files?: readonly string[]; readonly exact?: boolean },
): Promise<Uint8Array> => {
  const { prefix } = context.repository;
  const paths = files.map((path) => repositoryPath(prefix, path));
  const inside = paths.filter((path) => path.startsWith(prefix));
  const outside = paths.filter((path) => !path.startsWith(prefix));
  const isAll = files.length === 0;
  const nothing = new Uint8Array();
  const whole = exact ? ['--binary', '--full-index'] : [];
  const diff = ['diff-tree', '-r', '-p', '-U3', '--no-commit-id', ...whole, ...asThemselves];
  const { from, to } = range;
  const relative = prefix === '' ? [] : [`--relative=${prefix}`];
  const named = ['--src-prefix=a/', '--dst-prefix=b/', ...relative, from, to, '--', ...inside];
  const first = isAll || inside.length > 0 ? await runGit(context, 'compare', [...diff, ...named]) : nothing;
  if (prefix === '' || (!isAll && outside.length === 0)) return first;
  const up = climb(prefix);
  const others = isAll
    ? [':/', `:(top,exclude,literal)${prefix}`]
    : outside.map((path) => `:(top,literal)${path}`);
  const climbed = [`--src-prefix=a/${up}`, `--dst-prefix=b/${up}`, from, to, '--', ...others];
  const rest = await runGit(context, 'compare', [...diff, ...climbed], { magicPaths: true });
  const both = new Uint8Array(first.length + rest.length);
  both.set(first);
  both.set(rest, first.length);
  return both;
};

/** Goes through the added lines of the diff. */
const readSecrets = async (context: Context, range: Range): Promise<readonly FoundSecret[]> => {
  const redact = createRedact(context.opening.secrets);
  const args = [
    'diff-tree',
    '-r',
    '-p',
    '-U0',
    '--no-renames',
    ...asThemselves.slice(0, 2),
    '--no-prefix',
    range.from,
    range.to,
  ];
  const text = textOf(await runGit(context, 'compare', args));
  const found: FoundSecret[] = [];
  let path = '';
  let line = 0;
  for (const row of text.split('\n')) {
    const hunk = /^@@ -\S+ \+(\d+)/.exec(row);
    if (row.startsWith('+++ ') && line === 0) path = plainName(row.slice(4));
    else if (row.startsWith('diff --git ')) line = 0;
    else if (hunk) line = Number(hunk[1]);
    else if (row.startsWith('+') && line > 0) {
      const added = row.slice(1);
      if (redact(added) !== added) found.push({ path: workspacePath(context.repository.prefix, path), line });
      line += 1;
    }
  }
  return found;
};
