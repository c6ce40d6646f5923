import type { Rule } from '../rule.ts';
import { fileRole } from '../scanner/file-role.ts';

/**
 * Committed files that a build or a tool generates: the next build reverts an agent's edits. The substrings are `discovery.structure`, matched
 * against `/<path>`.
 */
export const rigidStructure: Rule = {
  name: 'rigid_structure',
  tree: ({ paths, isRepository }, { structure }) => {
    if (!isRepository) return [];
    return paths.flatMap((path) =>
      structure
        .filter((part) => isUnder(path, part) && !isSample(path, part))
        .map((part) => ({
          value: part,
          per: 'tree' as const,
          file: path,
          line: null,
          severity: 'medium' as const,
          role: 'code' as const,
          description: `Committed files that a tool generates: ${part}`,
          recommendation: `Do not edit files under ${part}; change what they are generated from`,
          steps: [`Find out what writes ${part}`, 'Leave these files to that tool, or stop committing them'],
          tags: ['structure'],
        })),
    );
  },
};

/** The root of the tree counts as a `/`. */
const isUnder = (path: string, part: string): boolean =>
  path.includes(part) || (part.startsWith('/') && path.startsWith(part.slice(1)));

/** Such files under tests, fixtures and documentation are samples. */
const isSample = (path: string, part: string): boolean => {
  const role = fileRole(`${path.slice(0, Math.max(0, `/${path}`.indexOf(part)))}x.ts`);
  return role === 'test' || role === 'doc' || role === 'fixture';
};
