import { basename, dirname, resolve } from 'node:path';
import { realPath } from '../../agents/real-path.ts';
import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { readSkill } from '../../skills/read-skill.ts';
import { type Cli, exitCodes, usage } from '../cli.ts';
import type { World } from '../world.ts';

/** Judges the folder of a skill, or its `SKILL.md`, by the format. Prints each problem with its place; exit 1 when it would be refused. */
export const checkSkill = (
  cli: Cli,
  world: World,
  path: string,
  options: { readonly json?: boolean },
): number => {
  const given = resolve(cli.cwd, path);
  const folder = basename(given) === 'SKILL.md' ? dirname(given) : given;
  const place = realPath(world.disk, folder);
  if (place === null || world.disk.lstat(place)?.kind !== 'directory')
    throw usage(`${safe(path)} is no folder`, 'name the folder that holds SKILL.md', 'skill-missing');
  const { skill, problems, files } = readSkill(world.disk, place, basename(folder));
  if (options.json)
    cli.printJson({
      name: basename(folder),
      valid: skill !== null,
      files: files.map((file) => file.path),
      problems: problems.map((problem) => ({
        severity: problem.severity,
        code: problem.code,
        where: problem.where ?? null,
        message: problem.what,
        hint: problem.hint ?? null,
      })),
    });
  else {
    for (const problem of problems) cli.print(safe(`${problem.severity}: ${formatFault(problem)}`));
    cli.print(safe(`${basename(folder)} ${skill === null ? 'would be refused' : 'is a good skill'}`));
  }
  return skill === null ? exitCodes.failed : exitCodes.done;
};
