import { join, posix } from 'node:path';
import { DiskError } from '../../base/disk.ts';
import { namesIn } from '../../base/names-in.ts';
import { readText } from '../../base/replace-file.ts';
import { readIdea } from '../../skills/documents/idea.ts';
import type { SkillRun } from './skill-run.ts';

interface StoredDocument {
  /** Relative to the workspace. */
  readonly path: string;
  readonly title: string;
  readonly status: string;
}
type Place = Pick<SkillRun, 'world' | 'workspace' | 'settings'>;

/** The ideas below `docs_root`, newest first by their names. Leaves out what cannot be read. */
export const storedIdeas = (run: Place): readonly StoredDocument[] => stored(run, 'ideas');

/** The last plans that are not done, newest first. */
export const storedPlans = (run: Place): readonly StoredDocument[] =>
  stored(run, 'plans')
    .filter(({ status }) => status !== 'done')
    .slice(0, 20);

const stored = ({ world, workspace, settings }: Place, folder: string): readonly StoredDocument[] => {
  const directory = posix.join(settings.docs_root, folder);
  return namesIn(world.disk, join(workspace, directory))
    .filter((name) => name.endsWith('.md'))
    .reverse()
    .flatMap((name) => {
      const path = posix.join(directory, name);
      try {
        const { idea } = readIdea(readText(world.disk, join(workspace, path), 262_144) ?? '', path);
        return [{ path, title: idea.title, status: String(idea.data['status'] ?? '') }];
      } catch (error) {
        if (!(error instanceof DiskError)) throw error;
        return [];
      }
    });
};
