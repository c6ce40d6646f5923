import { fencesIn } from './fences.ts';

/** The lines of a Markdown text outside code fences. An unclosed fence extends to the end. */
export const linesOutsideFences = (text: string): readonly string[] => {
  const lines = text.split(/\r\n|\n|\r/);
  const fences = fencesIn(lines);
  return lines.filter((_line, at) => fences[at] === 'outside');
};
