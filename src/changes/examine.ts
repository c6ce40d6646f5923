import { join } from 'node:path';
import { asSentence } from '../base/sentence.ts';
import { ownIdentity } from './context.ts';
import type { Examined, Note, Possible } from './examined.ts';
import type { WorkFiles } from './files/work-files.ts';
import { type Dirty, dirtyFiles } from './git/dirty-files.ts';
import { partsOf } from './git/git-text.ts';
import { type Found, findRepository, type Located } from './git/repository.ts';
import type { Git } from './git.ts';

/** What a workspace allows. */
export const examineWorkspace = async (
  git: Git,
  files: WorkFiles,
  workspace: string,
  plan: string | null,
): Promise<Examined> => {
  const found = await findRepository(git, workspace);
  const worktrees = possible(whyNoWorktrees(found));
  const snapshots = possible(whyNoSnapshots(found));
  if (found.kind !== 'repository')
    return { worktrees, snapshots, notes: notesWithout(found), repository: null };
  const { shallow: _, version: __, config: ___, signs: ____, ...repository } = found.repository;
  const { root, gitDir } = repository;
  const [{ dirty, submodules }, cases, ident] = await Promise.all([
    dirtyFiles(git, files, found.repository, plan),
    found.repository.ignoresCase ? trackedNames(git, found.repository) : [],
    git.run({ args: ['var', 'GIT_COMMITTER_IDENT'], cwd: root, gitDir, workTree: root }),
  ]);
  const known = { dirty, submodules, collisions: collisionsIn(cases), isAnonymous: ident.code !== 0 };
  const notes = notesOf({ files, repository: found.repository, ...known });
  return { worktrees, snapshots, notes, repository: { ...repository, dirty: dirty.slice(0, mostDirty) } };
};

const mostDirty = 1_000;

/** The first git that merges without a work tree (`merge-tree --write-tree`). */
const oldest = [2, 38] as const;

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
};

/** Why tasks cannot have worktrees here, as one sentence, or `null`. */
export const whyNoWorktrees = (found: Found): string | null => {
  const none = whyNoSnapshots(found);
  if (none !== null || found.kind !== 'repository') return none;
  const { head, version, filters } = found.repository;
  if (head === null)
    return 'The repository has no commits yet, so worktrees have nothing to start from: commit first.';
  if (isOld(version)) return `Worktrees need git ${oldest.join('.')} or later; this is git ${version}.`;
  if (filters.length > 0)
    return `.git/config names filter programs, which ralph-tui never runs, so files in worktrees would be wrong: ${filters.slice(0, 3).join(', ')}.`;
  return null;
};

/** Why nothing can be recorded here, as one sentence, or `null`. */
export const whyNoSnapshots = (found: Found): string | null => {
  switch (found.kind) {
    case 'repository':
      return null;
    case 'bare':
      return 'This is a bare repository, without files to work on: use a clone or a worktree of it.';
    case 'none':
      return 'This is not a git repository: run git init for worktrees and undo.';
    case 'failed':
      return asSentence(`The repository cannot be read: ${found.why}`);
  }
};

const possible = (reason: string | null): Possible =>
  reason === null ? { ok: true } : { ok: false, reason };

const notesWithout = (found: Found): readonly Note[] => {
  const sentence = whyNoSnapshots(found) ?? '';
  return [{ kind: found.kind === 'bare' ? 'bare' : 'not-a-repository', sentence }];
};

const trackedNames = async (git: Git, { root, gitDir }: Located): Promise<readonly string[]> =>
  partsOf((await git.run({ args: ['ls-files', '-z'], cwd: root, gitDir, workTree: root })).out);

/** Names that are one file where the file system ignores case, in groups. */
const collisionsIn = (names: readonly string[]): readonly (readonly string[])[] => {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const key = name.normalize('NFC').toLowerCase();
    const group = groups.get(key);
    if (group) group.push(name);
    else groups.set(key, [name]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
};

/** What the notes are about. */
interface Place extends Dirty {
  readonly files: WorkFiles;
  readonly repository: Located;
  readonly collisions: readonly (readonly string[])[];
  /** git knows no name and address for commits. */
  readonly isAnonymous: boolean;
}

const notesOf = (place: Place): readonly Note[] =>
  noteRules.flatMap(([kind, holds, sentence]) =>
    holds(place) ? [{ kind, sentence: typeof sentence === 'string' ? sentence : sentence(place) }] : [],
  );

/** Each note: when it is made, and its sentence. In the order people read them. */
const noteRules: readonly (readonly [
  kind: Note['kind'],
  holds: (place: Place) => boolean,
  sentence: string | ((place: Place) => string),
])[] = [
  [
    'no-commit',
    ({ repository }) => repository.head === null,
    'The repository has no commits yet: tasks share the workspace until there is one.',
  ],
  [
    'no-identity',
    ({ isAnonymous }) => isAnonymous,
    `git knows no name and address of yours, so commits are by ${ownIdentity.email}: set user.name and user.email first to have them under your name.`,
  ],
  [
    'unsigned',
    ({ repository }) => repository.signs,
    'You sign commits (commit.gpgSign), but those of tasks and of the merge at the end are not signed: sign what you push, or let a pull request be squashed by its server.',
  ],
  [
    'old-git',
    ({ repository }) => isOld(repository.version),
    ({ repository }) => `git ${repository.version} is too old for worktrees: tasks share the workspace.`,
  ],
  [
    'busy',
    ({ files, repository }) => busyFiles.some((name) => files.kind(join(repository.gitDir, name)) !== null),
    'You have a merge, rebase or bisect in progress: worktrees start at the commit that is checked out.',
  ],
  [
    'dirty',
    ({ dirty }) => dirty.length > 0,
    ({ dirty: { length } }) =>
      `${length === 1 ? 'One file differs' : `${length} files differ`} from the last commit: worktrees start at that commit, without your changes.`,
  ],
  [
    'detached',
    ({ repository }) => repository.branch === null && repository.head !== null,
    'No branch is checked out: the result stays on its own branch.',
  ],
  [
    'linked-worktree',
    ({ repository }) => repository.gitDir !== repository.commonDir,
    ({ repository }) =>
      `This is a worktree of ${repository.commonDir}: the worktrees of tasks are registered there too.`,
  ],
  [
    'submodules',
    ({ files, repository }) => files.kind(join(repository.root, '.gitmodules')) === 'file',
    'Submodules are empty in worktrees: add git submodule update to worktree.setup if a task needs them.',
  ],
  [
    'dirty-submodules',
    ({ submodules }) => submodules.length > 0,
    ({ submodules }) =>
      `${submodules.slice(0, 3).join(', ')} ${submodules.length === 1 ? 'is a submodule' : 'are submodules'} with changes that no commit here contains, so worktrees would lack them.`,
  ],
  [
    'lfs',
    ({ files, repository: { root, commonDir } }) =>
      [join(root, '.gitattributes'), join(commonDir, 'info/attributes')].some((path) =>
        /filter=lfs/.test(files.read(path) ?? ''),
      ),
    'LFS files in worktrees are pointers unless git-lfs is set up on this machine.',
  ],
  [
    'filters',
    ({ repository }) => repository.filters.length > 0,
    ({ repository }) =>
      `.git/config names programs that git runs on file contents: ${repository.filters.slice(0, 3).join(', ')}. ralph-tui never runs them: tasks share the workspace, and snapshots contain the files as they are on disk.`,
  ],
  [
    'shallow',
    ({ repository }) => repository.shallow,
    'This is a shallow clone: worktrees and merges work, but older history is missing.',
  ],
  [
    'partial',
    ({ repository }) => isSet(repository, /^extensions\.partialclone$|^remote\..*\.promisor$/),
    'This is a partial clone: what git has not fetched yet is missing here too, because ralph-tui fetches nothing.',
  ],
  [
    'sparse',
    ({ repository }) => isSet(repository, /^core\.sparsecheckout$/),
    'This is a sparse checkout: worktrees contain the same files.',
  ],
  [
    'ignores-case',
    ({ repository }) => repository.ignoresCase,
    'This disk ignores the case of file names: the branch names of tasks differ in more than case.',
  ],
  [
    'names-differ-in-case',
    ({ collisions }) => collisions.length > 0,
    ({ collisions }) =>
      `These tracked files are the same file on this disk: ${(collisions[0] ?? []).join(' and ')}. Rename one of them first.`,
  ],
];

/** What is in git's directory while a merge, rebase or bisect is under way. */
const busyFiles = [
  'MERGE_HEAD',
  'rebase-merge',
  'rebase-apply',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
];

const isSet = ({ config }: Located, pattern: RegExp): boolean =>
  config.some(({ key, value }) => pattern.test(key) && value !== 'false' && value !== '');
