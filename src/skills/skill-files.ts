import { join, posix } from 'node:path';
import { type Disk, diskCode } from '../base/disk.ts';
import { sha256 } from '../base/hash.io.ts';
import { readBytes } from '../base/replace-file.ts';
import { error, type SkillProblem } from './skill-problem.ts';

/** A file of a skill. */
export interface SkillFile {
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Limits of a skill: a person must be able to look through it before accepting it. */
const mostFiles = 200;
const mostBytes = 8 * 1024 * 1024;
const largestFile = 1024 * 1024;
const largestSkillFile = 256 * 1024;
const deepest = 6;

/** Every file of a skill's folder in order, without following a link, and what forbids to use the folder. Throws `DiskError` where it cannot be read. */
export const readSkillFiles = (
  disk: Disk,
  folder: string,
): { readonly files: readonly SkillFile[]; readonly problems: readonly SkillProblem[] } => {
  const files: SkillFile[] = [];
  const problems: SkillProblem[] = [];
  let total = 0;
  const visit = (path: string): void => {
    if (problems.length > 0) return;
    const stat = disk.lstat(join(folder, path));
    if (stat === null) return;
    if (stat.kind === 'directory') {
      if (path.split('/').length > deepest)
        problems.push(error('skill-deep', path, `is more than ${deepest} folders deep`));
      else for (const name of disk.readdir(join(folder, path)).sort()) visit(posix.join(path, name));
    } else if (stat.kind !== 'file') problems.push(linkProblem(disk, folder, path, stat.kind));
    else {
      total += stat.size;
      const wrong = tooLarge(path, stat.size) ?? tooMany(files.length + 1, total);
      if (wrong !== null) problems.push(wrong);
      else files.push({ path, bytes: readBytes(disk, join(folder, path), largestFile) ?? new Uint8Array() });
    }
  };
  for (const name of disk.readdir(folder).sort()) visit(name);
  return { files, problems };
};

const linkProblem = (disk: Disk, folder: string, path: string, kind: string): SkillProblem =>
  error(
    'skill-link',
    path,
    kind === 'symlink'
      ? `is a link to ${linkTarget(disk, join(folder, path))}, and links are not followed`
      : `is a ${kind}, and only files are read`,
    'put the file itself there',
  );

const linkTarget = (disk: Disk, path: string): string => {
  try {
    return disk.readlink(path);
  } catch (thrown) {
    if (diskCode(thrown) === '') throw thrown;
    return 'nothing';
  }
};

const tooLarge = (path: string, size: number): SkillProblem | null => {
  const most = path === 'SKILL.md' ? largestSkillFile : largestFile;
  if (size <= most) return null;
  const hint = path === 'SKILL.md' ? 'move reference material to references/' : 'make it smaller';
  return error('skill-large', path, `is ${size} bytes, but at most ${most} are allowed`, hint);
};

const tooMany = (count: number, bytes: number): SkillProblem | null => {
  if (count > mostFiles)
    return error(
      'skill-large',
      'SKILL.md',
      `shares its folder with more than ${mostFiles - 1} other files`,
      'remove some',
    );
  return bytes > mostBytes
    ? error('skill-large', 'SKILL.md', `its folder holds more than ${mostBytes} bytes`, 'remove some files')
    : null;
};

/** SHA-256 over the names and bytes of all files: changes with any of them. */
export const digestOf = (files: readonly SkillFile[]): string =>
  sha256(JSON.stringify(files.map(({ path, bytes }) => [path, sha256(bytes)])));
