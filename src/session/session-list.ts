import { join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import type { Fault, Parsed } from '../base/fault.ts';
import { parseProgress } from '../tasks/progress-file.ts';
import { detectLayout, type FoundLayout } from './layout.ts';
import { createLenientReader } from './lenient-reader.ts';
import { parseMetadata, type ReadMetadata } from './metadata-file.ts';
import { sessionIdPattern, sessionPaths } from './paths.ts';
import type { SessionStatus, StateName } from './status.ts';

/** One line of `ralph-tui sessions`. */
export interface SessionSummary {
  readonly session: string;
  readonly status: SessionStatus | null;
  readonly state: StateName | null;
  readonly iteration: number;
  readonly tasks: { readonly done: number; readonly total: number };
  /** The last change of any of its files, milliseconds since the epoch. */
  readonly changedMs: number;
  readonly stopReason: string | null;
  readonly layout: FoundLayout;
}

/** The sessions of a workspace, newest first. Reads only two small files of each, so that a long history opens at once. */
export const readSessions = (disk: Disk, workspace: string): Parsed<readonly SessionSummary[]> => {
  const problems: Fault[] = [];
  const reader = createLenientReader(disk, problems);
  const root = join(workspace, '.ralph-sessions');
  const sessions = reader
    .names(root)
    .filter((name) => sessionIdPattern.test(name))
    .sort()
    .reverse()
    .flatMap((session) => {
      const {
        directory,
        metadata: metadataFile,
        iteration: pathsOf,
        journal,
      } = sessionPaths(workspace, session);
      if (kindOf(disk, directory) !== 'directory') {
        problems.push({
          code: 'session-shape',
          what: 'is not a directory and is skipped',
          where: directory,
        });
        return [];
      }
      const text = reader.text(metadataFile);
      const metadata = text === null ? null : parseMetadata(text, metadataFile).value;
      const iteration = metadata?.iteration ?? 1;
      const files = [pathsOf(iteration).progress, join(directory, 'progress.md')];
      const progress = files.map((file) => reader.text(file)).find((it) => it !== null) ?? '';
      const layout = detectLayout(disk, directory);
      let counted: SessionSummary['tasks'] | null = null;
      return [
        {
          session,
          status: metadata?.status ?? (metadata?.state === 'COMPLETE' ? 'completed' : null),
          state: metadata?.state ?? null,
          iteration,
          // Lazy, because commands that look for the newest session do not need it.
          get tasks() {
            counted ??= (layout.ours ? countedIn(metadata) : null) ?? countItems(progress);
            return counted;
          },
          changedMs: Math.max(
            0,
            ...[journal, metadataFile, ...files, directory].map((file) => changed(disk, file)),
          ),
          stopReason: metadata?.stop_reason ?? null,
          layout,
        },
      ];
    });
  return { value: sessions, problems };
};

/** As our session counted them: `progress.md` does not say which tasks others took over. */
const countedIn = (metadata: ReadMetadata | null): SessionSummary['tasks'] | null =>
  metadata?.tasks ? { done: metadata.tasks.completed, total: metadata.tasks.total } : null;

const countItems = (progress: string): SessionSummary['tasks'] => {
  const items = [...parseProgress(progress).value.items.values()].filter(
    ({ id }) => !/^(?:plan|qa)-/.test(id),
  );
  return { done: items.filter(({ status }) => status === 'done').length, total: items.length };
};

/** The names of the sessions of a workspace, without reading one. */
export const sessionNames = (disk: Disk, workspace: string): readonly string[] =>
  createLenientReader(disk, [])
    .names(join(workspace, '.ralph-sessions'))
    .filter(
      (name) =>
        sessionIdPattern.test(name) && kindOf(disk, sessionPaths(workspace, name).directory) === 'directory',
    );

const kindOf = (disk: Disk, path: string): string | null => {
  try {
    return disk.lstat(path)?.kind ?? null;
  } catch {
    return null;
  }
};

const changed = (disk: Disk, path: string): number => {
  try {
    return disk.lstat(path)?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
};
