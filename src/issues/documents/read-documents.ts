import { posix } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { namesIn } from '../../base/names-in.ts';
import { readText } from '../../base/replace-file.ts';
import { parseFrontMatter } from '../../tasks/front-matter.ts';
import { artifactKinds } from './artifact-comment.ts';
import { filesOfDocument } from './document-files.ts';
import type { DocumentFile } from './find-document.ts';

/** The documents below `docsRoot`, which is relative to the workspace. Leaves out what cannot be read: a link to it then finds nothing. */
export const readDocuments = (disk: Disk, workspace: string, docsRoot: string): readonly DocumentFile[] => {
  const folders = new Set(Object.values(artifactKinds).map(({ folder }) => folder));
  return [...folders].flatMap((folder) => {
    const directory = posix.join(docsRoot, folder);
    return namesIn(disk, posix.join(workspace, directory))
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => readDocument(disk, workspace, posix.join(directory, name)));
  });
};

const readDocument = (disk: Disk, workspace: string, path: string): readonly DocumentFile[] => {
  try {
    const text = readText(disk, posix.join(workspace, path));
    if (text === null) return [];
    const { data, body } = parseFrontMatter(text, path).value;
    return [{ path, data, files: filesOfDocument(data, body) }];
  } catch {
    // A link, a directory or a file without leave is no document.
    return [];
  }
};
