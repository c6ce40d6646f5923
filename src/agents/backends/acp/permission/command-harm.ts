import { simpleCommands } from '../../../../session/guidance/shell-words.ts';
import type { Places } from '../../../places.ts';

/** Programs that delete or move what they are given. */
const removers = new Set(['rm', 'rmdir', 'unlink', 'shred', 'mv', 'trash', 'find']);

/**
 * The harm that a command would do inside the workspace, as sentences: it names git's own directory, or removes the workspace. A shell can hide both.
 * So this stops mistakes and the plain words of an injected text, and is no fence.
 */
export const harmIn = (command: string, places: Places, directory: string): readonly string[] => {
  const found = simpleCommands(command).flatMap((line) => {
    const [program = '', ...words] = line.split(' ');
    const named = [program, ...words].find((word) => /(?:^|[/=:])\.git(?:\/|$)/iu.test(word));
    if (named !== undefined) return [`the command names ${named}, which belongs to git`];
    const deletes =
      removers.has(program) && (program !== 'find' || words.some((word) => /^-(?:delete|exec)/u.test(word)));
    if (!deletes) return [];
    const gone = words.find((word) => !word.startsWith('-') && removesAll(word, places, directory));
    return gone === undefined ? [] : [`the command removes the workspace: ${program} ${words.join(' ')}`];
  });
  return [...new Set(found)];
};

/** The workspace itself, all in it, or a directory that holds it. */
const removesAll = (word: string, { judge, root }: Places, directory: string): boolean => {
  const place = word.replace(/\/?(?:\.?\*|\{,\.\}\*)$/u, '') || (word.startsWith('/') ? '/' : '.');
  const path = place.startsWith('/') ? place : `${directory}/${place}`;
  const { name, why } = judge(path, true);
  if (name === '') return true;
  return why !== null && `${root}/`.startsWith(`${normal(path)}/`);
};

const normal = (path: string): string => {
  const names: string[] = [];
  for (const name of path.split('/'))
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  return names.length === 0 ? '' : `/${names.join('/')}`;
};
