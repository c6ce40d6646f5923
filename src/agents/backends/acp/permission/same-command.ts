import { innerLine, plainPrograms } from './plain-words.ts';

/**
 * Whether two shell lines run the same: equal as they stand, or once the quotes of plain words are gone and the line of `sh -c` stands for itself. Codex asks
 * with the whole argv of its shell for a line that it announced bare. Whatever a shell would expand is compared as it stands.
 */
export const isSameCommand = (one: string, other: string): boolean => normal(one) === normal(other);

const normal = (line: string): string => {
  const inner = innerLine(line);
  const programs = plainPrograms(inner);
  return programs === null ? inner : JSON.stringify(programs);
};
