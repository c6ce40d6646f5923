import { basename, dirname, join, relative } from 'node:path';
import { agentSettings, agentWorktrees } from '../../agents/loaded-files.ts';
import type { Disk, FileStat } from '../../base/disk.ts';
import { readBytes } from '../../base/replace-file.ts';
import { commonDirectory, repositoryOf } from './repository-of.ts';

/** One control file with its bytes. `stamp`: while the file has it, its bytes are the same. `opaque`: a link, or too large; its change can be reported but not undone. */
export type ControlFile =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mode: number; readonly stamp?: string }
  | { readonly kind: 'opaque'; readonly mark: string };

/** Control files by absolute path. */
export type ControlFiles = ReadonlyMap<string, ControlFile>;

export interface ControlChange {
  readonly path: string;
  readonly before: ControlFile | null;
  readonly after: ControlFile | null;
}

/** The files of a tracker, relative to the workspace: where to look, and which they are. */
export interface Issues {
  readonly places: readonly string[];
  readonly isOne: (path: string) => boolean;
}

const noIssues: Issues = { places: [], isOne: () => false };

/** Limits for the bytes of one file and for the number of files. Larger files are opaque, further files are left out. */
const largest = 1_048_576;
const mostFiles = 2_000;

/**
 * Reads every file of a workspace by which an agent could grant itself more rights: our configuration, git's configuration and hooks, and the settings
 * of agents (src/discovery/README.md, "Guidance at work"). Instructions such as AGENTS.md are work. An unreadable file is opaque. `known`: an earlier picture,
 * whose files are not read again while they are unchanged.
 * `issues`: those of the tracker that a session works for.
 */
export const readControlFiles = (
  disk: Disk,
  workspace: string,
  known?: ControlFiles,
  issues: Issues = noIssues,
): ControlFiles => {
  const own = join(workspace, '.ralph');
  const git = gitDirectory(disk, workspace);
  return collected(disk, workspace, known, (collect) => {
    collect(own, (path) => isOwnControl(relative(own, path)));
    // Before the settings of agents, which may be more files than the limit.
    if (git !== null) for (const name of ofGit) collect(join(git, name));
    for (const name of agentSettings) collect(join(workspace, name));
    for (const place of issues.places)
      collect(join(workspace, place), (path) => issues.isOne(relative(workspace, path)));
  });
};

/** The settings of agents in one directory alone. */
export const readAgentSettings = (disk: Disk, directory: string, known?: ControlFiles): ControlFiles =>
  collected(disk, directory, known, (collect) => {
    for (const name of agentSettings) collect(join(directory, name));
  });

/** Every file of these directories. */
export const readFilesBelow = (disk: Disk, root: string, directories: readonly string[]): ControlFiles =>
  collected(disk, root, undefined, (collect) => {
    for (const directory of directories) collect(directory);
  });

/** Adds a file, or the files below a directory that `counts`. */
type Collect = (path: string, counts?: (path: string) => boolean) => void;

const collected = (
  disk: Disk,
  directory: string,
  known: ControlFiles | undefined,
  from: (collect: Collect) => void,
): ControlFiles => {
  const found = new Map<string, ControlFile>();
  const worktrees = join(directory, agentWorktrees);
  const collect: Collect = (path, counts = () => true) => {
    const stat = disk.lstat(path);
    if (stat === null || path === worktrees || found.size >= mostFiles) return;
    if (stat.kind === 'directory')
      for (const name of disk.readdir(path).sort()) collect(join(path, name), counts);
    else if (counts(path)) found.set(path, readUnlessKnown(disk, path, stat, known?.get(path)));
  };
  from(collect);
  return found;
};

/** What makes git run something. */
const ofGit = ['config', 'config.worktree', 'hooks', 'info/attributes'];

/** The repository's common directory, if it has a HEAD. */
export const gitWithHead = (disk: Disk, workspace: string): string | null => {
  const git = gitDirectory(disk, workspace);
  return git !== null && disk.lstat(join(git, 'HEAD')) !== null ? git : null;
};

/** The differences, sorted by path. */
export const controlChanges = (before: ControlFiles, after: ControlFiles): readonly ControlChange[] =>
  [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((path): readonly ControlChange[] => {
    const [old = null, now = null] = [before.get(path), after.get(path)];
    return isSame(old, now) ? [] : [{ path, before: old, after: now }];
  });

/** True for configuration and prompts in `.ralph/`. Scans and issues are written while a session runs. */
const isOwnControl = (path: string): boolean =>
  /^(?:prompts|agents|skills)\//u.test(path) || /^[^/]+\.ya?ml$/u.test(path) || path === 'acknowledged.jsonl';

const readUnlessKnown = (
  disk: Disk,
  path: string,
  stat: FileStat,
  known: ControlFile | undefined,
): ControlFile => {
  const stamp = [stat.ino, stat.size, stat.mode, stat.mtimeMs, stat.ctimeMs].join(' ');
  if (known?.kind === 'file' && known.stamp === stamp) return known;
  const read = readControl(disk, path, stat.mode, `${stat.kind} ${stat.ino}`);
  return read.kind === 'file' ? { ...read, stamp } : read;
};

/** One file with its bytes, as it can be brought back. */
export const readControl = (disk: Disk, path: string, mode: number, mark: string): ControlFile => {
  try {
    const bytes = readBytes(disk, path, largest);
    return bytes === null ? { kind: 'opaque', mark: 'gone' } : { kind: 'file', bytes, mode };
  } catch {
    // A link, a device or a large file is identified by its inode.
    return { kind: 'opaque', mark };
  }
};

/** The directory of the repository that holds the workspace, which may be a folder in it. `null` without a repository. */
const gitDirectory = (disk: Disk, workspace: string): string | null => {
  const found = repositoryOf(disk, workspace);
  return found === null ? null : commonDirectory(disk, found.git);
};

const isSame = (a: ControlFile | null, b: ControlFile | null): boolean => {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (a.kind === 'opaque' || b.kind === 'opaque')
    return a.kind === 'opaque' && b.kind === 'opaque' && a.mark === b.mark;
  return (
    a.mode === b.mode &&
    a.bytes.length === b.bytes.length &&
    a.bytes.every((byte, index) => byte === b.bytes[index])
  );
};

/** Parents of the file, below the workspace or git directory, that are no longer directories. Outermost first. */
export const brokenParents = (disk: Disk, path: string): readonly string[] => {
  const broken: string[] = [];
  for (let at = dirname(path); basename(at) !== ''; at = dirname(at)) {
    const stat = disk.lstat(at);
    if (stat?.kind === 'directory') break;
    if (stat !== null) broken.unshift(at);
  }
  return broken;
};
