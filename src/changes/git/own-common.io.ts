import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { encodePath } from '../../base/file-names.io.ts';
import { sha256 } from '../../base/hash.io.ts';
import type { GitCall } from '../git.ts';
import { formatConfig, parseConfig, plainSettings } from './config-text.ts';

/**
 * A common directory of ours for a repository (`GIT_COMMON_DIR`): its objects, refs and logs are the repository's own, by links, but the configuration is
 * a file of ours, with the settings that run nothing, and there are no hooks, grafts or includes. So a call of git sees no program that somebody wrote
 * into the repository, also when that happens while the call starts.
 */
export type OwnCommon = (call: Pick<GitCall, 'args' | 'cwd' | 'gitDir'>) => string | null;

/** `env`: says where this program's state is. Gives `null` where no repository is. Throws an `Error` of the file system. */
export const createOwnCommon = (env: Readonly<Record<string, string | undefined>>): OwnCommon => {
  const place = join(
    env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local/state'),
    'ralph-tui/git',
  );
  const known = new Map<string, { readonly stamp: string; readonly directory: string }>();
  return ({ args, cwd, gitDir }) => {
    const own = gitDir === undefined ? gitDirAbove(cwd) : behindFile(gitDir);
    if (own === null) return null;
    const repository = { gitDir: own, commonDir: commonDirOf(own) };
    // git makes it with the first worktree, and would make it beside the link.
    if (args[0] === 'worktree' && args[1] === 'add')
      mkdirSync(encodePath(join(repository.commonDir, 'worktrees')), { recursive: true });
    const before = known.get(own);
    const stamp = stampOf(repository);
    if (before?.stamp === `${stamp} ${fileStamp(join(before?.directory ?? '', 'config'))}`)
      return before.directory;
    const directory = build(place, repository);
    known.set(own, { stamp: `${stamp} ${fileStamp(join(directory, 'config'))}`, directory });
    return directory;
  };
};

/** The directory of ours cannot be written: then git does not run. */
export class NoOwnDirectory extends Error {
  constructor(place: string, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    super(
      `git needs a directory of this program in ${place}, which cannot be written${code}; set XDG_STATE_HOME to a folder that you can write to`,
      { cause },
    );
    this.name = 'NoOwnDirectory';
  }
}

const makeBeside = (place: string, directory: string): string => {
  try {
    mkdirSync(encodePath(place), { recursive: true, mode: 0o700 });
    return mkdtempSync(`${directory}.`);
  } catch (error) {
    throw new NoOwnDirectory(place, error);
  }
};

interface Place {
  readonly gitDir: string;
  readonly commonDir: string;
}

/** What git may find or make there. The others are ours or nobody's: `config`, `hooks`, `info/grafts`. */
const linked = [
  'HEAD',
  'objects',
  'refs',
  'packed-refs',
  'reftable',
  'logs',
  'shallow',
  'worktrees',
  'modules',
  'lfs',
] as const;

/** Files that git may write although they do not exist yet. */
const always: ReadonlySet<string> = new Set(['packed-refs', 'shallow']);
const linkedInfo = ['exclude', 'attributes'] as const;

/** So that no configuration is empty, which a directory that is not there seems to have. */
const head = '# The settings of a repository that run nothing.\n';

const build = (place: string, { gitDir, commonDir }: Place): string => {
  const shared = parseConfig(textOf(join(commonDir, 'config')));
  const hasOwn = shared.some(
    ({ key, value }) => key === 'extensions.worktreeconfig' && !/^(?:false|no|off|0|)$/i.test(value),
  );
  const ofTree = hasOwn ? parseConfig(textOf(join(gitDir, 'config.worktree'))) : [];
  const config = `${head}${formatConfig(plainSettings([...shared, ...ofTree]))}`;
  const names = linked.filter((name) => always.has(name) || isThere(join(commonDir, name)));
  const directory = join(place, sha256([commonDir, config, ...names].join('\0')).slice(0, 32));
  const isWhole = (): boolean => textOf(join(directory, 'config')) === config;
  if (isWhole()) return directory;
  rmSync(encodePath(directory), { recursive: true, force: true });
  const made = makeBeside(place, directory);
  mkdirSync(encodePath(join(made, 'info')), { mode: 0o700 });
  for (const name of names) symlinkSync(encodePath(join(commonDir, name)), encodePath(join(made, name)));
  for (const name of linkedInfo)
    symlinkSync(encodePath(join(commonDir, 'info', name)), encodePath(join(made, 'info', name)));
  writeFileSync(encodePath(join(made, 'config')), config, { mode: 0o600 });
  try {
    renameSync(encodePath(made), encodePath(directory));
  } catch (error) {
    rmSync(encodePath(made), { recursive: true, force: true });
    // Another process was first.
    if (!isWhole()) throw error;
  }
  return directory;
};

const stampOf = ({ gitDir, commonDir }: Place): string =>
  [
    fileStamp(join(commonDir, 'config')),
    fileStamp(join(gitDir, 'config.worktree')),
    ...linked.map((name) => isThere(join(commonDir, name))),
  ].join(' ');

const fileStamp = (path: string): string => {
  const stat = statSync(encodePath(path), { throwIfNoEntry: false });
  return stat ? [stat.ino, stat.size, stat.ctimeMs, stat.mtimeMs].join(':') : '';
};

const isThere = (path: string): boolean =>
  lstatSync(encodePath(path), { throwIfNoEntry: false }) !== undefined;

const mostText = 4 * 1024 * 1024;

/** The text of a plain file; '' when there is none. */
const textOf = (path: string): string => {
  let file: number;
  try {
    file = openSync(encodePath(path), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return '';
    throw error;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > mostText) throw new Error(`${path} is not a file that git can read`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
};

/** The git directory that a file `.git` names, or the directory itself. */
const behindFile = (path: string): string | null => {
  const stat = statSync(encodePath(path), { throwIfNoEntry: false });
  if (stat?.isDirectory()) return path;
  if (!stat?.isFile()) return null;
  const named = /^gitdir: (.+)$/s.exec(textOf(path).trim())?.[1];
  return named === undefined ? null : resolve(dirname(path), named);
};

const commonDirOf = (gitDir: string): string => {
  const named = textOf(join(gitDir, 'commondir')).trim();
  return named === '' ? gitDir : resolve(gitDir, named);
};

/** The git directory that git would find from here. */
const gitDirAbove = (cwd: string): string | null => {
  let directory: string;
  try {
    directory = realpathSync(encodePath(cwd)).toString();
  } catch {
    return null;
  }
  for (;;) {
    const found = behindFile(join(directory, '.git'));
    if (found !== null) return found;
    if (isThere(join(directory, 'objects')) && isThere(join(directory, 'HEAD'))) return directory;
    const above = dirname(directory);
    if (above === directory) return null;
    directory = above;
  }
};
