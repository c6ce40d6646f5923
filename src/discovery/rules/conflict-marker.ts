import { createLineCounter, type Rule } from '../rule.ts';
import { roleSeverity } from '../scanner/file-role.ts';

const start = /^<{7} .*$/m;
const block = /^<{7} (.*)$/gm;

/** Unfinished merges: `<<<<<<<`, `=======` and `>>>>>>>` at the start of lines, in this order. */
export const conflictMarker: Rule = {
  name: 'conflict_marker',
  file: (file) => {
    const { path, text } = file;
    if (!text.includes('<<<<<<< ') || !start.test(text)) return [];
    const { role } = file;
    const lineOf = createLineCounter(text);
    const middleAfter = nextAfter(positions(text, /^={7}\r?$/gm));
    const endAfter = nextAfter(positions(text, /^>{7} /gm));
    return [...text.matchAll(block)].flatMap((match) => {
      const between = middleAfter(match.index);
      const end = between === undefined ? undefined : endAfter(between);
      if (end === undefined) return [];
      return [
        {
          value: (match[1] ?? '').trim().slice(0, 100),
          per: 'file' as const,
          file: path,
          line: lineOf(match.index),
          severity: roleSeverity(role),
          role,
          description: `Unfinished merge: conflict markers in ${path}`,
          recommendation: 'Resolve the conflict before anything else changes this file',
          steps: ['Choose the lines to keep', 'Remove the markers', 'Run the checks'],
          tags: ['merge'],
        },
      ];
    });
  },
};

/** Gives the first position beyond an offset. Linear for ascending offsets. */
const nextAfter = (all: readonly number[]): ((offset: number) => number | undefined) => {
  let index = 0;
  return (offset) => {
    while ((all[index] ?? Infinity) <= offset) index += 1;
    return all[index];
  };
};

const positions = (text: string, pattern: RegExp): readonly number[] =>
  [...text.matchAll(pattern)].map(({ index }) => index);
