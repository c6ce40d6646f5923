import { basename, posix } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { DiskError } from '../base/disk.ts';
import { diskReason } from '../base/disk-reason.ts';
import { namedPlaces } from './named-places.ts';
import { parseSkill } from './parse-skill.ts';
import type { Skill } from './skill.ts';
import { digestOf, readSkillFiles, type SkillFile } from './skill-files.ts';
import { error, isRefused, type SkillProblem } from './skill-problem.ts';

/** A folder that was read as a skill. */
export interface ReadSkill {
  /** `null` when a problem is an error. */
  readonly skill: Skill | null;
  readonly files: readonly SkillFile[];
  /** Digest of all files. */
  readonly sha256: string;
  readonly problems: readonly SkillProblem[];
}

/** Reads and judges the folder of a skill. `name`: of the folder, where a link stands for it. Never throws for anything that is there. */
export const readSkill = (disk: Disk, folder: string, name = basename(folder)): ReadSkill => {
  try {
    return judged(name, readSkillFiles(disk, folder));
  } catch (thrown) {
    if (!(thrown instanceof DiskError)) throw thrown;
    const { code, clause, hint } = diskReason(thrown);
    return { skill: null, files: [], sha256: '', problems: [error(code, thrown.path, clause, hint)] };
  }
};

const judged = (name: string, { files, problems }: ReturnType<typeof readSkillFiles>): ReadSkill => {
  const sha256 = digestOf(files);
  const main = files.find(({ path }) => path === 'SKILL.md');
  if (problems.length > 0) return { skill: null, files, sha256, problems };
  if (main === undefined)
    return { skill: null, files, sha256, problems: [error('skill-missing', 'SKILL.md', 'does not exist')] };
  const { value, problems: found } = parseSkill(textOf(main), name);
  const beside = files
    .filter(({ path }) => path.startsWith('references/') && path.endsWith('.md'))
    .flatMap((file) => namedPlaces(textOf(file), file.path, 0, posix.dirname(file.path)));
  const all = [...found, ...beside];
  return { skill: isRefused(all) ? null : value, files, sha256, problems: all };
};

/** The text of a file of a skill; bytes that are not UTF-8 become U+FFFD. */
export const textOf = ({ bytes }: Pick<SkillFile, 'bytes'>): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
