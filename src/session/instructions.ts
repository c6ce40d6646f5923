import type { Fault, Parsed } from '../base/fault.ts';
import { isRecord } from '../base/json.ts';
import { parseFrontMatter } from '../tasks/front-matter.ts';
import { bare, splitLines, splitSections } from '../tasks/sections.ts';
import type { Layer } from './config.ts';
import { checkSettings, mergeParts, nest, settingKeys } from './settings/partial-settings.ts';
import { plainValue } from './settings/written.ts';
import type { PartialSettings } from './settings.ts';

/** `<SID>.instructions.md`: guardrails of one session, and text for its agents. */
interface Instructions {
  readonly applyTo: string | null;
  readonly layer: Layer;
  /** The whole body below the front matter, for prompts. */
  readonly text: string;
}

/** Keys of the prompt agents without a meaning here: they are valid there, not misspelt keys of ours. */
const foreign = /^(?:max_parallel_questioners|max_subagent_retries|max_parallel_planners|approval_mode)$/;

/**
 * Reads both forms: bullets `- max_parallel_executors: 3` under H2 Concurrency, Planning, Retries, Timeouts, …, and nested YAML in the front
 * matter. Checks each key alone: an unusable one is a problem, the others count.
 */
export const parseInstructions = (text: string, file: string): Parsed<Instructions> => {
  const { value: matter, problems: found } = parseFrontMatter(text, file);
  const problems: Fault[] = [...found];
  const lines = new Map<string, number>();
  let values: PartialSettings = {};
  const take = (key: string, value: unknown, line: number): void => {
    if (foreign.test(key.split('.').at(-1) ?? '')) return;
    const checked = checkSettings(nest(key, value), { file, line: () => line });
    if (!checked.ok) problems.push(...checked.faults);
    else {
      values = mergeParts(values, checked.value);
      lines.set(key, line);
    }
  };
  for (const [group, entry] of Object.entries(matter.data)) {
    if (!groups.has(group) && !settingKeys.includes(group)) continue;
    const line = (path: readonly string[]): number => matter.yaml?.line(path) ?? 1;
    if (!isRecord(entry) || settingKeys.includes(group)) take(group, entry, line([group]));
    else for (const [key, value] of Object.entries(entry)) take(`${group}.${key}`, value, line([group, key]));
  }
  for (const section of splitSections(matter.body, 2).sections) {
    const group = section.title.toLowerCase().replaceAll(/[^a-z_]/g, '');
    const own = /^(settings|session|general)$/.test(group);
    if (!groups.has(group) && !own) continue;
    splitLines(section.body).forEach((written, index) => {
      const [, key, rest = ''] = bulletPattern.exec(bare(written)) ?? [];
      const value = key === undefined ? null : bulletValue(rest);
      if (key === undefined || value === null) return;
      const full = own || settingKeys.includes(key) ? key : `${group}.${key}`;
      take(full, plainValue(value), matter.bodyLine + section.line + index + 1);
    });
  }
  const applyTo = matter.data['applyTo'];
  const line = (path: readonly PropertyKey[]): number => lines.get(path.map(String).join('.')) ?? 1;
  const layer: Layer = { name: 'instructions', file, values, line };
  return {
    value: { applyTo: typeof applyTo === 'string' ? applyTo : null, layer, text: matter.body },
    problems,
  };
};

const bulletPattern = /^\s*[-*]\s+`?([a-z_][a-z_.]{0,60})`?\s*:(.*)$/;

/** The text after the colon, without a comment and one pair of backticks; null when more backticks make it prose. */
const bulletValue = (rest: string): string | null => {
  const text = (rest.split('#', 1)[0] ?? '').trim().replace(/^`/, '').replace(/`$/, '').trim();
  return text.includes('`') ? null : text;
};

const groups: ReadonlySet<string> = new Set(settingKeys.map((key) => key.split('.')[0] ?? key));
