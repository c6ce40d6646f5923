import { dirname, join } from 'node:path';
import { pathProblem } from '../../tasks/relative-path.ts';
import type { Context } from '../context.ts';

/**
 * Copies the files of `worktree.copy` into a new worktree. Never makes a link to the workspace: a task must not change the original.
 * Returns one sentence for each entry that was left out.
 */
export const copyIgnored = async (context: Context, directory: string): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const entry of context.opening.copy) {
    const problem = whyNot(context, entry, directory);
    if (problem !== null) problems.push(`${entry} was not copied: ${problem}.`);
    else problems.push(...copyTree(context, entry, directory));
  }
  return problems;
};

const whyNot = ({ files, opening }: Context, entry: string, directory: string): string | null => {
  const wrong = pathProblem(entry);
  if (wrong !== null) return `the path ${wrong}`;
  if (entry.split('/').includes('.git')) return 'it is part of the git directory';
  const from = join(opening.workspace, entry);
  const kind = files.kind(from);
  if (kind === null) return 'it does not exist';
  if (kind === 'symlink') return 'it is a link';
  if (kind === 'other') return 'it is neither a file nor a directory';
  if (
    files.resolve(dirname(from)) !==
    files.resolve(opening.workspace)?.concat(dirname(`/${entry}`).replace(/^\/$/, ''))
  )
    return 'a directory above it is a link';
  return files.kind(join(directory, entry)) === null ? null : 'the worktree already has it';
};

const copyTree = ({ files, opening }: Context, entry: string, directory: string): readonly string[] => {
  const problems: string[] = [];
  const walk = (path: string): void => {
    const from = join(opening.workspace, path);
    const to = join(directory, path);
    switch (files.kind(from)) {
      case 'directory':
        files.makeDirectory(to);
        for (const name of files.list(from)) walk(`${path}/${name}`);
        break;
      case 'file':
        files.makeDirectory(dirname(to));
        files.copy(from, to);
        break;
      case 'symlink':
        if (staysInside(path, files.linkTarget(from))) files.copy(from, to);
        else problems.push(`${path} was not copied: it is a link that points outside the workspace.`);
        break;
      default:
        problems.push(`${path} was not copied: it is neither a file nor a directory.`);
    }
  };
  walk(entry.replace(/\/+$/, ''));
  return problems;
};

/** Whether a link, copied as it is, leads to something in the worktree. */
const staysInside = (path: string, target: string): boolean =>
  !target.startsWith('/') && pathProblem(join(dirname(path), target)) === null;
