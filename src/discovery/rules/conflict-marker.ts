import { roleSeverity } from '../scanner/file-role.ts';
import { createLineCounter, type Rule } from './rule.ts';

const start = /^<{7} .*$/m;
const block = /^<{7} (.*)$/gm;

/** Unfinished merges: `<<<<<<<`, `=======` and `>>>>>>>` at the start of lines, in this order. */
export const conflictMarker: Rule = {
  name: 'conflict_marker',
  file: ({ path, role, text }) => {
    if (!text.includes('<<<<<<< ') || !start.test(text)) return [];
    const lineOf = createLineCounter(text);
    const middle = positions(text, /^={7}\r?$/gm);
    const ends = positions(text, /^>{7} /gm);
    return [...text.matchAll(block)].flatMap((match) => {
      const between = middle.find((at) => at > match.index);
      const end = between === undefined ? undefined : ends.find((at) => at > between);
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

const positions = (text: string, pattern: RegExp): readonly number[] =>
  [...text.matchAll(pattern)].map(({ index }) => index);
