import type { TaskDefinition } from './task.ts';

/** The paths that both tasks list as changed. A directory or a pattern such as `src/*.ts` covers everything below it. */
export const overlappingFiles = (
  a: Pick<TaskDefinition, 'files'>,
  b: Pick<TaskDefinition, 'files'>,
): readonly string[] =>
  a.files.filter((file) => b.files.some((other) => covers(file, other) || covers(other, file)));

/** Whether a task declares this path as changed, itself, by its directory or by a pattern. */
export const isDeclared = ({ files }: Pick<TaskDefinition, 'files'>, path: string): boolean =>
  files.some((file) => covers(file, path));

/** Whether the role of a task changes no file, so that it may run beside any other. */
export const onlyReads = ({ role }: Pick<TaskDefinition, 'role'>): boolean =>
  readingRoles.has(role.toLowerCase());

const readingRoles: ReadonlySet<string> = new Set(['questioner', 'reviewer', 'reader']);

const covers = (outer: string, inner: string): boolean => {
  const prefix = fixedPart(outer);
  const path = fixedPart(inner);
  return prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
};

/** The part before the first wildcard, whole segments only: `src/*.ts` gives `src`. */
const fixedPart = (file: string): string => {
  const segments = file.split('/').filter((segment) => segment !== '' && segment !== '.');
  const wild = segments.findIndex((segment) => /[*?[{]/.test(segment));
  return (wild < 0 ? segments : segments.slice(0, wild)).join('/');
};
