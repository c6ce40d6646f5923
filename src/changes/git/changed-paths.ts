import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { type Context, refuse, tryGit, type WorkTree } from '../context.ts';
import { partsOf } from './git-text.ts';
import { gitFault } from './repository.ts';

/** The directory of sessions, relative to a workspace. */
export const sessionsDirectory = '.ralph-sessions';

/** How git is called for a work tree and an index of ours. */
export interface OnIndex {
  readonly in: WorkTree;
  readonly indexFile: string;
}

/**
 * The paths at which a work tree differs from an index, relative to the repository: known files first, then new ones. Ignored files and the
 * session's own directory are left out. Files are compared by their times and sizes; git reads those that may have changed since the index was written.
 * `said`: what git said of directories that it could not open, such as one whose path is too long.
 */
export const changedPaths = async (
  context: Context,
  on: OnIndex,
): Promise<{ readonly paths: readonly string[]; readonly said: string }> => {
  const sessions = `${context.repository.prefix}${sessionsDirectory}/`;
  const list = ['ls-files', '-z', '-t', '--modified', '--others', '--exclude-standard'];
  const args = [...list, `--exclude=/${sessions.replace(/[\\*?[]/g, '\\$&')}`];
  const answer = await tryGit(context, args, on);
  if (answer.code !== 0) throw new FaultError(gitFault('look for changed files', answer));
  const entries = partsOf(answer.out).filter((entry) => !entry.startsWith(sessions, 2));
  const isNew = (entry: string): boolean => entry.startsWith('? ');
  const fresh = entries.filter(isNew).map(pathOf);
  if (on.in.root === context.repository.root) refuseTooMuch(context, fresh);
  // A directory may have taken the place of a file, and the other way round: what went makes room.
  const paths = [...new Set(entries.filter((entry) => !isNew(entry)).map(pathOf)), ...fresh];
  return { paths, said: answer.error };
};

/** After the letter of an entry. A repository in the work tree ends in a slash. */
const pathOf = (entry: string): string => entry.slice(2).replace(/\/$/, '');

/** New files that a snapshot of the person's own workspace may copy into the object store. */
const mostNew = { files: 20_000, bytes: 256 * 1024 * 1024 };

/** Stops before git copies a data set or an installation that nobody told it to ignore. */
const refuseTooMuch = ({ files, repository }: Context, fresh: readonly string[]): void => {
  const isMany = fresh.length > mostNew.files;
  const bytes = isMany ? 0 : fresh.reduce((sum, path) => sum + files.size(join(repository.root, path)), 0);
  if (!isMany && bytes <= mostNew.bytes) return;
  const megabytes = Math.round(bytes / 1024 / 1024);
  const what = isMany
    ? `${fresh.length} new files that git does not ignore are too many to record`
    : `${megabytes} MB of new files that git does not ignore is too much to record`;
  throw refuse('too-much', what, { hint: 'add them to .gitignore, or commit them' });
};
