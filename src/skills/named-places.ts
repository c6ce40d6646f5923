import { posix } from 'node:path';
import { visibleName } from '../base/safe.ts';
import { error, type SkillProblem, warning } from './skill-problem.ts';

/**
 * The problems of what a skill's Markdown names: links and imports that lead outside of its folder, and commands that other programs would run while
 * they load it. Code blocks are examples and are left out. `line` is the number of lines before `text`, `within` the folder of the file in the skill.
 */
export const namedPlaces = (
  text: string,
  file: string,
  line: number,
  within = '',
): readonly SkillProblem[] => {
  const problems: SkillProblem[] = [];
  let fence: string | null = null;
  for (const [index, each] of text.split(/\r\n|\n|\r/).entries()) {
    const where = `${file}:${line + index + 1}`;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(each)?.[1] ?? null;
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null;
    } else if (mark !== null) {
      fence = mark;
      if (/^ {0,3}`{3,}!/.test(each)) problems.push(order(where));
    } else judgeLine(each, where, within, problems);
  }
  return problems;
};

/** The places that a line links to or imports. A line of a megabyte is not a line of Markdown. */
const longestLine = 20_000;

const judgeLine = (line: string, where: string, within: string, problems: SkillProblem[]): void => {
  const text = line.slice(0, longestLine);
  if (/(?:^|[\s(])!`[^`]/.test(text)) problems.push(order(where));
  const spoken = text.replace(/`[^`]*`/g, '');
  for (const place of linkedFrom(spoken)) {
    if (!leavesFolder(place, within)) continue;
    problems.push(
      error(
        'skill-outside',
        where,
        `names ${visibleName(place)}, which is outside the skill`,
        'copy it into references/ and refer to it there',
      ),
    );
  }
  for (const [, place = ''] of text.matchAll(/`([^`]*)`/g))
    if (/^(?:~|\.\.)?\/\S/.test(place) && !/\s/.test(place) && leavesFolder(place, within))
      problems.push(
        warning(
          'skill-outside',
          where,
          `names ${visibleName(place)} outside the skill; the permissions decide whether an agent may use it`,
        ),
      );
};

const order = (where: string): SkillProblem =>
  error(
    'skill-order',
    where,
    'asks the program to run a command while the skill loads, which the program never does',
    'write the command as a step for the agent',
  );

/** Link targets `[x](place)`, definitions `[x]: place`, and imports `@place`. */
const linkedFrom = (line: string): readonly string[] =>
  [
    ...line.matchAll(/\]\(\s*<?([^()\s<>]+)/g),
    ...line.matchAll(/^ {0,3}\[[^[\]]{1,200}\]:\s*<?([^\s<>]+)/g),
    ...line.matchAll(/(?:^|\s)@((?:~|\.{1,2})?\/[^\s)]+)/g),
  ].map(([, place = '']) => place);

/** Whether a path leads out of the folder of the skill. Addresses of the web lead nowhere on this machine. */
const leavesFolder = (place: string, within = ''): boolean => {
  if (/^file:/i.test(place)) return true;
  if (/^[a-z][a-z0-9+.-]*:/i.test(place) || place.startsWith('#')) return false;
  const path = decoded(place.replace(/[?#].*$/, '')).replaceAll('\\', '/');
  if (path.startsWith('/') || path.startsWith('~')) return true;
  const inside = posix.normalize(posix.join(within, path));
  return inside === '..' || inside.startsWith('../');
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
