import { join } from 'node:path';
import type { ChangedFile, ViewerPort } from '../../../components/ports/viewer-port.ts';
import { readText } from '../../base/replace-file.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { pathProblem } from '../../tasks/relative-path.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { readAnyChanges } from './changes/read-recorded.ts';
import { readLogPage, searchLogFile } from './read-log.ts';

/** Characters: more than 50,000 lines of a diff. `ralph-tui diff` prints all of it. */
const longestDiff = 6 * 1024 * 1024;
/** Most new files whose contents are shown. */
const mostNew = 20;
/** Bytes: a report is text for people, so a longer file is no report. */
const longestReport = 256 * 1024;

/**
 * Reads logs, reports and diffs of one session for the screen. Reads bounded pieces and redacts secrets: a
 * changed file may contain any.
 */
export const createViewerPort = (world: World, paths: SessionPaths, env: Cli['env']): ViewerPort => ({
  readLog: async (log, at) => {
    const page = readLogPage(world.disk, paths.log(log.subject, log.attempt), at);
    return page && { ...page, lines: page.lines.map((line) => ({ ...line, text: world.redact(line.text) })) };
  },
  searchLog: (log, text, tell) => searchLogFile(world, paths.log(log.subject, log.attempt), text, tell),
  readReport: async ({ task, iteration, attempt }) => {
    try {
      const text = readText(world.disk, paths.iteration(iteration).report(task, attempt), longestReport);
      return text === null ? null : world.redact(text);
    } catch {
      return null;
    }
  },
  readDocument: async (path) => {
    try {
      if (pathProblem(path) !== null) return null;
      const text = readText(world.disk, join(paths.workspace, path), longestReport);
      return text === null ? null : world.redact(text);
    } catch {
      return null;
    }
  },
  readChanges: async (wanted) => {
    const changes = await readAnyChanges({ env, world, paths }, wanted, { mostNew });
    const redacted = (all: readonly ChangedFile[]): readonly ChangedFile[] =>
      all.map((file) => ({ ...file, path: world.redact(file.path) }));
    const unmerged = (changes.unmerged ?? []).map((work) => ({ ...work, files: redacted(work.files) }));
    const diff = changes.diff.slice(0, longestDiff);
    return {
      ...changes,
      files: redacted(changes.files),
      unmerged,
      diff: world.redact(diff),
      cut: changes.cut || diff !== changes.diff,
    };
  },
});
