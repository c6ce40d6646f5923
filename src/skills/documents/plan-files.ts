import { sectionsOf } from './idea.ts';

/** A path in backticks, with or without a line: `src/a.ts:3`. */
const pathPattern = /`((?:[\w@.-]+\/)*[\w@.-]+\.[A-Za-z]\w{0,9})(?::\d{1,7}(?:-\d{1,7})?)?`/g;
/** Words of a line that makes the file which it names. */
const making = /\b(?:new|create[sd]?|add(?:s|ed)?|write[sn]?|introduce[sd]?)\b/i;

/** The files that a phase of a plan names as being there, and that are not. */
export const missingFiles = (
  plan: string,
  phase: string,
  isThere: (path: string) => boolean,
): readonly string[] => {
  const lines = (sectionsOf(plan).get(phase) ?? '').split('\n');
  const named = lines
    .filter((line) => !making.test(line) && !/^\s*[-*] \[[ xX]\]/.test(line))
    .flatMap((line) => [...line.matchAll(pathPattern)].map(([, path = '']) => path))
    .filter((path) => path.includes('/') && !path.startsWith('/') && !path.split('/').includes('..'));
  return [...new Set(named)].filter((path) => !isThere(path)).slice(0, 50);
};
