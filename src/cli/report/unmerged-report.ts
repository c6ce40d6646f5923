import { unmergedWords } from '../../../components/changes/changed-files-words.ts';
import type { ChangedFile, UnmergedWork } from '../../../components/ports/viewer-port.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import { commandInWorkspace, sessionCommand } from '../../words/session-command.ts';
import type { OpenSession } from '../session/open-session.ts';

/** Unmerged work in `--json`: its files, and the command that shows it. */
export interface UnmergedReport {
  readonly task: string;
  readonly files: readonly ChangedFile[];
  readonly command: string;
}

export const unmergedReport = (
  { world, paths }: Pick<OpenSession, 'world' | 'paths'>,
  unmerged: readonly UnmergedWork[],
): readonly UnmergedReport[] =>
  unmerged.map(({ task, files }) => ({
    task,
    files: files.map(({ path, added, removed }) => ({ path: world.redact(path), added, removed })),
    command: sessionCommand(paths.session, printedCommand('diff', task)),
  }));

/** What no merge will bring unless a person does something: while the session runs, only the work of tasks that failed or were cancelled. */
export const leftUnmerged = <T extends Pick<UnmergedWork, 'task'>>(
  { state, host }: Pick<OpenSession, 'state' | 'host'>,
  unmerged: readonly T[],
): readonly T[] =>
  unmerged.filter(({ task }) => {
    const status = state.tasks.get(task)?.status;
    return host?.alive !== true || status === 'failed' || status === 'cancelled';
  });

/** The sentence beside a patch or a report. */
export const unmergedNote = (
  { paths }: Pick<OpenSession, 'paths'>,
  unmerged: readonly UnmergedWork[],
): string => unmergedWords(unmerged, commandInWorkspace(paths));
