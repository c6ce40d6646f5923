import { join, posix, relative, resolve } from 'node:path';
import { realPath } from '../../agents/real-path.ts';
import { diskCode } from '../../base/disk.ts';
import { readText, writeNew } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import { slug } from '../../issues/documents/document-name.ts';
import { failure, usage } from '../cli.ts';
import type { SkillRun } from './skill-run.ts';

/** Bytes of a document that a skill reads. */
const largestDocument = 1024 * 1024;

/** Writes a new document below `docs_root` and returns its path relative to the workspace. Overwrites nothing: a taken name gets a number. */
export const writeDocument = (
  { world, workspace, settings }: SkillRun,
  folder: string,
  date: string,
  title: string,
  text: string,
): string => {
  const directory = posix.join(settings.docs_root, folder);
  const place = realPath(world.disk, join(workspace, directory));
  const root = realPath(world.disk, workspace);
  if (place === null || root === null || !place.startsWith(`${root}/`))
    throw failure({
      code: 'docs-outside',
      where: directory,
      what: 'points outside the workspace',
      hint: 'make it a folder, or set docs_root',
    });
  world.disk.mkdir(place);
  for (let number = 1; ; number += 1) {
    const name = [
      date,
      slug(title) || folder.replace(/s$/, ''),
      ...(number === 1 ? [] : [String(number)]),
    ].join('-');
    try {
      writeNew(world.disk, world.random, join(place, `${name}.md`), text);
      return posix.join(directory, `${name}.md`);
    } catch (error) {
      if (diskCode(error) !== 'EEXIST') throw error;
    }
  }
};

/**
 * The file of a document that is changed, absolute and without links. Throws where its path leads out of the workspace, or to git's own files: a folder may
 * have become a link since the conversation began, and agents can make links.
 */
export const documentFile = ({ world, workspace }: SkillRun, path: string): string => {
  const file = realPath(world.disk, join(workspace, path));
  const root = realPath(world.disk, workspace);
  const isInside = file !== null && root !== null && file.startsWith(`${root}/`);
  if (isInside && !relative(root, file).split('/').includes('.git')) return file;
  throw failure({
    code: 'docs-outside',
    where: path,
    what: isInside ? 'belongs to git' : 'points outside the workspace',
    hint: 'it was not changed; check its path for a link',
  });
};

/** A file that a person named, with its path relative to the workspace, or `null` for words that name none. Throws a usage error for one outside. */
export const namedDocument = (
  { cli, world, workspace }: SkillRun,
  words: string,
): { readonly path: string; readonly text: string } | null => {
  const places = [resolve(cli.cwd, words), resolve(workspace, words)];
  const full = places.find((place) => world.disk.lstat(place) !== null);
  if (words === '' || full === undefined) {
    if (/^\S+\.md$/.test(words)) throw usage(`${safe(words)} does not exist`, 'name an existing file');
    return null;
  }
  const path = relative(realPath(world.disk, workspace) ?? workspace, realPath(world.disk, full) ?? full);
  if (path.startsWith('..'))
    throw usage(`${safe(words)} is outside this workspace`, 'copy it into the workspace');
  return { path, text: readText(world.disk, join(workspace, path), largestDocument) ?? '' };
};
