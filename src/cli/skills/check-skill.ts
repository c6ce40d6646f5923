import { basename, dirname, join, resolve } from 'node:path';
import { realPath } from '../../agents/real-path.ts';
import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { readSkill } from '../../skills/read-skill.ts';
import { type Cli, exitCodes, usage } from '../cli.ts';
import { findWorkspace } from '../session/find-workspace.ts';
import type { World } from '../world.ts';

/** Judges a skill by the format: its folder, its `SKILL.md`, or the name of one in `.ralph/skills`. Prints each problem with its place; exit 1 when it would be refused. */
export const checkSkill = (
  cli: Cli,
  world: World,
  path: string,
  options: { readonly json?: boolean },
): number => {
  const folder = folderOf(cli, world, path);
  const place = realPath(world.disk, folder);
  if (place === null || !isDirectory(world, place))
    throw usage(
      `${safe(path)} is neither a folder nor a skill in this workspace`,
      'name the folder that holds SKILL.md',
      'skill-missing',
    );
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
    cli.print(safe(`${basename(folder)} ${skill === null ? 'would be refused' : 'is a valid skill'}`));
  }
  return skill === null ? exitCodes.failed : exitCodes.done;
};

const folderOf = (cli: Cli, world: World, path: string): string => {
  const given = resolve(cli.cwd, path);
  if (basename(given) === 'SKILL.md') return dirname(given);
  const isName = basename(path) === path && !isDirectory(world, given);
  return isName ? join(findWorkspace(cli.cwd), '.ralph/skills', path) : given;
};

const isDirectory = ({ disk }: World, path: string): boolean => {
  const place = realPath(disk, path);
  return place !== null && disk.lstat(place)?.kind === 'directory';
};
