import { posix } from 'node:path';
import { textGlob } from '../../base/glob.ts';
import { pathProblem } from '../../tasks/relative-path.ts';

/** A path of a workspace, as segments. The empty list is the workspace itself. */
export type PathSegments = readonly string[];

/** `./a`, `a/` and `b/../a` are `a`. `null` for a path outside the workspace. */
export const normalisePath = (path: string): PathSegments | null => {
  const forward = path.trim().replaceAll('\\', '/');
  if (pathProblem(forward) !== null) return null;
  return posix
    .normalize(forward)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
};

/**
 * Whether a change of one could be a change of the other: the same path, a directory and what it holds, a glob and what it matches. Two globs of which
 * that is not certain count as overlapping.
 */
export const overlaps = (a: PathSegments, b: PathSegments): boolean => {
  // From the ends: `later` answers for the rest of `a` after this segment. A table, because runs of `**` would make recursion exponential.
  let later: readonly boolean[] = Array.from({ length: b.length + 1 }, () => true);
  for (const head of a.toReversed()) {
    const row: boolean[] = [];
    row[b.length] = true;
    for (let at = b.length - 1; at >= 0; at -= 1)
      row[at] =
        head === '**' || b[at] === '**'
          ? later[at] === true || row[at + 1] === true
          : segmentsMeet(head, b[at] ?? '') && later[at + 1] === true;
    later = row;
  }
  return later[0] === true;
};

const isGlob = (segment: string): boolean => /[*?[{]/.test(segment);

const segmentsMeet = (a: string, b: string): boolean => {
  if (!isGlob(a)) return isGlob(b) ? textGlob(b).test(a) : a === b;
  if (!isGlob(b)) return textGlob(a).test(b);
  return startsAlike(fixedStart(a), fixedStart(b)) && endsAlike(fixedEnd(a), fixedEnd(b));
};

const startsAlike = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);
const endsAlike = (a: string, b: string): boolean => a.endsWith(b) || b.endsWith(a);
const fixedStart = (glob: string): string => /^[^*?[{]*/.exec(glob)?.[0] ?? '';
const fixedEnd = (glob: string): string => /[^*?\]}]*$/.exec(glob)?.[0] ?? '';
