import { z } from 'zod';
import type { Fault, Parsed } from '../../base/fault.ts';
import { isRecord } from '../../base/json.ts';
import { parseYaml } from '../../tasks/yaml-text.ts';

/** Words for agents, or files (`path`) or commands (`command`) as a glob. Forbidden files and commands are enforced. */
export type GuidanceItem = string | { readonly path: string } | { readonly command: string };

/** A person's forbidden and preferred items (src/discovery/README.md, Wizard): `.ralph/guidance.yaml`. */
export interface Guidance {
  readonly forbidden: readonly GuidanceItem[];
  readonly encouraged: readonly GuidanceItem[];
  /** The time of the last change by this program, ISO 8601 with offset; null for a file that a person wrote. */
  readonly timestamp: string | null;
  /** Findings that a person chose as forbidden. */
  readonly constraint_ids: readonly string[];
}

export const noGuidance: Guidance = { forbidden: [], encouraged: [], timestamp: null, constraint_ids: [] };

/** Whether the guidance has any item. */
export const saysSomething = ({ forbidden, encouraged }: Guidance): boolean =>
  forbidden.length + encouraged.length > 0;

/** Whether two guidances tell agents the same. */
export const saysTheSame = (a: Guidance, b: Guidance): boolean =>
  JSON.stringify([a.forbidden, a.encouraged]) === JSON.stringify([b.forbidden, b.encouraged]);

/** Relative to the project directory. */
export const guidanceFileName = '.ralph/guidance.yaml';

/** In characters. A longer item is a document, not a rule, and would be in every prompt. */
const longest = 500;
const most = 200;

const textItem = z.string().trim().min(1).max(longest);
export const guidanceItemSchema: z.ZodType<GuidanceItem> = z.union([
  textItem,
  z.strictObject({ path: textItem }),
  z.strictObject({ command: textItem }),
]);

/** For journals and signals. */
export const guidanceSchema: z.ZodType<Guidance> = z.object({
  forbidden: z.array(guidanceItemSchema).max(most).readonly(),
  encouraged: z.array(guidanceItemSchema).max(most).readonly(),
  timestamp: z.string().nullable(),
  constraint_ids: z.array(z.string().max(longest)).readonly(),
});

/** Parses a guidance file. Reports and skips an invalid item. A forbidden item is never encouraged. */
export const parseGuidance = (text: string, file = guidanceFileName): Parsed<Guidance> => {
  const { value: yaml, problems } = parseYaml(text, file);
  if (yaml.value === null || yaml.value === undefined) return { value: noGuidance, problems };
  if (!isRecord(yaml.value))
    return {
      value: noGuidance,
      problems: [...problems, fault(`${file}:1`, 'must be a map with the keys `forbidden` and `encouraged`')],
    };
  const faults: Fault[] = [...problems];
  const itemsOf = (key: 'forbidden' | 'encouraged'): readonly GuidanceItem[] => {
    const list = isRecord(yaml.value) ? yaml.value[key] : undefined;
    if (list === undefined || list === null) return [];
    if (!Array.isArray(list)) {
      faults.push(fault(`${file}:${yaml.line([key])}`, `${key} must be a list`));
      return [];
    }
    return list.slice(0, most).flatMap((item, index) => {
      const checked = guidanceItemSchema.safeParse(item);
      if (checked.success) return [checked.data];
      faults.push(
        fault(
          `${file}:${yaml.line([key, index])}`,
          `${key}[${index + 1}] must be text, {path: GLOB} or {command: GLOB}`,
        ),
      );
      return [];
    });
  };
  const forbidden = uniqueItems(itemsOf('forbidden'));
  const { timestamp, constraint_ids: ids } = yaml.value;
  return {
    value: {
      forbidden,
      encouraged: without(uniqueItems(itemsOf('encouraged')), forbidden),
      timestamp: typeof timestamp === 'string' ? timestamp : null,
      constraint_ids: Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(0, 1_000) : [],
    },
    problems: faults,
  };
};

const fault = (where: string, what: string): Fault => ({
  code: 'guidance',
  what,
  where,
  hint: 'correct it with `ralph-tui guidance edit`',
});

/** The form for people: `Refactoring`, `path:src/gen/**`, `command:git push*`. */
export const itemText = (item: GuidanceItem): string => {
  if (typeof item === 'string') return item;
  return 'path' in item ? `path:${item.path}` : `command:${item.command}`;
};

/** Parses a phrase: `path:GLOB` and `command:GLOB` are enforced items, everything else is words. */
export const itemOf = (phrase: string): GuidanceItem => {
  const [, kind, glob = ''] = /^(path|command):\s*(.+)$/.exec(phrase.trim()) ?? [];
  if (kind === 'path') return { path: glob.trim() };
  return kind === 'command' ? { command: glob.trim() } : phrase.trim();
};

/** Whether two items are equal to a person: ignores case and blanks of words. */
export const sameItem = (a: GuidanceItem, b: GuidanceItem): boolean => keyOf(a) === keyOf(b);

const keyOf = (item: GuidanceItem): string =>
  typeof item === 'string' ? item.trim().toLowerCase().replaceAll(/\s+/g, ' ') : itemText(item);

export const uniqueItems = (items: readonly GuidanceItem[]): readonly GuidanceItem[] =>
  [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();

export const without = (
  items: readonly GuidanceItem[],
  others: readonly GuidanceItem[],
): readonly GuidanceItem[] => items.filter((item) => !others.some((other) => sameItem(item, other)));
