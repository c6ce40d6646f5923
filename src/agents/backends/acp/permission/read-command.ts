import { innerLine, plainPrograms } from './plain-words.ts';

/**
 * The paths that a command reads, or `null` where it may do anything else: programs of a short list, with words that no shell expands and only options that
 * write nothing and run nothing. Codex asks for such a command where its sandbox does not let it read.
 */
export const pathsReadBy = (line: string): readonly string[] | null => {
  const paths: string[] = [];
  for (const { words } of plainPrograms(innerLine(line)) ?? [{ words: [] }]) {
    const read = pathsOf(words);
    if (read === null) return null;
    paths.push(...read);
  }
  return paths;
};

const pathsOf = ([program = '', ...words]: readonly string[]): readonly string[] | null => {
  // An option that is spelled out may have a file in it, and zsh replaces a word that begins with `=`.
  if (words.some((word) => word.startsWith('--') || word.startsWith('='))) return null;
  const name = program.replace(/^\/(?:usr\/)?bin\//u, '');
  return Object.hasOwn(readers, name) ? (readers[name]?.(words) ?? null) : null;
};

type Reader = (words: readonly string[]) => readonly string[] | null;

const isOption = (word: string): boolean => word.startsWith('-');

const named = (words: readonly string[]): readonly string[] => words.filter((word) => !isOption(word));

/** The pattern comes first, unless an option gives it: then each word is judged as a path. `never`: options that name a file, follow links or run a program. */
const searching =
  (never: RegExp): Reader =>
  (words) => {
    const options = words.filter(isOption);
    if (options.some((option) => never.test(option))) return null;
    return named(words).slice(options.some((option) => option.includes('e')) ? 0 : 1);
  };

/** Only `sed -n 1,20p FILE`: its scripts can write. */
const lines: Reader = ([quiet, script = '', ...files]) =>
  quiet === '-n' && /^\d+(?:,(?:\d+|\$))?p$/u.test(script) && !files.some(isOption) ? files : null;

const readers: Readonly<Record<string, Reader>> = {
  cat: named,
  head: named,
  tail: named,
  nl: named,
  wc: named,
  ls: named,
  pwd: named,
  sed: lines,
  grep: searching(/[fR]/u),
  rg: searching(/[fLz]/u),
};
