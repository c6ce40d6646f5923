import { join, relative } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { controlChanges, readControlFiles } from '../../engine/guards/control-files.ts';
import { type FileMark, markOf, walk } from '../../engine/turns/workspace-marks.ts';

/** Limit of files named in one sentence. */
const mostNamed = 5;

/**
 * Takes a picture of a workspace's files, ours, git's and those of agents among them. The result names, as one sentence, what differs when it is
 * called; `null` when nothing does. Explorers are only told to read, and a command agent asks nobody.
 */
export const watchExplorers = (disk: Disk, workspace: string): (() => string | null) => {
  const controls = readControlFiles(disk, workspace);
  const files = marksOf(disk, workspace, new Map());
  return () => {
    const now = marksOf(disk, workspace, files);
    const changed = [
      ...controlChanges(controls, readControlFiles(disk, workspace)).map(({ path }) =>
        relative(workspace, path),
      ),
      ...[...new Set([...files.keys(), ...now.keys()])].filter(
        (path) => files.get(path)?.hash !== now.get(path)?.hash,
      ),
    ];
    const names = [...new Set(changed)].toSorted();
    if (names.length === 0) return null;
    const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
    return `changed while the agent was exploring, although it was only allowed to read: ${names.slice(0, mostNamed).join(', ')}${more}`;
  };
};

const marksOf = (
  disk: Disk,
  workspace: string,
  before: ReadonlyMap<string, FileMark>,
): ReadonlyMap<string, FileMark> =>
  new Map(
    walk(disk, workspace).flatMap((path) => {
      const mark = markOf(disk, join(workspace, path), before.get(path));
      return mark === null ? [] : [[path, mark] as const];
    }),
  );
