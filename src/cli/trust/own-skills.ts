import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Fault } from '../../base/fault.ts';
import { createRedact } from '../../base/redact.ts';
import { safe, visibleLines } from '../../base/safe.ts';
import type { PhaseInstructions } from '../../engine/flow/flow-port.ts';
import { skillOfPhase } from '../../issues/task-list/directive.ts';
import type { TaskPhase } from '../../issues/task-list/task-phase.ts';
import { type FoundSkill, findSkill, type SkillPlaces } from '../../skills/find-skills.ts';
import { readSkill, textOf } from '../../skills/read-skill.ts';
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

/** The repository's own skills of the phases of an issue: each counts once a person accepted exactly its files. */
export const phaseSkillSubjects = (env: Cli['env'], world: World, workspace: string): readonly Subject[] =>
  Object.values(skillOfPhase).flatMap((name) => {
    const skill = findSkill(world.disk, skillPlaces(env, workspace), name);
    return skill?.origin === 'repository' ? [{ ...skillSubject(skill), isRead: true }] : [];
  });

/** The skill that works on a phase, and the reason why one of the repository does not. */
export const phaseSkill = (
  env: Cli['env'],
  world: World,
  workspace: string,
  phase: TaskPhase,
): PhaseInstructions => {
  const name = skillOfPhase[phase];
  const { skill, untrusted } = usableSkill(env, world, workspace, name);
  const reason = untrusted === null ? brokenSkill(world, workspace, name) : notAccepted(untrusted);
  const used =
    skill === null ? 'no skill' : skill.origin === 'ours' ? "the program's own skill" : skill.shown;
  return {
    text: skill?.skill?.body ?? null,
    refused: reason && { ...reason, what: `${reason.what}, so the ${phase} phase uses ${used}` },
  };
};

const notAccepted = (shown: string): Fault => ({
  code: 'skill-not-accepted',
  what: `${safe(shown)}: its current text has not been accepted`,
  hint: 'the next start in a terminal will ask you to accept it',
});

/** What is wrong with a skill of the repository that cannot be read as one. */
const brokenSkill = ({ disk }: World, workspace: string, name: string): Fault | null => {
  const shown = `.ralph/skills/${name}`;
  if (disk.lstat(join(workspace, shown)) === null) return null;
  const { skill, problems } = readSkill(disk, join(workspace, shown), name);
  const first = problems.find(({ severity }) => severity === 'error');
  if (skill !== null || first === undefined) return null;
  return {
    code: 'skill-refused',
    what: `${shown} cannot be used (${safe(`${first.where}: ${first.what}`)})`,
    hint: `see \`ralph-tui skill check ${shown}\``,
  };
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
