import { readText } from '../base/replace-file.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { ViewerPort } from '../store/viewer-port.ts';
import { readChanges } from './read-changes.ts';
import { readLogPage, searchLogFile } from './read-log.ts';
import type { World } from './world.ts';

/** A report is text for a person: what is longer is no report. */
const longestReport = 256 * 1024;

/** Reads logs, reports and differences of one session for the screen, a bounded piece at a time. */
export const createViewerPort = (world: World, paths: SessionPaths): ViewerPort => ({
  readLog: async (log, at) => readLogPage(world.disk, paths.log(log.subject, log.attempt), at),
  searchLog: (log, text, tell) => searchLogFile(world, paths.log(log.subject, log.attempt), text, tell),
  readReport: async ({ task, iteration, attempt }) => {
    try {
      return readText(world.disk, paths.iteration(iteration).report(task, attempt), longestReport);
    } catch {
      return null;
    }
  },
  readChanges: (wanted) => readChanges(paths.workspace, wanted),
});
