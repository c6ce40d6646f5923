import { isSystem } from './system-paths.ts';

/** An agent's program as a fence lets it in. */
export interface FencedProgram {
  /** Where it is found, absolute. It is seen there, too. */
  readonly file: string;
  /** Where the links end. */
  readonly real: string;
}

/** What comes in for programs. All read-only, at the same path. */
interface Seen {
  /** Directories and files. */
  readonly paths: readonly string[];
  readonly links: readonly FencedProgram[];
}

/**
 * Lets in the program itself, and of what is around it only the packages that npm installed beside it. The directory of a program may hold more than
 * programs: `~/.local/bin` is beside keyrings and our own records.
 */
export const seenPrograms = (programs: readonly FencedProgram[]): Seen => {
  const outside = programs.filter(({ file, real }) => !isSystem(file) || !isSystem(real));
  const packages = [...new Set(outside.flatMap(({ real }) => packagesOf(real)))];
  const isCovered = (path: string): boolean =>
    isSystem(path) || packages.some((directory) => path.startsWith(`${directory}/`));
  const files = new Set(outside.map(({ real }) => real).filter((real) => !isCovered(real)));
  return {
    paths: [...packages, ...files],
    links: outside.filter(({ file, real }) => file !== real && !isCovered(file)),
  };
};

/** The outermost `node_modules` above a file. */
const packagesOf = (file: string): readonly string[] => {
  const at = file.indexOf('/node_modules/');
  return at < 0 || isSystem(file) ? [] : [file.slice(0, at + '/node_modules'.length)];
};
