import { posix } from 'node:path';
import { textGlob } from '../base/glob.ts';
import type { TaskDefinition } from './task.ts';

/**
 * What a task declares as its `files`. An entry is a path below the workspace: a file, or a directory with all that it holds. Or it is a pattern of such
 * paths: `*` and `?` within a segment, `**` for any number of segments, `[a-z]`, `{a,b}`. An entry always means the path of its own name too, because
 * files may be called `[id].tsx`. This is the only place that says what an entry means.
 */
type Files = Pick<TaskDefinition, 'files'>;

/** The entries of `a` that may change something that an entry of `b` may change too. Two patterns of which that is not certain count as such. */
export const overlappingFiles = (a: Files, b: Files): readonly string[] => {
  const others = b.files.flatMap(formsOf);
  return a.files.filter((file) => formsMeet(formsOf(file), others));
};

/** Whether one change could be meant by both entries. */
export const entriesOverlap = (a: string, b: string): boolean => formsMeet(formsOf(a), formsOf(b));

const formsMeet = (some: readonly Segments[], others: readonly Segments[]): boolean =>
  some.some((one) => others.some((other) => meet(one, other, 'either')));

/** Whether a task declares this path as changed, itself, by its directory or by a pattern. */
export const isDeclared = ({ files }: Files, path: string): boolean => {
  const segments = segmentsOf(path);
  return files.some((file) => formsOf(file).some((form) => meet(form, segments, 'first')));
};

/** Whether something below this directory may be what the entry means. */
export const mayHold = (entry: string, directory: string): boolean => {
  const segments = segmentsOf(directory);
  return formsOf(entry).some((form) => meet(form, segments, 'either'));
};

/** Whether an entry may mean paths of other names than its own. */
export const isPattern = (entry: string): boolean => /[*?[{]/.test(entry);

/** The directory that holds all that a pattern may mean: `src/*.ts` gives `src`, and `*.ts` gives the empty path. */
export const fixedPart = (entry: string): string => {
  const segments = segmentsOf(entry);
  const wild = segments.findIndex(isPattern);
  return (wild < 0 ? segments : segments.slice(0, wild)).join('/');
};

/** `./a`, `a/` and `b/../a` are `a`; the workspace itself is the empty path. */
export const plainPath = (path: string): string => segmentsOf(path).join('/');

/** Whether the role of a task changes no file, so that it may run beside any other. */
export const onlyReads = ({ role }: Pick<TaskDefinition, 'role'>): boolean =>
  readingRoles.has(role.toLowerCase());

const readingRoles: ReadonlySet<string> = new Set(['questioner', 'reviewer', 'reader']);

type Segments = readonly string[];

const segmentsOf = (path: string): Segments =>
  posix
    .normalize(path.replaceAll('\\', '/'))
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');

/** More alternatives in braces than a person writes. */
const mostForms = 64;

/** The entry as written, and once for each choice of its braces, which may hold a `/`. With too many choices: all below the first brace. */
const formsOf = (entry: string): readonly Segments[] =>
  isPattern(entry) ? [entry, ...choicesOf(entry)].map(segmentsOf) : [segmentsOf(entry)];

const choicesOf = (entry: string): readonly string[] => {
  let open: readonly string[] = [entry];
  for (;;) {
    const next = open.flatMap(firstChoice);
    if (next.length > mostForms) return [`${entry.slice(0, entry.indexOf('{')).replace(/[^/]*$/, '')}**`];
    if (next.length === open.length) return next.filter((choice) => choice !== entry);
    open = next;
  }
};

/** One text for each alternative of the first innermost braces; the text itself without any. */
const firstChoice = (text: string): readonly string[] => {
  const [whole, inner] = /\{([^{}]*,[^{}]*)\}/.exec(text) ?? [];
  if (whole === undefined || inner === undefined) return [text];
  return inner.split(',').map((choice) => text.replace(whole, () => choice));
};

/**
 * Whether a path may be meant by both lists of segments or lie below what they mean. `either`: one may end before the other, as a directory above it does.
 * `first`: only the first may.
 */
const meet = (a: Segments, b: Segments, shorter: 'either' | 'first'): boolean => {
  // From the ends: `later` answers for the rest of `a` after this segment. A table, because runs of `**` would make recursion exponential.
  let later: readonly boolean[] = Array.from({ length: b.length + 1 }, () => true);
  for (const head of a.toReversed()) {
    const row: boolean[] = [];
    row[b.length] = shorter === 'either';
    for (let at = b.length - 1; at >= 0; at -= 1)
      row[at] =
        head === '**' || (shorter === 'either' && b[at] === '**')
          ? later[at] === true || row[at + 1] === true
          : segmentsMeet(head, b[at] ?? '', shorter) && later[at + 1] === true;
    later = row;
  }
  return later[0] === true;
};

const segmentsMeet = (a: string, b: string, shorter: 'either' | 'first'): boolean => {
  if (a === b) return true;
  if (!isPattern(a)) return shorter === 'either' && isPattern(b) && textGlob(b).test(a);
  if (textGlob(a).test(b)) return true;
  if (shorter === 'first' || !isPattern(b)) return false;
  return startsAlike(fixedStart(a), fixedStart(b)) && endsAlike(fixedEnd(a), fixedEnd(b));
};

const startsAlike = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);
const endsAlike = (a: string, b: string): boolean => a.endsWith(b) || b.endsWith(a);
const fixedStart = (glob: string): string => /^[^*?[{]*/.exec(glob)?.[0] ?? '';
const fixedEnd = (glob: string): string => /[^*?\]}]*$/.exec(glob)?.[0] ?? '';
