import { posix } from 'node:path';
import type { Hit, Rule, Tree } from '../rule.ts';

/**
 * Sentences of memory files that forbid edits, and their notices of generated files (src/discovery/README.md, `read_only_notice`). Memory files are CLAUDE.md,
 * AGENTS.md, GEMINI.md and their `@path` links. They are prose, so the rule is not sure.
 */
export const readOnlyNotice: Rule = {
  name: 'read_only_notice',
  tree: (tree) => {
    const seen = new Set<string>();
    const roots = tree.paths.filter((path) => /(?:^|\/)(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md$/.test(path));
    return roots.flatMap((path) => noticesIn(tree, { path, from: null, depth: 0 }, seen));
  },
};

interface Memory {
  readonly path: string;
  readonly from: string | null;
  readonly depth: number;
}

/** A longer chain of links is a mistake. */
const deepest = 5;

const noticesIn = (tree: Tree, memory: Memory, seen: Set<string>): readonly Hit[] => {
  if (seen.has(memory.path) || memory.depth > deepest || seen.size >= mostMemories) return [];
  seen.add(memory.path);
  const text = tree.read(memory.path);
  if (text === null) return [];
  const own = sentencesOf(text)
    .filter(({ text: sentence }) => notice.test(sentence))
    .slice(0, mostNotices)
    .map((sentence) => hitOf(memory, sentence));
  const links = [...linksIn(text)];
  const linked = links.flatMap((link) => {
    const path = posix.join(posix.dirname(memory.path), link);
    if (path.startsWith('..') || path.startsWith('/')) return [];
    return noticesIn(tree, { path, from: memory.path, depth: memory.depth + 1 }, seen);
  });
  return [...own, ...linked];
};

/** Links of one memory file that are followed, and memory files in all. */
const mostLinks = 100;
const mostMemories = 500;
/** Notices of one memory file. */
const mostNotices = 200;

const linksIn = (text: string): ReadonlySet<string> => {
  const links = new Set<string>();
  for (const match of withoutCode(text).matchAll(/(?:^|[\s(])@([\w./-]+\.\w+|[\w./-]+\/[\w.-]+)/gm)) {
    links.add(match[1] ?? '');
    if (links.size >= mostLinks) break;
  }
  return links;
};

/** `Do not edit src/gen by hand`, `This file is auto-generated`; not `remaps that don't touch the keyboard`, nor words in quotes. */
const notice =
  /(?<!\b(?:that|which|who|they|it)\s+)(?<!["“])\b(?:(?:do not|don't|never|must not|should not)\s+(?:\w+\s+){0,2}(?:edit|modify|change|touch)\b|(?:auto-?generated|automatically generated|generated (?:file|code|by)\b))/i;

interface Sentence {
  readonly text: string;
  readonly line: number;
}

/** The sentences of a text, with the first line of their paragraph or list item, because people break lines anywhere. */
const sentencesOf = (text: string): readonly Sentence[] => {
  const blocks: { text: string; line: number }[] = [];
  let open: { text: string; line: number } | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const words = line.trim();
    if (words === '' || /^(?:[-*+>|#]|\d+[.)]|```)/.test(words)) open = null;
    if (words === '') continue;
    if (open === null) {
      open = { text: words, line: index + 1 };
      blocks.push(open);
    } else open.text += ` ${words}`;
  }
  return blocks.flatMap((block) =>
    block.text.split(/(?<=[.!?])\s+/).map((sentence) => ({ text: sentence, line: block.line })),
  );
};

const hitOf = ({ path, from }: Memory, { text, line }: Sentence): Hit => {
  const sentence = text
    .replace(/^[\s>*#|-]+/, '')
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
  return {
    value: sentence,
    per: 'file',
    file: path,
    line,
    severity: 'medium',
    role: 'config',
    description: `${path} says: ${sentence}`,
    recommendation: 'Forbid the files it names, so that the rule is enforced',
    tags: ['memory'],
    confidence: 0.7,
    ...(from === null ? {} : { linkedFrom: from }),
  };
};

/** Removes code: `@decorators` in it are no links. */
const withoutCode = (text: string): string => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
