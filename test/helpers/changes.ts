import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createSha1, createSha256, sha256 } from '../../src/base/hash.io.ts';
import type { ChangesPorts } from '../../src/changes/context.ts';
import { createChanges } from '../../src/changes/create-changes.ts';
import { createWorkFiles } from '../../src/changes/files/work-files.io.ts';
import type { WorkFiles } from '../../src/changes/files/work-files.ts';
import { createGit } from '../../src/changes/git/git.io.ts';
import type { ChangesPort, Opening, SessionChanges } from '../../src/changes/port.ts';
import type { Result } from '../../src/changes/result.ts';
import { makeTempDir, removeTempDir, tempDir } from './temp-dir.ts';

/** A scratch directory with a repository and the room's own state beside it. */
export interface ChangesWorld {
  readonly top: string;
  readonly repo: string;
  readonly ports: ChangesPorts;
  readonly changes: ChangesPort;
  open(more?: Partial<Opening>): Promise<SessionChanges>;
}

/** The files of every scratch repository. */
export const firstFiles = {
  'a.txt': 'one\ntwo\nthree\n',
  'b.txt': 'b\n',
  'src/c.txt': 'c\n',
  '.gitignore': '*.log\n.env\n',
};

/** The environment of git in a scratch directory: no configuration of this machine. */
export const gitEnvironment = (top: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: join(top, 'home'),
  GIT_CONFIG_NOSYSTEM: '1',
});

/** git as a person runs it, in a home of its own. */
export const personGit = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    env: gitEnvironment(dirname(cwd)),
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Makes a scratch repository once; tests copy it, which costs no git process. For `beforeAll`. */
export const makeTemplate = (
  files: Readonly<Record<string, string>> = firstFiles,
): { top: string; remove(): void } => {
  const top = makeTempDir();
  const repo = join(top, 'repo');
  mkdirSync(join(top, 'home'));
  writeFiles(repo, files);
  personGit(repo, 'init', '-q', '-b', 'main');
  personGit(repo, 'config', 'user.name', 'kim');
  personGit(repo, 'config', 'user.email', 'kim@host');
  personGit(repo, 'add', '.');
  personGit(repo, 'commit', '-qm', 'first');
  return { top, remove: () => removeTempDir(top) };
};

/** A world of its own for one test, from a template. `wrap` may stop or watch git. */
export const changesWorld = (
  template: { readonly top: string },
  wrap: (ports: ChangesPorts) => ChangesPorts = (ports) => ports,
): ChangesWorld => {
  const top = tempDir();
  cpSync(template.top, top, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  return worldAt(top, wrap);
};

/** A world in a directory that exists, as another program finds it after a crash. */
export const worldAt = (
  top: string,
  wrap: (ports: ChangesPorts) => ChangesPorts = (ports) => ports,
): ChangesWorld => {
  const repo = join(top, 'repo');
  let count = 0;
  const unique = (): string => {
    count += 1;
    return `${process.pid}-${count}`;
  };
  const ports: ChangesPorts = wrap({
    git: createGit(gitEnvironment(top)),
    files: removingAtOnce(createWorkFiles(unique)),
    root: join(top, 'state/worktrees'),
    unique,
    hash: sha256,
    running: { sha1: createSha1, sha256: createSha256 },
    now: Date.now,
    personal: { home: join(top, 'home'), settings: join(top, 'home/.config/git') },
  });
  const changes = createChanges(ports);
  const opening: Opening = {
    workspace: repo,
    session: '261122-101500',
    isolation: 'worktree',
    copy: [],
    patches: join(top, 'patches'),
    secrets: [],
  };
  return {
    top,
    repo,
    ports,
    changes,
    open: async (more = {}) => value(await changes.open({ ...opening, ...more })),
  };
};

/** Tests look at what is left. `removed-aside.test.ts` has the other process that the program starts for it. */
const removingAtOnce = (files: WorkFiles): WorkFiles => ({
  ...files,
  removeBeside: (path) => {
    rmSync(path, { recursive: true, force: true });
    files.removeEmpty(dirname(path));
  },
});

/** The value of a result; a fault fails the test with its sentence. */
export const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.fault.code}: ${result.fault.what}; ${result.fault.hint ?? ''}`);
  return result.value;
};

/** The fault's clause, or 'no fault'. */
export const faultOf = (result: Result<unknown>): string => (result.ok ? 'no fault' : result.fault.what);

/** Writes files below a directory; `null` removes one. */
export const writeFiles = (directory: string, files: Readonly<Record<string, string | null>>): void => {
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    if (text === null) rmSync(file);
    else writeFileSync(file, text);
  }
};

/** Everything below a directory: modes and contents of files, and link targets, by path. */
export const everything = (
  directory: string,
  skip: (path: string) => boolean = () => false,
): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  const walk = (path: string): void => {
    const at = join(directory, path);
    if (skip(path) || !existsSync(dirname(at))) return;
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (!stat) return;
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(at)}`;
    else if (stat.isDirectory()) {
      found[path] = 'directory';
      for (const name of readdirSync(at).sort()) walk(path === '' ? name : `${path}/${name}`);
    } else found[path] = `${mode} ${sha256(readFileSync(at))}`;
  };
  walk('');
  return found;
};

/** What is the person's in a repository: all files, the index, branches, tags and the stash; neither our refs nor new objects. */
export const personsState = (
  repo: string,
  skip: (path: string) => boolean = () => false,
): Readonly<Record<string, string>> =>
  everything(
    repo,
    (path) =>
      skip(path) ||
      /^\.git\/(objects|worktrees|refs\/ralph|refs\/heads\/ralph|logs\/refs\/(heads\/)?ralph|refs\/heads\/ralph-attempt|logs\/refs\/heads\/ralph-attempt)/.test(
        path,
      ),
  );
