import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { namesIn } from '../../base/names-in.ts';
import { readText } from '../../base/replace-file.ts';

/** HEAD and the refs of a repository that a person uses, as its files say them. */
export interface GitRefs {
  /** `ref: refs/heads/main`, or a commit. */
  readonly head: string;
  /** Commits by full name. Ours (`ralph/*`, `ralph-attempt/*`) are left out. */
  readonly refs: ReadonlyMap<string, string>;
  /** Length of each ref's log. */
  readonly logs: ReadonlyMap<string, number>;
  /** Commits whose parents git does not show. `git fetch --depth` writes them down, and an edit of that file hides the history before them. */
  readonly cuts: ReadonlySet<string>;
}

const cutFiles = ['shallow', 'info/grafts'];

/** Each line names a commit, and in grafts the parents that it gets instead. */
const cutsIn = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => line.split(' ')[0] || []);

const kinds = ['refs/heads', 'refs/tags', 'refs/remotes'];
const ours = /^refs\/(?:heads\/)?ralph(?:-attempt)?\//;

/** More loose refs are left out. */
const mostRefs = 2_000;

/** Reads them without a process. `git`: the repository's common directory. */
export const readGitRefs = (disk: Disk, git: string): GitRefs => {
  const refs = new Map<string, string>();
  const text = (path: string): string => {
    try {
      return disk.lstat(path)?.kind === 'file' ? (readText(disk, path) ?? '') : '';
    } catch {
      return '';
    }
  };
  for (const line of text(join(git, 'packed-refs')).split('\n')) {
    const [commit = '', name = ''] = line.split(' ');
    if (kinds.some((kind) => name.startsWith(`${kind}/`))) refs.set(name, commit);
  }
  const collect = (name: string): void => {
    if (ours.test(`${name}/`) || refs.size > mostRefs) return;
    const path = join(git, name);
    if (disk.lstat(path)?.kind === 'directory')
      for (const below of namesIn(disk, path)) collect(`${name}/${below}`);
    else if (!name.endsWith('.lock')) refs.set(name, text(path).trim());
  };
  for (const kind of kinds) if (disk.lstat(join(git, kind)) !== null) collect(kind);
  for (const name of refs.keys()) if (ours.test(name) || name.endsWith('/HEAD')) refs.delete(name);
  const logs = new Map(
    [...refs.keys()].map((name) => [name, disk.lstat(join(git, 'logs', name))?.size ?? 0]),
  );
  return {
    head: text(join(git, 'HEAD')).trim(),
    refs,
    logs,
    cuts: new Set(cutFiles.flatMap((name) => cutsIn(text(join(git, name))))),
  };
};

/** What happened to HEAD or to one ref. */
export interface RefMove {
  /** Without its kind, "v1.0"; `null`: HEAD. */
  readonly ref: string | null;
  /** As a clause: "committed to main (1a2b3c4)", "pushed to origin/main". */
  readonly what: string;
}

/**
 * What happened to them. `logOf`: what git wrote to the ref's log since. A
 * fetch is no news.
 */
export const movesOf = (
  before: GitRefs,
  now: GitRefs,
  logOf: (name: string) => string,
): readonly RefMove[] => [
  ...(before.head === now.head
    ? []
    : [{ ref: null, what: `moved HEAD from ${shortHead(before.head)} to ${shortHead(now.head)}` }]),
  ...cutWords([...now.cuts].filter((commit) => !before.cuts.has(commit))),
  ...[...new Set([...before.refs.keys(), ...now.refs.keys()])].sort().flatMap((name) => {
    const [old, commit] = [before.refs.get(name), now.refs.get(name)];
    const what = old === commit ? null : moveOf(name, old, commit, logOf(name));
    return what === null ? [] : [{ ref: shortOf(name).short, what }];
  }),
];

const cutWords = (cuts: readonly string[]): readonly RefMove[] =>
  cuts.length === 0
    ? []
    : [
        {
          ref: null,
          what: `hid the history before ${cuts.length === 1 ? cuts[0]?.slice(0, 7) : `${cuts.length} commits`} (\`git fetch --unshallow\` brings it back)`,
        },
      ];

const moveOf = (
  name: string,
  old: string | undefined,
  commit: string | undefined,
  log: string,
): string | null => {
  const said = log
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => line.slice(line.indexOf('\t') + 1));
  const { kind, short } = shortOf(name);
  if (kind === 'remotes')
    return said.some((words) => words.startsWith('update by push')) ? `pushed to ${short}` : null;
  const what = kind === 'tags' ? 'the tag' : 'the branch';
  if (old === undefined) return `made ${what} ${short}`;
  if (commit === undefined) return `deleted ${what} ${short}`;
  return said.length > 0 && said.every((words) => /^commit(?: \((?:initial|merge)\))?:/.test(words))
    ? `committed to ${short} (${said.length === 1 ? commit.slice(0, 7) : `${said.length} commits`})`
    : `rewrote ${short} (${old.slice(0, 7)} is now ${commit.slice(0, 7)})`;
};

const shortOf = (name: string): { readonly kind: string; readonly short: string } => {
  const [, kind = '', short = name] = /^refs\/(heads|tags|remotes)\/(.+)$/.exec(name) ?? [];
  return { kind, short };
};

const shortHead = (head: string): string =>
  head.startsWith('ref: ') ? head.slice('ref: refs/heads/'.length) : head.slice(0, 7);
