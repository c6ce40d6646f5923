import { basename, dirname } from 'node:path';
import type { CommitHook } from '../../pipeline/changes/changes-state.ts';
import type { ControlFile, ControlFiles } from './control-files.ts';

/** The hooks by which git may refuse a commit or a merge. */
const refusing = ['pre-commit', 'commit-msg', 'pre-merge-commit'];

/** The longest command that is shown. */
const longest = 80;

/** The hooks of the person that git would run at a commit, with the command of each that runs just one. `hooks`: as `readHooks` gives them. */
export const commitHooks = (hooks: ControlFiles): readonly CommitHook[] =>
  [...hooks]
    .filter(([path, file]) => refusing.includes(basename(path)) && isRun(path, file))
    .map(([path, file]) => ({ name: basename(path), runs: onlyCommand(file) }))
    .sort((a, b) => refusing.indexOf(a.name) - refusing.indexOf(b.name));

/** git runs only what may be executed. husky runs its hooks by a shell, through files of its own that stand for every name. */
const isRun = (path: string, file: ControlFile): boolean => {
  const place = basename(dirname(path));
  if (place === '_') return false;
  return place === '.husky' || file.kind === 'opaque' || (file.mode & 0o111) !== 0;
};

const onlyCommand = (file: ControlFile): string | null => {
  if (file.kind === 'opaque') return null;
  const lines = new TextDecoder()
    .decode(file.bytes)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/husky\.sh"?$/u.test(line));
  const [only, more] = lines;
  return only === undefined || more !== undefined || only.length > longest ? null : only;
};
