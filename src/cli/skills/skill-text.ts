import { safe, safeBlock } from '../../base/safe.ts';
import type { FoundSkill } from '../../skills/find-skills.ts';
import { textOf } from '../../skills/read-skill.ts';

/** A skill as text: where it is from, what it may use, its files, and its instructions. */
export const skillText = (found: FoundSkill): string => {
  const { skill } = found;
  const facts: readonly (readonly [string, string])[] = [
    ['from', found.origin === 'ours' ? 'ralph-tui' : found.shown],
    ['instead of', found.shadows.join(', ')],
    ['works', skill?.context === 'fork' ? 'alone' : 'with a person'],
    ['tools', skill?.allowedTools?.join(' ') ?? ''],
    ['model', skill?.model ?? ''],
    ['variables', Object.keys(skill?.env ?? {}).join(' ')],
    ['files', found.files.map(({ path }) => path).join(' ')],
  ];
  const head = [
    `${found.name}${skill?.argumentHint ? ` ${skill.argumentHint}` : ''}: ${skill?.description ?? ''}`,
    ...facts.flatMap(([label, value]) => (value === '' ? [] : [`${label}: ${value}`])),
  ].map(safe);
  const main = found.files.find(({ path }) => path === 'SKILL.md');
  const body = skill?.body ?? (main ? textOf(main) : '');
  return [...head, '', safeBlock(body)].join('\n');
};
