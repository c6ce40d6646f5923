import { homedir } from 'node:os';
import { createRedact } from '../../base/redact.ts';
import { safe, visibleLines } from '../../base/safe.ts';
import { type FoundSkill, findSkill, type SkillPlaces } from '../../skills/find-skills.ts';
import { textOf } from '../../skills/read-skill.ts';
import { shippedSkills } from '../../skills/shipped-skills.io.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { recallTrust } from './trust-memory.ts';
import type { Subject } from './trust-subjects.ts';

/** Where skills are looked for from a workspace. */
export const skillPlaces = (env: Cli['env'], workspace: string): SkillPlaces => ({
  workspace,
  home: env['HOME'] || homedir(),
  ours: shippedSkills(),
});

/** Whether a person accepted a skill. One of the repository counts only with exactly the accepted files; the others are the person's or ours. */
export const isAccepted = (env: Cli['env'], world: World, workspace: string, skill: FoundSkill): boolean =>
  skill.origin !== 'repository' ||
  recallTrust(env, world, workspace, skillSubject(skill).name)?.sha256 === skill.sha256;

/** The skill to use without asking anybody, with what it stands for. */
interface UsableSkill {
  /** `null` when no accepted skill has the name. */
  readonly skill: FoundSkill | null;
  /** A skill of the repository with this name that nobody accepted, as people see it: it is left out. Else `null`. */
  readonly untrusted: string | null;
}

/** The skill of this name for work without a person: the repository's where its files are accepted, else the person's own, else ours. */
export const usableSkill = (env: Cli['env'], world: World, workspace: string, name: string): UsableSkill => {
  const places = skillPlaces(env, workspace);
  const strongest = findSkill(world.disk, places, name);
  if (strongest === null || isAccepted(env, world, workspace, strongest))
    return { skill: strongest, untrusted: null };
  const skip = (each: FoundSkill): boolean => !isAccepted(env, world, workspace, each);
  return { skill: findSkill(world.disk, places, name, skip), untrusted: strongest.shown };
};

const redact = createRedact();

/** A skill as a question of trust, with every line that an agent would read. */
export const skillSubject = ({ shown, sha256, files }: FoundSkill): Subject => ({
  name: safe(shown),
  sha256,
  would: 'would instruct agents',
  lines: files.flatMap((file) => {
    const text = textOf(file);
    return [`── ${safe(file.path)}`, ...(text.includes('\0') ? ['binary'] : visibleLines(redact(text)))];
  }),
});
