import { linesOutsideFences } from './outside-fences.ts';

/** The lines of a Markdown text that say something: its prose, else its code, else its headings. */
export const proseLines = (text: string): readonly string[] => {
  const prose = (lines: readonly string[]): readonly string[] =>
    telling(lines).filter((line) => !heading.test(line));
  const all = text.split(/\r\n|\n|\r/).filter((line) => !fence.test(line));
  const found = [prose(linesOutsideFences(text)), prose(all)].find((lines) => lines.length > 0);
  return found ?? telling(all.map((line) => line.replace(heading, '')));
};

const telling = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== '' && !rule.test(line));

const fence = /^ {0,3}(?:`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6}(?: +|$)/;
const rule = /^([-*_])(?: *\1){2,}$/;
