import type { Fault, Parsed } from '../base/fault.ts';
import { bare, splitLines } from './sections.ts';
import { taskIdSchema } from './task.ts';

/** The edges of a task from its file, where `blockedBy` is named `depends_on`. */
interface Dependencies {
  readonly blockedBy: readonly string[];
  readonly inheritedBy: readonly string[];
}

/**
 * Reads every form seen in practice: the plain lines `depends_on: [a, b]` and `inherited_by: …` under `## Dependencies` as inline list,
 * comma list, bullets below, bold or as a bullet, "None", and the same keys (or `blockedBy`) in the front matter. An invalid id
 * is a problem and adds no edge.
 */
export const parseDependencies = (
  section: string,
  matter: Readonly<Record<string, unknown>>,
  file: string,
): Parsed<Dependencies> => {
  const problems: Fault[] = [];
  const edges = { blockedBy: new Set<string>(), inheritedBy: new Set<string>() };
  const add = (kind: keyof Dependencies, text: string): void => {
    for (const id of idsIn(text)) {
      if (taskIdSchema.safeParse(id).success) edges[kind].add(id);
      else
        problems.push({
          code: 'task-edge',
          what: `"${id.slice(0, 70)}" is not a task id and is ignored`,
          where: file,
        });
    }
  };
  for (const [key, value] of Object.entries(matter)) {
    const kind = kindOf(key);
    if (kind === null || value === null) continue;
    for (const entry of Array.isArray(value) ? value : [value]) add(kind, String(entry));
  }
  let current: keyof Dependencies | null = null;
  for (const line of splitLines(section).map(bare)) {
    const entry = keyed.exec(line);
    const kind = entry ? kindOf(entry[1] ?? '') : null;
    if (entry && kind !== null) {
      current = kind;
      add(kind, entry[2] ?? '');
      continue;
    }
    const bullet = /^\s*[-*+]\s+(.*)$/.exec(line);
    // Bullets without a key above them list the tasks that this one waits for.
    if (bullet)
      add(current ?? 'blockedBy', /^\[[ \w/-]\]\s+(.*)$/.exec(bullet[1] ?? '')?.[1] ?? bullet[1] ?? '');
    else if (line.trim() !== '') current = null;
  }
  return { value: { blockedBy: [...edges.blockedBy], inheritedBy: [...edges.inheritedBy] }, problems };
};

/** Lengths are bounded where two parts could match the same characters: a line of 64 KiB of blanks must not take seconds. */
const keyed = /^\s*(?:[-*+]\s+)?[*_`]{0,4}([A-Za-z][A-Za-z _-]{0,40}?)[*_`]{0,4}\s{0,8}:[*_`]{0,4}\s*(.*)$/;

const kindOf = (key: string): keyof Dependencies | null => {
  const name = key.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (name === 'dependson' || name === 'blockedby') return 'blockedBy';
  return name === 'inheritedby' || name === 'blocks' ? 'inheritedBy' : null;
};

/** The ids of a comma list. Text after an id ("(the schema)", "— done first", a comment) is a remark. */
const idsIn = (text: string): readonly string[] => {
  const list = text
    .replaceAll(/[[\]{}"'`*]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/(^| )#.*$/, '')
    .trim();
  if (/^(none|null|n\/a|nothing|-|—|~)?\.?$|^(none|n\/a)\b/i.test(list)) return [];
  return list
    .replaceAll(/\([^()]*\)/g, ' ')
    .split(/[,;]| and /)
    .map((part) => part.trim().split(/[\s:]+/)[0] ?? '')
    .filter((id) => id !== '');
};
