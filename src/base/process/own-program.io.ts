import { accessSync, constants, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { findTyped, outside } from './find-program.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The one way by which this program finds what it starts itself: git, ssh, gh, an editor, an agent. A repository may hold a `git` of its own, and
 * `node_modules/.bin` is on the PATH of many shells: only absolute entries count, and none in the repository of one of these places. A name with a
 * slash is somebody's explicit choice and stays. `null` when missing.
 */
export const ownProgram = (
  program: string,
  path: string | undefined,
  places: readonly string[],
): string | null => (program.includes('/') ? program : programOnOwnPath(program, ownPath(path, places)));

/** The same on a PATH that `ownPath` gave. */
export const programOnOwnPath = (program: string, path: string): string | null =>
  findTyped(program, '/', path, isRunnable);

/** The PATH for a program of ours: what it starts is found in the same way. */
export const ownPath = (path: string | undefined, places: readonly string[]): string => {
  const isOutside = outside([...new Set(places.flatMap(repositoriesOf))], real(process.env['HOME'] ?? '/'));
  return (path ?? '')
    .split(':')
    .filter((entry) => isAbsolute(entry) && isOutside(real(entry)))
    .join(':');
};

/** The environment with that PATH. */
export const ownEnvironment = <T extends Env>(env: T, places: readonly string[] = [process.cwd()]) => ({
  ...env,
  PATH: ownPath(env['PATH'], places),
});

/** A place, the repository that holds it, and the one whose linked worktree that is, with links resolved. */
const repositoriesOf = (place: string): readonly string[] => {
  const from = real(place);
  for (let at = from; at !== dirname(at); at = dirname(at)) {
    const git = join(at, '.git');
    const kind = attempt(() => lstatSync(git, { throwIfNoEntry: false }), undefined);
    if (kind === undefined) continue;
    const owner = kind.isFile() ? mainRepository(at, git) : null;
    return [from, at, ...(owner === null ? [] : [real(owner)])];
  }
  return [from];
};

/** `gitdir: /repo/.git/worktrees/one` */
const mainRepository = (at: string, file: string): string | null => {
  const text = attempt(() => readFileSync(file, 'utf8'), '').slice(0, 4_096);
  const target = /^gitdir: (.*?)\/\.git\/worktrees\/[^/]+\s*$/.exec(text)?.[1];
  return target === undefined ? null : resolve(at, target);
};

/** A file that this account may run. */
export const isRunnable = (file: string): boolean =>
  attempt(() => {
    // To be told that a file is missing costs a tenth of an error, and most folders of the PATH lack most programs.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(file, constants.X_OK);
    return true;
  }, false);

const real = (path: string): string => attempt(() => realpathSync.native(path), path);

const attempt = <T>(read: () => T, otherwise: T): T => {
  try {
    return read();
  } catch {
    // It is not there, or may not be read.
    return otherwise;
  }
};
