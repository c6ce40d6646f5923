import { fencesIn } from '../../tasks/markdown/fences.ts';
import { pathProblem } from '../../tasks/relative-path.ts';
import { bare, splitLines } from '../../tasks/sections.ts';

/**
 * The files that a document says its work changes: `files` of its front matter, else what its text lists as people write it: below a heading such as "Will
 * Modify" or "Files Affected", in lists and tables, and after `**File**:`. Files that are only read are left out.
 */
export const filesOfDocument = (data: Readonly<Record<string, unknown>>, text: string): readonly string[] => {
  const { files } = data;
  if (Array.isArray(files)) return files.filter((file) => typeof file === 'string');
  const lines = splitLines(text).map(bare);
  const fences = fencesIn(lines);
  const open: { readonly level: number; readonly collects: boolean }[] = [];
  const found = lines.flatMap((line, at) => {
    if (fences[at] === 'fenced') return [];
    const heading = headingOf(line);
    if (heading !== null) {
      while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
      const inherited = open.at(-1)?.collects ?? false;
      const { level, title } = heading;
      open.push({ level, collects: !reads.test(title) && (changes.test(title) || inherited) });
      return [];
    }
    const labelled = /^\s*(?:[-*+]\s+)?\**(?:files?|paths?)\**:\**\s+(.*)$/i.exec(line)?.[1];
    if (labelled !== undefined) return pathsIn(labelled);
    return open.at(-1)?.collects === true ? entryOf(line) : [];
  });
  return [...new Set(found)];
};

const changes =
  /\bwill (?:modify|change|edit|create|add|touch|delete)\b|\b(?:affected|changed|modified|new) files\b|\bfiles? (?:affected|changed|created|modified|to (?:be )?(?:add|chang|creat|edit|modif|touch))/i;

const reads =
  /\bwill read\b|\bread[- ]only\b|\bdependenc|\breferences?\b|\bnot (?:be )?(?:chang|modif|touch)/i;

/** A heading; a line that is one label in bold counts as one below all of them. */
const headingOf = (line: string): { readonly level: number; readonly title: string } | null => {
  const [, marks, title] = /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) ?? [];
  if (marks !== undefined) return { level: marks.length, title: title ?? '' };
  const label = /^\s*\*\*([^*]+)\*\*:?\s*$/.exec(line)?.[1];
  return label === undefined ? null : { level: 7, title: label };
};

/** The paths of an item of a list, which come first in it, or of a row of a table, which has a cell for them. */
const entryOf = (line: string): readonly string[] => {
  const item = /^\s*(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ x]\]\s+)?(.*)$/i.exec(line)?.[1];
  if (item !== undefined) {
    const first = /^(?:\**`[^`]+`\**(?:\s*(?:,|and|&)\s*)?)+/.exec(item)?.[0] ?? item.split(/\s/)[0] ?? '';
    return pathsIn(first);
  }
  if (!line.trim().startsWith('|')) return [];
  return (
    line
      .split('|')
      .map(pathsIn)
      .find((paths) => paths.length > 0) ?? []
  );
};

/** Paths in code, else among the words. */
const pathsIn = (text: string): readonly string[] => {
  const code = [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  const words = code.length > 0 ? code : text.replaceAll(/\[[^\]]*\]\(([^)\s]+)\)/g, '$1').split(/[\s,;|]+/);
  return words.flatMap((word) => pathOf(word) ?? []);
};

/** Without what points into the file: `src/a.ts:12-40`, `src/a.ts#L3`. `null`: not a path. */
const pathOf = (word: string): string | null => {
  const path = word
    .replace(/^[*_"']+|[*_"':.,]+$/g, '')
    .replace(/^\.\//, '')
    .replace(/(?:#L\d+(?:-L?\d+)?|:\d+(?:-\d+)?(?:,\s*\d+(?:-\d+)?)*)$/, '');
  const looksLikeOne = path.includes('/') || /\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(path);
  return looksLikeOne && !/[\s()<>{}=]|:\/\//.test(path) && pathProblem(path) === null ? path : null;
};
